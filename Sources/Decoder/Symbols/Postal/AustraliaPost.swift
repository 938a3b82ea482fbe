/// The customer barcode of Australia Post: 37, 52 or 67 bars, protected by a Reed-Solomon code with three bars per
/// codeword.
///
/// Source: Australia Post, Customer Barcoding Technical Specifications, 2012.
enum AustraliaPost {
    private static let barCounts = [37, 52, 67]
    private static let checkCount = 4
    /// The format codes: standard, two with customer information, null, reply paid, routing, redirection.
    private static let formats: Set<Int> = [11, 59, 62, 0, 45, 87, 92]
    /// The characters encoded in three bars each: digits, uppercase letters, lowercase letters, space, number sign.
    private static let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz #".utf8)
    private static let letterStates = [
        "222", "300", "301", "302", "310", "311", "312", "320", "321", "322", "000", "001", "002", "010", "011", "012",
        "020", "021", "022", "100", "101", "102", "110", "111", "112", "120", "121", "122", "200", "201", "202", "210",
        "211", "212", "220", "221", "023", "030", "031", "032", "033", "103", "113", "123", "130", "131", "132", "133",
        "203", "213", "223", "230", "231", "232", "233", "303", "313", "323", "330", "331", "332", "333", "003", "013",
    ]
    private static let field = GaloisField.maxiCode

    static func decode(_ bars: [PostalBar]) -> [UInt8]? {
        guard barCounts.contains(bars.count) else { return nil }
        let states = bars.map(\.state)
        guard states.prefix(2) == [1, 3], states.suffix(2) == [1, 3] else { return nil }
        var codewords = stride(from: 2, to: states.count - 2, by: 3).map { start in
            states[start..<start + 3].reduce(UInt16(0)) { $0 << 2 | UInt16($1) }
        }
        // Correct one wrong codeword only: with more the check says too little.
        var code = ReedSolomon(field, firstRoot: 1)
        guard (try? code.correct(&codewords, checkCount: checkCount, reserve: 2)) != nil else { return nil }
        let data = codewords.dropLast(checkCount).flatMap { [Int($0 >> 4), Int($0 >> 2 & 3), Int($0 & 3)] }
        // Two digits of the format, and eight of the delivery point.
        guard let head = digits(data[..<20]), head.count == 10,
            let first = Int(String(decoding: head[..<2], as: UTF8.self)),
            formats.contains(first)
        else { return nil }
        guard let information = customerInformation(data[20...]) else { return nil }
        return head + information
    }

    /// Decodes pairs of bars as digits; `nil` if a pair is not a digit.
    private static func digits(_ states: ArraySlice<Int>) -> [UInt8]? {
        var digits: [UInt8] = []
        for start in stride(from: states.startIndex, to: states.endIndex - 1, by: 2) {
            let (a, b) = (states[start], states[start + 1])
            guard a < 3 && b < 3 || a == 3 && b == 0 else { return nil }
            digits.append(UInt8(ascii: "0") + UInt8(3 * a + b))
        }
        return digits
    }

    /// Decodes the customer information: digits or letters, which the symbol does not distinguish.
    ///
    /// If both are possible, returns the states of the bars themselves, 0 to 3.
    private static func customerInformation(_ states: ArraySlice<Int>) -> [UInt8]? {
        // The remainder is filled with tracker bars.
        let used = (states.lastIndex { $0 != 3 }.map { $0 - states.startIndex + 1 }) ?? 0
        guard used > 0 else { return [] }
        let numbers = padded(states, used: used, size: 2).flatMap(digits)
        let text = padded(states, used: used, size: 3).flatMap(characters)
        switch (numbers, text) {
        case (let numbers?, nil): return numbers
        case (nil, let text?): return text
        case (nil, nil): return nil
        default: return states.prefix(used).map { UInt8(ascii: "0") + UInt8($0) }
        }
    }

    /// Returns the bars up to the end of the last used group; `nil` if it exceeds the symbol.
    private static func padded(_ states: ArraySlice<Int>, used: Int, size: Int) -> ArraySlice<Int>? {
        let count = (used + size - 1) / size * size
        return count <= states.count ? states.prefix(count) : nil
    }

    private static func characters(_ states: ArraySlice<Int>) -> [UInt8]? {
        var characters: [UInt8] = []
        for start in stride(from: states.startIndex, to: states.endIndex, by: 3) {
            let pattern = states[start..<start + 3].map(String.init).joined()
            guard let place = letterStates.firstIndex(of: pattern) else { return nil }
            characters.append(letters[place])
        }
        return characters
    }
}
