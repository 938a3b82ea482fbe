/// The meaning of a codeword in one of MaxiCode's five code sets.
enum MaxiCodeSymbol {
    case byte(UInt8)
    /// Shifts to another set for one character.
    case shift(MaxiCodeCodeSet)
    /// Shifts to set A for two or three characters.
    case shiftA(Int)
    /// Latches another set.
    case latch(MaxiCodeCodeSet)
    /// Latches the set that was shifted to.
    case lockIn
    /// An ECI number follows.
    case eci
    /// Nine digits follow in five codewords.
    case number
    case pad
}

/// One of the five code sets of MaxiCode.
///
/// Source: ISO/IEC 16023, annex A; byte values are those of ISO/IEC 8859-1.
enum MaxiCodeCodeSet: Int {
    case a
    case b
    case c
    case d
    case e

    /// Returns the meaning of a codeword.
    ///
    /// - Precondition: `codeword` is below 64.
    func symbol(_ codeword: UInt8) -> MaxiCodeSymbol { Self.tables[rawValue][Int(codeword)] }

    private static let tables: [[MaxiCodeSymbol]] = [tableA, tableB, tableC, tableD, tableE]

    private static func run(_ range: ClosedRange<UInt8>) -> [MaxiCodeSymbol] { range.map { .byte($0) } }
    private static func list(_ bytes: UInt8...) -> [MaxiCodeSymbol] { bytes.map { .byte($0) } }
    private static func text(_ characters: String) -> [MaxiCodeSymbol] { characters.utf8.map { .byte($0) } }

    /// Long sums of arrays take the compiler too long.
    private static func table(_ parts: [MaxiCodeSymbol]...) -> [MaxiCodeSymbol] { parts.flatMap { $0 } }

    /// The codewords 27 to 31 of all sets except E: ECI, the separators FS, GS and RS, a number.
    private static let middle: [MaxiCodeSymbol] = [.eci] + run(0x1C...0x1E) + [.number]

    private static let tableA = table(
        list(0x0D), text("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), middle, text(" "), [.pad],
        text("\"#$%&'()*+,-./0123456789:"), [.shift(.b), .shift(.c), .shift(.d), .shift(.e), .latch(.b)])

    private static let tableB = table(
        text("`abcdefghijklmnopqrstuvwxyz"), middle, text("{"), [.pad], text("}~\u{7F};<=>?[\\]^_ ,./:@!|"),
        [.pad, .shiftA(2), .shiftA(3), .pad, .shift(.a), .shift(.c), .shift(.d), .shift(.e), .latch(.a)])

    private static let tableC = table(
        run(0xC0...0xDA), middle, run(0xDB...0xDF),
        list(0xAA, 0xAC, 0xB1, 0xB2, 0xB3, 0xB5, 0xB9, 0xBA, 0xBC, 0xBD, 0xBE), run(0x80...0x89),
        [.latch(.a), .byte(0x20), .lockIn, .shift(.d), .shift(.e), .latch(.b)])

    private static let tableD = table(
        run(0xE0...0xFA), middle, run(0xFB...0xFF),
        list(0xA1, 0xA8, 0xAB, 0xAF, 0xB0, 0xB4, 0xB7, 0xB8, 0xBB, 0xBF, 0x8A), run(0x8B...0x94),
        [.latch(.a), .byte(0x20), .shift(.c), .lockIn, .shift(.e), .latch(.b)])

    private static let tableE = table(
        run(0x00...0x1A), [.eci, .pad, .pad, .byte(0x1B), .number], run(0x1C...0x1F),
        list(0x9F, 0xA0, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA9, 0xAD, 0xAE, 0xB6), run(0x95...0x9E),
        [.latch(.a), .byte(0x20), .shift(.c), .shift(.d), .lockIn, .latch(.b)])
}
