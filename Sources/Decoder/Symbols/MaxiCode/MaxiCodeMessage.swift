public import BarcodeCore

/// The decoded message of a MaxiCode symbol, and facts about the symbol.
public struct MaxiCodeMessage: Sendable, Hashable {
    /// The message byte for byte.
    ///
    /// In modes 2 and 3 the postal code, the country and the class of service come first, or after the header if the
    /// message begins with `[)>`, RS, `01`, GS and a year; each is followed by GS.
    public var bytes: [UInt8]
    /// The segments of ``bytes``, in order and without gaps.
    public var segments: [Reading.Segment]
    /// The mode: 2 and 3 with a structured carrier message, 4 without, 5 with more error correction, 6 for readers.
    public var mode: Int
    /// The index of the symbol in a structured append of up to eight; `nil` if the message has only this symbol.
    public var structuredAppend: StructuredAppend?
    /// True if the symbol sets a character encoding with an ECI.
    public var hasECI: Bool
    /// The number of corrected codewords.
    public var correctedCodewords: Int
    /// The share of the error correction capacity that was used, 0 to 1; `nil` if there is none or it is unknown.
    public var correctionUsed: Double? = nil

    /// True if the message configures the reader itself (reader programming): mode 6.
    public var isReaderProgramming: Bool { mode == 6 }

    /// The error correction of the secondary message: `EEC` (enhanced) in mode 5, else `SEC` (standard).
    public var errorCorrectionLevel: String { mode == 5 ? "EEC" : "SEC" }

    /// The symbology identifier of ISO/IEC 15424: `]U0`, `]U1` with a structured carrier message, and two more with
    /// ECI.
    public var symbologyIdentifier: String { "]U\((mode == 2 || mode == 3 ? 1 : 0) + (hasECI ? 2 : 0))" }
}
