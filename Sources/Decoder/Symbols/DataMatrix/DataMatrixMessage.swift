public import BarcodeCore

/// The decoded message of a Data Matrix symbol, and facts about the symbol.
public struct DataMatrixMessage: Sendable, Hashable {
    /// The message byte for byte, from all encodations.
    ///
    /// FNC1 in the first or second position is left out; elsewhere it is GS (0x1D). The message includes the header
    /// and the trailer that a macro codeword stands for, as ISO/IEC 16022 has them transmitted.
    public var bytes: [UInt8]
    /// The segments of ``bytes``, in order and without gaps.
    ///
    /// Base 256 segments and segments with bytes above 127 are binary.
    public var segments: [Reading.Segment]
    /// The number of modules of the upright symbol.
    public var size: ModuleCount
    /// The index of the symbol in a structured append; `nil` if the message has only this symbol.
    ///
    /// Its identifier is the file identifier: two codewords of 1 to 254, the first times 256 plus the second.
    public var structuredAppend: StructuredAppend?
    /// True if FNC1 is in the first position: the message is GS1 element strings.
    public var isGS1: Bool
    /// True if FNC1 is in the second position: the message has an industry-specific format.
    public var isAIM: Bool
    /// The AIM application indicator at the start of the message, a letter or two digits; `nil` unless ``isAIM``.
    public var applicationIndicator: String?
    /// True if the message configures the reader itself (reader programming).
    public var isReaderProgramming: Bool
    /// True if the symbol sets a character encoding with an ECI codeword.
    public var hasECI: Bool
    /// The number of corrected codewords.
    public var correctedCodewords: Int
    /// The share of the error correction capacity that was used, 0 to 1; `nil` if there is none or it is unknown.
    public var correctionUsed: Double? = nil
    /// True if the grid was mirrored along the diagonal from its bottom left to its top right.
    public var isMirrored: Bool

    /// The symbology identifier of ISO/IEC 15424: `]d1`, with FNC1 in the first position `]d2`, in the second `]d3`.
    ///
    /// With ECI these become `]d4` to `]d6`.
    ///
    /// `]d0`, for ECC 000 to ECC 140, does not occur: these older symbols are not supported.
    public var symbologyIdentifier: String {
        let base = isGS1 ? 2 : isAIM ? 3 : 1
        return "]d\(base + (hasECI ? 3 : 0))"
    }
}
