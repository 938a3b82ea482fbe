/// The character sets of GS1's application identifiers.
enum GS1Characters {
    /// The separator between two element strings: GS, which stands for FNC1 in a symbol.
    static let separator: UInt8 = 0x1D

    static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
    private static func isLetter(_ byte: UInt8) -> Bool { byte >= 0x41 && byte <= 0x5A || byte >= 0x61 && byte <= 0x7A }

    /// The 82 characters in the order of their values (GS1 General Specifications, figures 7.9.5-1 and 7.11-1).
    static let set82 = Array(
        "!\"%&'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz".utf8)
    private static let values82: [UInt8?] = {
        var values = [UInt8?](repeating: nil, count: 256)
        for (value, byte) in set82.enumerated() { values[Int(byte)] = UInt8(value) }
        return values
    }()

    /// Returns the value of a character in the set of 82; `nil` if it is not in the set.
    static func value82(_ byte: UInt8) -> Int? { values82[Int(byte)].map(Int.init) }

    /// Indicates whether a character belongs to a set.
    static func contains(_ byte: UInt8, _ set: ApplicationIdentifier.Component.Characters) -> Bool {
        switch set {
        case .numeric: isDigit(byte)
        case .set82: values82[Int(byte)] != nil
        case .set39: isDigit(byte) || byte >= 0x41 && byte <= 0x5A || [0x23, 0x2D, 0x2F].contains(byte)
        case .set64: isDigit(byte) || isLetter(byte) || [0x2D, 0x5F, 0x3D].contains(byte)
        }
    }
}
