/// The module of each bit of a MaxiCode symbol's codewords.
///
/// A codeword fills two columns of three rows, its first bit at the upper right. The codewords run through bands of
/// three rows, alternately to the right and to the left. Those of the primary message are around the bull's-eye.
/// Source: ISO/IEC 16023, figure 5 (module sequence).
enum MaxiCodePlacement {
    /// The number of codewords of a symbol, six bits each.
    static let codewordCount = 144
    /// The number of codewords of the primary message, including its check codewords.
    static let primaryCount = 20

    /// The module of each bit, the most significant of the first codeword first, as row × 30 + column.
    static let places: [Int] = makePlaces()

    /// The column and row of each bit of the first nine codewords, which have an irregular arrangement.
    private static let irregular: [(x: Int, y: Int)] = [
        (19, 15), (19, 17), (16, 9), (16, 10), (17, 11), (16, 11),
        (13, 22), (12, 22), (13, 23), (12, 23), (17, 21), (16, 22),
        (13, 9), (12, 9), (13, 10), (12, 10), (10, 12), (10, 20),
        (18, 20), (19, 12), (18, 12), (19, 13), (18, 13), (19, 14),
        (15, 23), (14, 23), (19, 18), (19, 19), (18, 19), (19, 20),
        (8, 15), (8, 17), (10, 21), (11, 23), (15, 22), (14, 22),
        (15, 9), (14, 9), (15, 10), (14, 10), (10, 10), (10, 11),
        (21, 17), (19, 9), (18, 9), (19, 10), (19, 11), (18, 11),
        (6, 15), (6, 16), (7, 17), (6, 17), (21, 15), (20, 15),
    ]

    /// The upper left module of each of the other eleven codewords around the bull's-eye.
    private static let besideFinder: [(x: Int, y: Int)] = [
        (8, 12), (8, 18), (18, 21), (8, 21), (8, 9), (20, 12), (20, 18), (6, 18), (6, 12), (20, 9), (20, 21),
    ]

    private static func makePlaces() -> [Int] {
        var places = irregular.map { place($0.x, $0.y) }
        for corner in besideFinder { places += block(corner.x, corner.y) }
        for band in 0..<11 {
            // The primary message and the bull's-eye interrupt the bands in the middle.
            let gap = (3...7).contains(band) ? (band == 3 || band == 7 ? 8..<22 : 6..<22) : 0..<0
            let columns = stride(from: 0, to: 28, by: 2).filter { !gap.contains($0) }
            for column in band.isMultiple(of: 2) ? columns : columns.reversed() { places += block(column, 3 * band) }
        }
        // The last codewords run down the right edge, where every other row has one module less.
        for row in 1..<MaxiCodeLayout.rows {
            for column in row.isMultiple(of: 2) ? [29, 28] : [28] { places.append(place(column, row)) }
        }
        return places
    }

    private static func block(_ column: Int, _ row: Int) -> [Int] {
        (0..<6).map { place(column + 1 - $0 % 2, row + $0 / 2) }
    }

    private static func place(_ x: Int, _ y: Int) -> Int { y * MaxiCodeLayout.columns + x }
}
