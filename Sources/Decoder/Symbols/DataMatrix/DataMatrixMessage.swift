public import BarcodeCore

/// What a Data Matrix symbol says, exactly, and what was learnt of the symbol on the way.
public struct DataMatrixMessage: Sendable, Hashable {
    /// The message, byte for byte, in all encodations joined.
    ///
    /// FNC1 in the first or second position is left out and stands for GS (0x1D) elsewhere. The header and the trailer
    /// that a macro codeword stands for are part of the message, as ISO/IEC 16022 has them transmitted.
    public var bytes: [UInt8]
    /// The stretches of ``bytes``, in order and without gaps; those of Base 256, and those with bytes above 127, are
    /// of bytes.
    public var segments: [Reading.Segment]
    /// The modules of the symbol, upright.
    public var size: ModuleCount
    /// The symbol's place in a message that is spread over several; nil for a message of its own.
    ///
    /// Its identifier is the file identifier: two codewords of 1 to 254, the first times 256 plus the second.
    public var structuredAppend: StructuredAppend?
    /// Whether FNC1 stands in the first position: the message is GS1 element strings.
    public var isGS1: Bool
    /// Whether FNC1 stands in the second position: the message is of an industry's own format.
    public var isAIM: Bool
    /// The AIM application indicator, a letter or two digits, with which the message begins; nil unless ``isAIM``.
    public var applicationIndicator: String?
    /// Whether the message is for the reader itself, to set it up.
    public var isReaderProgramming: Bool
    /// Whether the symbol names a character set with an ECI codeword.
    public var hasECI: Bool
    /// Codewords that were wrong and have been corrected.
    public var correctedCodewords: Int
    /// Whether the grid was mirrored along the diagonal from its bottom left to its top right.
    public var isMirrored: Bool

    /// The symbology identifier of ISO/IEC 15424: `]d1`, with FNC1 in the first position `]d2`, in the second `]d3`;
    /// `]d4` to `]d6` are the same with ECI.
    ///
    /// `]d0`, of the older kinds ECC 000 to ECC 140, does not occur: they are not read.
    public var symbologyIdentifier: String {
        let base = isGS1 ? 2 : isAIM ? 3 : 1
        return "]d\(base + (hasECI ? 3 : 0))"
    }
}
