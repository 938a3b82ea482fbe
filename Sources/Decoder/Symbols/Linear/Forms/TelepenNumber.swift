/// Telepen's numeric form: two digits a character.
///
/// Nothing in most symbols tells it from the plain one. Source: AIM Europe, Uniform Symbology Specification Telepen (1991).
enum TelepenNumber {
    /// The character behind which the message goes on in plain characters.
    private static let shift: UInt8 = 16

    /// The digits that some characters stand for; nil where one stands for none.
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

    /// Whether characters are hardly meant as they are: there are control characters among them that numbers have.
    static func isLikely(_ characters: [UInt8]) -> Bool { characters.contains { (17..<32).contains($0) } }
}
