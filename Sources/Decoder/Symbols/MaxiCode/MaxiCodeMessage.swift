public import BarcodeCore

/// What a MaxiCode symbol says, exactly, and what was learnt of the symbol on the way.
public struct MaxiCodeMessage: Sendable, Hashable {
    /// The message, byte for byte.
    ///
    /// In modes 2 and 3 the postal code, the country and the class of service stand first, or behind the header of a
    /// message that begins with `[)>`, RS, `01`, GS and a year; each is followed by GS.
    public var bytes: [UInt8]
    /// The stretches of ``bytes``, in order and without gaps.
    public var segments: [Reading.Segment]
    /// The mode: 2 and 3 with a structured carrier message, 4 without, 5 with more error correction, 6 for readers.
    public var mode: Int
    /// The symbol's place in a message that is spread over up to eight; nil for a message of its own.
    public var structuredAppend: StructuredAppend?
    /// Whether the symbol names a character set with an ECI.
    public var hasECI: Bool
    /// Codewords that were wrong and have been corrected.
    public var correctedCodewords: Int

    /// Whether the message is for the reader itself: mode 6.
    public var isReaderProgramming: Bool { mode == 6 }

    /// The error correction of the standard that the secondary message has: `EEC` (enhanced) in mode 5, else `SEC`.
    public var errorCorrectionLevel: String { mode == 5 ? "EEC" : "SEC" }

    /// The symbology identifier of ISO/IEC 15424: `]U0`, `]U1` with a structured carrier message, and two more with ECI.
    public var symbologyIdentifier: String { "]U\((mode == 2 || mode == 3 ? 1 : 0) + (hasECI ? 2 : 0))" }
}
