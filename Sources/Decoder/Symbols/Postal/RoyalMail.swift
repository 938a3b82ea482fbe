/// Royal Mail's four-state customer code (RM4SCC), and KIX of the Dutch mail, which has the same characters.
///
/// Source: Royal Mail, Know How user's manual, appendix C; TNT Post, KIX code.
enum RoyalMail {
    private static let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    /// The weights of the ascenders and descenders, two of each in four bars: the sums are the row and the column in
    /// a table of 6 × 6.
    private static let weights = [4, 2, 1, 0]
    /// The allowed lengths of a message: a postcode has five to seven characters, and a door has two more.
    private static let royalMailCounts = 5...24
    /// The allowed lengths of a KIX: a postcode of six characters and a house number.
    private static let kixCounts = 7...18

    static func decode(_ bars: [PostalBar]) -> [UInt8]? {
        guard let first = bars.first, let last = bars.last, first.state == 1, last.state == 0,
            let values = values(bars.dropFirst().dropLast()), royalMailCounts.contains(values.count - 1),
            let check = values.last
        else { return nil }
        // The check character has the sums of the rows and of the columns, counted from 1.
        let message = values.dropLast()
        let row = (message.reduce(0) { $0 + $1 / 6 + 1 } + 5) % 6
        let column = (message.reduce(0) { $0 + $1 % 6 + 1 } + 5) % 6
        guard check == 6 * row + column else { return nil }
        return message.map { characters[$0] }
    }

    /// Decodes KIX.
    ///
    /// It has no check, so it must begin with a postcode of four digits and two letters.
    static func decodeKIX(_ bars: [PostalBar]) -> [UInt8]? {
        guard let values = values(bars[...]), kixCounts.contains(values.count), (1...9).contains(values[0]),
            values[1...3].allSatisfy({ $0 < 10 }), values[4...5].allSatisfy({ $0 >= 10 }), values[6] < 10
        else { return nil }
        return values.map { characters[$0] }
    }

    private static func values(_ bars: ArraySlice<PostalBar>) -> [Int]? {
        guard bars.count % 4 == 0 else { return nil }
        var values: [Int] = []
        for start in stride(from: bars.startIndex, to: bars.endIndex, by: 4) {
            let four = bars[start..<start + 4]
            guard let row = place(four.map(\.hasAscender)), let column = place(four.map(\.hasDescender)) else {
                return nil
            }
            values.append(6 * row + column)
        }
        return values
    }

    /// Maps a choice of two bars out of four to an index 0...5; `nil` if it is not two bars.
    private static func place(_ marks: [Bool]) -> Int? {
        guard marks.count(where: \.self) == 2 else { return nil }
        // 4 + 2 stands for the last.
        return (zip(marks, weights).reduce(0) { $0 + ($1.0 ? $1.1 : 0) } + 5) % 6
    }
}
