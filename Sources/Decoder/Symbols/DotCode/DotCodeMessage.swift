public import BarcodeCore

/// The decoded message of a DotCode symbol, and facts about the symbol.
public struct DotCodeMessage: Sendable, Hashable {
    /// The message byte for byte.
    ///
    /// FNC1 in the first or second position is left out; elsewhere it is GS (0x1D). The header and the trailer of a
    /// macro are included; the structured append characters are left out.
    public var bytes: [UInt8]
    /// The segments of ``bytes``, in order and without gaps: one for each character encoding.
    public var segments: [Reading.Segment]
    /// The number of dot positions, every second of which may have a dot, in the orientation with an even number of
    /// rows.
    public var size: ModuleCount
    /// The mask, 0 to 3.
    public var mask: Int
    /// The index of the symbol in a structured append of up to 35; `nil` if the message has only this symbol.
    public var structuredAppend: StructuredAppend?
    /// True if the message begins with two digits without FNC1 before them: it is GS1 element strings.
    public var isGS1: Bool
    /// True if FNC1 is in the second position: the message has an industry-specific format.
    public var isAIM: Bool
    /// True if the message configures the reader itself (reader programming).
    public var isReaderProgramming: Bool
    /// True if the symbol sets a character encoding with an ECI.
    public var hasECI: Bool
    /// The number of corrected codewords.
    public var correctedCodewords: Int
    /// The share of the error correction capacity that was used, 0 to 1; `nil` if there is none or it is unknown.
    public var correctionUsed: Double? = nil
    /// True if the grid was mirrored.
    public var isMirrored: Bool

    /// The symbology identifier: `]J0`, for GS1 `]J1`, for an industry-specific format `]J2`; three more with ECI.
    public var symbologyIdentifier: String { "]J\((isGS1 ? 1 : isAIM ? 2 : 0) + (hasECI ? 3 : 0))" }
}
