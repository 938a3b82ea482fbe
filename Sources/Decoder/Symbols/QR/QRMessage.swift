public import BarcodeCore

/// What a QR Code symbol says, exactly, and what was learnt of the symbol on the way.
public struct QRMessage: Sendable, Hashable {
    /// The message, byte for byte: all segments joined.
    ///
    /// Byte mode as it stands; numeric and alphanumeric as ASCII; Kanji as Shift_JIS and Hanzi as GB 2312, two bytes a
    /// character. In a symbol with FNC1 the alphanumeric `%` has become GS (0x1D) and `%%` a `%`. An AIM application
    /// indicator is the first one or two bytes, as ISO/IEC 18004 has it transmitted.
    public var bytes: [UInt8]
    /// The stretches of ``bytes``, in order and without gaps; a Hanzi segment is of bytes with the ECI 29.
    public var segments: [Reading.Segment]
    /// The version, 1 to 40.
    public var version: Int
    /// The error correction level.
    public var errorCorrectionLevel: QRErrorCorrectionLevel
    /// The number of the mask, 0 to 7.
    public var mask: Int
    /// The symbol's place in a message that is spread over several; nil for a message of its own.
    public var structuredAppend: StructuredAppend?
    /// Whether FNC1 stands in the first position: the message is GS1 element strings.
    public var isGS1: Bool
    /// Whether FNC1 stands in the second position: the message is of an industry's own format.
    public var isAIM: Bool
    /// The AIM application indicator, a letter or two digits; nil unless ``isAIM``.
    public var applicationIndicator: String?
    /// Whether the symbol names a character set with an ECI header.
    public var hasECI: Bool
    /// Codewords that were wrong and have been corrected.
    public var correctedCodewords: Int
    /// Whether the grid was mirrored along its diagonal.
    public var isMirrored: Bool

    /// The symbology identifier of ISO/IEC 15424: `]Q1`, and `]Q2` with ECI; `]Q3` and `]Q4` with FNC1 in the first
    /// position, `]Q5` and `]Q6` in the second.
    ///
    /// `]Q0`, model 1, does not occur: its codewords are placed otherwise and it is not read.
    public var symbologyIdentifier: String {
        Self.symbologyIdentifier(isGS1: isGS1, isAIM: isAIM, hasECI: hasECI)
    }

    static func symbologyIdentifier(isGS1: Bool, isAIM: Bool, hasECI: Bool) -> String {
        let base = isGS1 ? 3 : isAIM ? 5 : 1
        return "]Q\(base + (hasECI ? 1 : 0))"
    }
}
