/// The customer code of Japan Post: 67 bars, three for each character.
///
/// Source: Japan Post, postal code and barcode manual.
enum JapanPost {
    private static let barCount = 67
    /// The states of the three bars of the digits, the hyphen and eight control codes, in the order of their check
    /// values.
    private static let patterns = [
        [0, 3, 3], [0, 0, 3], [0, 2, 1], [2, 0, 1], [0, 1, 2], [0, 3, 0], [2, 1, 0], [1, 0, 2], [1, 2, 0], [3, 0, 0],
        [3, 0, 3], [2, 1, 3], [2, 3, 1], [1, 2, 3], [3, 2, 1], [1, 3, 2], [3, 1, 2], [3, 3, 0], [0, 0, 0],
    ]
    private static let hyphen = 10
    /// Three control codes, each followed by a digit, stand for ten letters each.
    private static let letters = 11...13
    private static let padding = 14

    static func decode(_ bars: [PostalBar]) -> [UInt8]? {
        let states = bars.map(\.state)
        guard states.count == barCount, states.prefix(2) == [0, 2], states.suffix(2) == [2, 0] else { return nil }
        var values: [Int] = []
        for start in stride(from: 2, to: states.count - 2, by: 3) {
            guard let value = patterns.firstIndex(of: Array(states[start..<start + 3])) else { return nil }
            values.append(value)
        }
        guard values.reduce(0, +) % patterns.count == 0 else { return nil }
        var message = values.dropLast()
        while message.last == padding { message.removeLast() }
        var bytes: [UInt8] = []
        var index = message.startIndex
        while index < message.endIndex {
            let value = message[index]
            index += 1
            switch value {
            case 0...9: bytes.append(UInt8(ascii: "0") + UInt8(value))
            case hyphen: bytes.append(UInt8(ascii: "-"))
            case letters:
                guard index < message.endIndex, message[index] < 10 else { return nil }
                let letter = 10 * (value - letters.lowerBound) + message[index]
                guard letter < 26 else { return nil }
                bytes.append(UInt8(ascii: "A") + UInt8(letter))
                index += 1
            default: return nil
            }
        }
        return bytes.isEmpty ? nil : bytes
    }
}
