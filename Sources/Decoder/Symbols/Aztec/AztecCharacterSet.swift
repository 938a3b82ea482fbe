/// A character set of Aztec messages, which gives each code its meaning.
///
/// Source: ISO/IEC 24778, table of the character encodings.
enum AztecCharacterSet: Sendable {
    case upper
    case lower
    case mixed
    case punctuation
    case digit

    /// The meaning of a code.
    enum Meaning: Sendable {
        /// One character, or a common pair of characters.
        case characters([UInt8])
        /// A change to another set for all characters that follow.
        case latch(AztecCharacterSet)
        /// A change to another set for the next character only.
        case shift(AztecCharacterSet)
        /// Bytes follow.
        case binaryShift
        /// FNC1 or an ECI follows.
        case flag
    }

    /// The number of bits of a code.
    var codeBits: Int { self == .digit ? 4 : 5 }

    /// Returns the meaning of a code of ``codeBits`` bits.
    func meaning(of code: Int) -> Meaning { meanings[code & (1 << codeBits - 1)] }

    private var meanings: [Meaning] {
        switch self {
        case .upper: Self.upperMeanings
        case .lower: Self.lowerMeanings
        case .mixed: Self.mixedMeanings
        case .punctuation: Self.punctuationMeanings
        case .digit: Self.digitMeanings
        }
    }

    private static func single(_ bytes: some Sequence<UInt8>) -> [Meaning] { bytes.map { .characters([$0]) } }
    private static func single(_ text: String) -> [Meaning] { single(text.utf8) }

    private static let upperMeanings: [Meaning] =
        [.shift(.punctuation)] + single(" ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        + [.latch(.lower), .latch(.mixed), .latch(.digit), .binaryShift]
    private static let lowerMeanings: [Meaning] =
        [.shift(.punctuation)] + single(" abcdefghijklmnopqrstuvwxyz")
        + [.shift(.upper), .latch(.mixed), .latch(.digit), .binaryShift]
    private static let mixedMeanings: [Meaning] =
        [.shift(.punctuation)] + single(" ") + single(1...13) + single(27...31) + single("@\\^_`|~\u{7F}")
        + [.latch(.lower), .latch(.upper), .latch(.punctuation), .binaryShift]
    private static let punctuationMeanings: [Meaning] =
        [.flag] + ["\r", "\r\n", ". ", ", ", ": "].map { .characters(Array($0.utf8)) }
        + single("!\"#$%&'()*+,-./:;<=>?[]{}") + [.latch(.upper)]
    private static let digitMeanings: [Meaning] =
        [.shift(.punctuation)] + single(" 0123456789,.") + [.latch(.upper), .shift(.upper)]
}
