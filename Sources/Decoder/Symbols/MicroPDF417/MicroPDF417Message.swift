public import BarcodeCore

/// What a MicroPDF417 symbol says, exactly, and what was learnt of the symbol on the way.
public struct MicroPDF417Message: Sendable, Hashable {
    /// What Code 128 symbol a message is to be taken for (ISO/IEC 24728, 5.4.1.5).
    public enum Emulation: Sendable, Hashable {
        /// FNC1 in the first position: GS1 element strings.
        case gs1
        /// FNC1 behind an application indicator, with which the message begins.
        case application
        /// Without FNC1.
        case plain
    }

    /// The message, byte for byte.
    public var bytes: [UInt8]
    /// The stretches of ``bytes``, in order and without gaps; those of byte compaction are of bytes.
    public var segments: [Reading.Segment]
    /// Rows and columns of codewords.
    public var size: MicroPDF417Size
    /// The symbol's place in a message that is spread over several; nil for a message of its own.
    public var macro: PDF417Message.Macro?
    /// What Code 128 symbol the message is to be taken for; nil for none.
    public var emulation: Emulation?
    /// Whether the message is for the reader itself, to set it up.
    public var isReaderProgramming: Bool
    /// Codewords that were wrong or not read, and have been corrected.
    public var correctedCodewords: Int

    /// The symbology identifier of ISO/IEC 15424: `]L3` to `]L5` for what is to be taken for Code 128, `]L1` with ECI,
    /// else `]L2`.
    public var symbologyIdentifier: String {
        switch emulation {
        case .gs1: "]L3"
        case .application: "]L4"
        case .plain: "]L5"
        case nil: segments.contains { $0.eci != nil } ? "]L1" : "]L2"
        }
    }
}

/// A MicroPDF417 symbol that was read: its message and where it is.
public struct MicroPDF417Reading: Sendable, Hashable {
    /// What the symbol says.
    public var message: MicroPDF417Message
    /// The corners in pixels, ordered as the upright symbol names them; those of a mirrored symbol run anticlockwise.
    public var corners: Quadrilateral
    /// Whether the symbol is light on dark.
    public var isInverted: Bool
    /// Whether the picture shows the symbol mirrored.
    public var isMirrored: Bool

    /// The reading as the decoder takes it from any reader.
    public var reading: Reading {
        Reading(
            symbology: .microPDF417, bytes: message.bytes, corners: corners, orientation: corners.orientation,
            isGS1: message.emulation == .gs1, isAIM: message.emulation == .application, isInverted: isInverted,
            isMirrored: isMirrored, isReaderProgramming: message.isReaderProgramming,
            structuredAppend: message.macro?.structuredAppend, segments: message.segments)
    }
}
