public import BarcodeCore

/// The content of an Aztec symbol, with properties of the symbol that the decoder found.
public struct AztecMessage: Sendable, Hashable {
    /// The message, byte for byte.
    ///
    /// For a rune, its value in three digits.
    ///
    /// FNC1 in the first or second position and the header of a structured append are left out. FNC1 elsewhere is a GS
    /// (0x1D).
    public var bytes: [UInt8]
    /// The segments of ``bytes``, in order and without gaps: one for each character encoding.
    public var segments: [Reading.Segment]
    /// The number of columns and rows of modules.
    public var size: ModuleCount
    /// The number of data layers: 1 to 4 for a compact symbol, 1 to 32 for a full one, 0 for a rune.
    public var layers: Int
    /// True if the symbol has the smaller bull's-eye.
    public var isCompact: Bool
    /// The symbol's position in a structured append; `nil` if the message is complete in one symbol.
    public var structuredAppend: StructuredAppend?
    /// True if FNC1 is in the first position: the message consists of GS1 element strings.
    public var isGS1: Bool
    /// True if FNC1 is in the second position: the message has an industry-specific format.
    public var isAIM: Bool
    /// The AIM application indicator at the start of the message: a letter or two digits.
    ///
    /// `nil` unless ``isAIM``.
    public var applicationIndicator: String?
    /// True if the message configures the reader (reader programming).
    public var isReaderProgramming: Bool
    /// True if an ECI gives the character encoding.
    public var hasECI: Bool
    /// The number of codewords that error correction changed.
    public var correctedCodewords: Int
    /// The share of the error correction capacity that was used, 0 to 1; `nil` if there is none or it is unknown.
    public var correctionUsed: Double? = nil
    /// True if the grid was mirrored.
    public var isMirrored: Bool

    /// True if the symbol is a rune, which holds only a number from 0 to 255.
    public var isRune: Bool { layers == 0 }

    /// The symbology identifier of ISO/IEC 15424: `]z0`, or `]z1` with FNC1 in the first position, or `]z2` with FNC1
    /// in the second.
    ///
    /// An ECI adds three to the digit and a structured append six. A rune is `]zC`.
    public var symbologyIdentifier: String {
        if isRune { return "]zC" }
        let modifier = (isGS1 ? 1 : isAIM ? 2 : 0) + (hasECI ? 3 : 0) + (structuredAppend != nil ? 6 : 0)
        return "]z" + String(modifier, radix: 16, uppercase: true)
    }
}
