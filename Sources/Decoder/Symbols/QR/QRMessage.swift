public import BarcodeCore

/// The exact message of a QR Code symbol and its properties.
public struct QRMessage: Sendable, Hashable {
    /// The message, byte for byte: all segments joined.
    ///
    /// Byte mode is unchanged; numeric and alphanumeric are ASCII; Kanji is Shift_JIS and Hanzi GB 2312, with two
    /// bytes a character. In a symbol with FNC1 an alphanumeric `%` is converted to GS (0x1D) and `%%` to `%`. An
    /// AIM application indicator is the first one or two bytes, as ISO/IEC 18004 specifies for transmission.
    public var bytes: [UInt8]
    /// The segments of ``bytes``, in order and without gaps; a Hanzi segment is a byte segment with ECI 29.
    public var segments: [Reading.Segment]
    /// The version, 1 to 40.
    public var version: Int
    /// The error correction level.
    public var errorCorrectionLevel: QRErrorCorrectionLevel
    /// The number of the mask, 0 to 7.
    public var mask: Int
    /// The index of the symbol in a message spread over several; `nil` for a single symbol.
    public var structuredAppend: StructuredAppend?
    /// True if FNC1 is in the first position: the message is GS1 element strings.
    public var isGS1: Bool
    /// True if FNC1 is in the second position: the message has an industry-specific format.
    public var isAIM: Bool
    /// The AIM application indicator, a letter or two digits; `nil` unless ``isAIM``.
    public var applicationIndicator: String?
    /// True if the symbol specifies a character set with an ECI header.
    public var hasECI: Bool
    /// The number of wrong codewords that were corrected.
    public var correctedCodewords: Int
    /// The share of the error correction capacity that was used, 0 to 1; `nil` if there is none or it is unknown.
    public var correctionUsed: Double? = nil
    /// True if the grid was mirrored along its diagonal.
    public var isMirrored: Bool
    /// The model of QR Code, 1 or 2; encoders of today draw model 2.
    public var model = 2

    /// The symbology identifier of ISO/IEC 15424: `]Q1`, or `]Q2` with ECI; `]Q3` and `]Q4` with FNC1 in the first
    /// position, `]Q5` and `]Q6` in the second.
    ///
    /// `]Q0` is model 1, whatever its message.
    public var symbologyIdentifier: String {
        model == 1 ? "]Q0" : Self.symbologyIdentifier(isGS1: isGS1, isAIM: isAIM, hasECI: hasECI)
    }

    static func symbologyIdentifier(isGS1: Bool, isAIM: Bool, hasECI: Bool) -> String {
        let base = isGS1 ? 3 : isAIM ? 5 : 1
        return "]Q\(base + (hasECI ? 1 : 0))"
    }
}

extension QRMessage {
    /// The message of an upright symbol.
    init(_ contents: QRContents, model: Int, version: Int, format: QRFormatInformation) {
        let parser = contents.parser
        self.init(
            bytes: parser.bytes, segments: parser.segments, version: version, errorCorrectionLevel: format.level,
            mask: format.mask, structuredAppend: parser.structuredAppend, isGS1: parser.isGS1, isAIM: parser.isAIM,
            applicationIndicator: parser.applicationIndicator, hasECI: parser.hasECI,
            correctedCodewords: contents.correction.codewords, correctionUsed: contents.correction.used,
            isMirrored: false, model: model)
    }
}
