public import BarcodeCore

/// What a DotCode symbol says, exactly, and what was learnt of the symbol on the way.
public struct DotCodeMessage: Sendable, Hashable {
    /// The message, byte for byte.
    ///
    /// FNC1 in the first or second position is left out and stands for GS (0x1D) elsewhere; header and end of a macro are
    /// written out, the place in a structured append is left out.
    public var bytes: [UInt8]
    /// The stretches of ``bytes``, in order and without gaps: one for each character set.
    public var segments: [Reading.Segment]
    /// The places of the symbol, of which every second may have a dot; of the turn in which its rows are even in number.
    public var size: ModuleCount
    /// The mask, 0 to 3.
    public var mask: Int
    /// The symbol's place in a message that is spread over up to 35; nil for a message of its own.
    public var structuredAppend: StructuredAppend?
    /// Whether the message begins with two digits and no FNC1 before them: GS1 element strings.
    public var isGS1: Bool
    /// Whether FNC1 stands in the second position: the message is of an industry's own format.
    public var isAIM: Bool
    /// Whether the message is for the reader itself, to set it up.
    public var isReaderProgramming: Bool
    /// Whether the symbol names a character set with an ECI.
    public var hasECI: Bool
    /// Codewords that were wrong and have been corrected.
    public var correctedCodewords: Int
    /// Whether the grid was mirrored.
    public var isMirrored: Bool

    /// The symbology identifier: `]J0`, for GS1 `]J1`, for an industry's own format `]J2`; three more with ECI.
    public var symbologyIdentifier: String { "]J\((isGS1 ? 1 : isAIM ? 2 : 0) + (hasECI ? 3 : 0))" }
}
