/// How the segments of a bit stream begin: by which indicator each mode is known, and in how many bits the number of its
/// characters stands.
///
/// QR Code, Micro QR and rMQR encode a segment alike and head it differently. Sources: ISO/IEC 18004, tables "Mode
/// indicators for QR Code" and "Number of bits in character count indicator"; ISO/IEC 23941, the same.
struct QRSegmentFormat: Sendable {
    /// What a segment holds.
    enum Mode: Sendable {
        case numeric, alphanumeric, bytes, kanji, hanzi
        case eci, structuredAppend
        /// FNC1 in the first or second position.
        case firstFNC1, secondFNC1
    }

    /// Bits of a mode indicator.
    let indicatorBits: Int
    /// Zero bits that end the message.
    let terminatorBits: Int
    /// The mode of each indicator; nil for one that is of no mode.
    let modes: [Mode?]
    /// Bits of the number of digits.
    let numericCount: Int
    /// Bits of the number of alphanumeric characters.
    let alphanumericCount: Int
    /// Bits of the number of bytes.
    let byteCount: Int
    /// Bits of the number of Kanji or Hanzi.
    let kanjiCount: Int

    /// That of QR Code.
    ///
    /// - Precondition: `version` is within 1...40.
    static func qrCode(version: Int) -> QRSegmentFormat { ofQRCode[QRVersion.countClass(version)] }

    private static let ofQRCode = [(10, 9, 8, 8), (12, 11, 16, 10), (14, 13, 16, 12)].map { counts in
        QRSegmentFormat(
            indicatorBits: 4, terminatorBits: 4,
            modes: [
                nil, .numeric, .alphanumeric, .structuredAppend, .bytes, .firstFNC1, nil, .eci, .kanji, .secondFNC1,
                nil, nil, nil, .hanzi, nil, nil,
            ],
            numericCount: counts.0, alphanumericCount: counts.1, byteCount: counts.2, kanjiCount: counts.3)
    }
}
