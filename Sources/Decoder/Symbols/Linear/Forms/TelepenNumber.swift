/// Numeric Telepen: two digits a character.
///
/// Most symbols do not tell whether they are numeric. Source: AIM Europe, Uniform Symbology Specification Telepen
/// (1991).
enum TelepenNumber {
    /// The character after which the message continues in plain characters.
    private static let shift: UInt8 = 16

    /// Returns the digits of the characters; `nil` if one of them does not stand for digits.
    static func digits(of characters: [UInt8]) -> [UInt8]? {
        let end = characters.firstIndex(of: shift) ?? characters.count
        guard end > 0 else { return nil }
        var digits: [UInt8] = []
        for value in characters[..<end] {
            switch value {
            case 17..<27: digits += [0x30 + value - 17, UInt8(ascii: "X")]
            case 27..<127: digits += [0x30 + (value - 27) / 10, 0x30 + (value - 27) % 10]
            default: return nil
            }
        }
        return digits + characters[end...].dropFirst()
    }

    /// Indicates whether characters are likely numeric: some are control characters that stand for digits.
    static func isLikely(_ characters: [UInt8]) -> Bool { characters.contains { (17..<32).contains($0) } }
}
