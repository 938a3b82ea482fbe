public import BarcodeCore

/// What an Aztec symbol says, exactly, and what was learnt of the symbol on the way.
public struct AztecMessage: Sendable, Hashable {
    /// The message, byte for byte; of a rune its value in three digits.
    ///
    /// FNC1 in the first or second position is left out and stands for GS (0x1D) elsewhere, and the header of a
    /// structured append is left out.
    public var bytes: [UInt8]
    /// The stretches of ``bytes``, in order and without gaps: one for each character set.
    public var segments: [Reading.Segment]
    /// The modules of the symbol.
    public var size: ModuleCount
    /// The layers of data: 1 to 4 of a compact symbol, 1 to 32 of a full one, 0 of a rune.
    public var layers: Int
    /// Whether the symbol has the smaller bull's-eye.
    public var isCompact: Bool
    /// The symbol's place in a message that is spread over several; nil for a message of its own.
    public var structuredAppend: StructuredAppend?
    /// Whether FNC1 stands in the first position: the message is GS1 element strings.
    public var isGS1: Bool
    /// Whether FNC1 stands in the second position: the message is of an industry's own format.
    public var isAIM: Bool
    /// The AIM application indicator, a letter or two digits, with which the message begins; nil unless ``isAIM``.
    public var applicationIndicator: String?
    /// Whether the message is for the reader itself, to set it up.
    public var isReaderProgramming: Bool
    /// Whether the symbol names a character set with an ECI.
    public var hasECI: Bool
    /// Codewords that were wrong and have been corrected.
    public var correctedCodewords: Int
    /// Whether the grid was mirrored.
    public var isMirrored: Bool

    /// Whether the symbol is a rune, which holds a number of 0 to 255 and nothing else.
    public var isRune: Bool { layers == 0 }

    /// The symbology identifier of ISO/IEC 15424: `]z0`, with FNC1 in the first position `]z1`, in the second `]z2`;
    /// three more with ECI, six more in a structured append; `]zC` for a rune.
    public var symbologyIdentifier: String {
        if isRune { return "]zC" }
        let modifier = (isGS1 ? 1 : isAIM ? 2 : 0) + (hasECI ? 3 : 0) + (structuredAppend != nil ? 6 : 0)
        return "]z" + String(modifier, radix: 16, uppercase: true)
    }
}
