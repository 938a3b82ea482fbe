/// The form of the characters of a character set in bytes.
enum CharacterForm: Sendable, Hashable {
    /// One byte a character.
    case single
    /// One byte below 0x80, otherwise two: Big5 and EUC-KR.
    case doubleByte
    /// Two bytes, or four if the second is a digit.
    case gb18030
    /// One byte for ASCII and for half-width katakana, otherwise two.
    case shiftJIS

    /// Returns the bytes of each character as one number; `nil` if the last character is incomplete or a byte cannot
    /// begin one.
    func codes(_ bytes: ArraySlice<UInt8>) -> [UInt32]? {
        var codes: [UInt32] = []
        codes.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            guard let length = length(bytes[index...]), length <= bytes.endIndex - index else { return nil }
            codes.append(bytes[index..<(index + length)].reduce(0) { $0 << 8 | UInt32($1) })
            index += length
        }
        return codes
    }

    private func length(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let lead = bytes.first else { return nil }
        if lead < 0x80 || self == .single { return 1 }
        if self == .shiftJIS && (0xA1...0xDF).contains(lead) { return 1 }
        guard (0x81...0xFE).contains(lead), let trail = bytes.dropFirst().first else { return nil }
        if self == .gb18030 && (0x30...0x39).contains(trail) { return 4 }
        return trail >= 0x40 || self == .doubleByte ? 2 : nil
    }
}
