/// Expands UPC-E, the short form of a number with many zeros.
enum UPCENumber {
    /// Returns the twelve digits of the eight of the short form (number system, six digits, check digit); `nil` for
    /// anything else.
    ///
    /// Source: GS1 General Specifications, 5.2.2.4.1: the sixth digit gives the position of the zeros.
    static func expanded(_ digits: [UInt8]) -> [UInt8]? {
        guard digits.count == 8, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let zeros = { (count: Int) in [UInt8](repeating: 0x30, count: count) }
        let body: [UInt8] =
            switch digits[6] {
            case 0x30...0x32: digits[1...2] + [digits[6]] + zeros(4) + digits[3...5]
            case 0x33: digits[1...3] + zeros(5) + digits[4...5]
            case 0x34: digits[1...4] + zeros(5) + digits[5...5]
            default: digits[1...5] + zeros(4) + digits[6...6]
            }
        return [digits[0]] + body + [digits[7]]
    }
}
