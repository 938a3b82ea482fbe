/// The format of the segments of a bit stream: the mode indicators, and the lengths of the character counts.
///
/// QR Code, Micro QR and rMQR encode segments alike but have different headers. Sources: ISO/IEC 18004, tables "Mode
/// indicators for QR Code" and "Number of bits in character count indicator"; ISO/IEC 23941, the same.
struct QRSegmentFormat: Sendable {
    /// The mode of a segment.
    enum Mode: Sendable {
        case numeric, alphanumeric, bytes, kanji, hanzi
        case eci, structuredAppend
        /// FNC1 in the first or second position.
        case firstFNC1, secondFNC1
    }

    /// The length of a mode indicator, in bits.
    let indicatorBits: Int
    /// The number of zero bits that end the message.
    let terminatorBits: Int
    /// The mode of each indicator; `nil` for an unused one.
    let modes: [Mode?]
    /// The length of the number of digits, in bits.
    let numericCount: Int
    /// The length of the number of alphanumeric characters, in bits.
    let alphanumericCount: Int
    /// The length of the number of bytes, in bits.
    let byteCount: Int
    /// The length of the number of Kanji or Hanzi, in bits.
    let kanjiCount: Int
    /// The number of bits before the first segment.
    private(set) var unusedBits = 0

    /// Returns the same format for a bit stream that begins with unused bits.
    func afterUnusedBits(_ count: Int) -> QRSegmentFormat {
        var format = self
        format.unusedBits = count
        return format
    }

    /// Returns the format of QR Code.
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
