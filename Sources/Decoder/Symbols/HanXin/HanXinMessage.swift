public import BarcodeCore

/// What a Han Xin symbol says, exactly, and what was learnt of the symbol on the way.
public struct HanXinMessage: Sendable, Hashable {
    /// The message, byte for byte; what the Chinese modes hold is GB 18030.
    public var bytes: [UInt8]
    /// The stretches of ``bytes``, in order and without gaps: one for each character set.
    public var segments: [Reading.Segment]
    /// The version, 1 to 84.
    public var version: Int
    /// The level of error correction, 1 to 4.
    public var level: Int
    /// The mask, 0 to 3.
    public var mask: Int
    /// Whether the symbol names a character set with an ECI.
    public var hasECI: Bool
    /// Codewords that were wrong and have been corrected.
    public var correctedCodewords: Int
    /// Whether the grid was mirrored.
    public var isMirrored: Bool

    /// The symbology identifier of ISO/IEC 15424: `]h0`, with ECI `]h1`.
    public var symbologyIdentifier: String { hasECI ? "]h1" : "]h0" }
}
