public import BarcodeCore

/// The decoded message of a Han Xin symbol, and facts about the symbol.
public struct HanXinMessage: Sendable, Hashable {
    /// The message byte for byte; the Chinese modes encode GB 18030.
    public var bytes: [UInt8]
    /// The segments of ``bytes``, in order and without gaps: one for each character encoding.
    public var segments: [Reading.Segment]
    /// The version, 1 to 84.
    public var version: Int
    /// The error correction level, 1 to 4.
    public var level: Int
    /// The mask, 0 to 3.
    public var mask: Int
    /// True if the symbol sets a character encoding with an ECI.
    public var hasECI: Bool
    /// The number of corrected codewords.
    public var correctedCodewords: Int
    /// The share of the error correction capacity that was used, 0 to 1; `nil` if there is none or it is unknown.
    public var correctionUsed: Double? = nil
    /// True if the grid was mirrored.
    public var isMirrored: Bool

    /// The symbology identifier of ISO/IEC 15424: `]h0`, with ECI `]h1`.
    public var symbologyIdentifier: String { hasECI ? "]h1" : "]h0" }
}
