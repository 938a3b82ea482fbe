public import BarcodeCore

/// The exact message of a MicroPDF417 symbol and its properties.
public struct MicroPDF417Message: Sendable, Hashable {
    /// The kind of Code 128 symbol that a message emulates (ISO/IEC 24728, 5.4.1.5).
    public enum Emulation: Sendable, Hashable {
        /// FNC1 in the first position: GS1 element strings.
        case gs1
        /// FNC1 after an application indicator, with which the message begins.
        case application
        /// Without FNC1.
        case plain
    }

    /// The message, byte for byte.
    public var bytes: [UInt8]
    /// The segments of ``bytes``, in order and without gaps; those of byte compaction are bytes, not text.
    public var segments: [Reading.Segment]
    /// The numbers of rows and columns of codewords.
    public var size: MicroPDF417Size
    /// The index of the symbol in a message spread over several (structured append); `nil` for a single symbol.
    public var macro: PDF417Message.Macro?
    /// The kind of Code 128 symbol that the message emulates; `nil` for none.
    public var emulation: Emulation?
    /// True if the message is a command to the reader.
    public var isReaderProgramming: Bool
    /// The number of wrong or unread codewords that were corrected.
    public var correctedCodewords: Int
    /// The share of the error correction capacity that was used, 0 to 1; `nil` if there is none or it is unknown.
    public var correctionUsed: Double? = nil

    /// The symbology identifier of ISO/IEC 15424: `]L3` to `]L5` if the message emulates Code 128, `]L1` with ECI,
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

/// A decoded MicroPDF417 symbol: its message and its outline.
public struct MicroPDF417Reading: Sendable, Hashable {
    /// The message.
    public var message: MicroPDF417Message
    /// The corners in pixels, in the order of the upright symbol; those of a mirrored symbol run counterclockwise.
    public var corners: Quadrilateral
    /// True if the symbol is light on dark.
    public var isInverted: Bool
    /// True if the symbol is mirrored in the image.
    public var isMirrored: Bool

    /// The symbol as a general reading.
    public var reading: Reading {
        var reading = Reading(
            symbology: .microPDF417, bytes: message.bytes, corners: corners, orientation: corners.orientation,
            isGS1: message.emulation == .gs1, isAIM: message.emulation == .application, isInverted: isInverted,
            isMirrored: isMirrored, isReaderProgramming: message.isReaderProgramming,
            correctionUsed: message.correctionUsed,
            structuredAppend: message.macro?.structuredAppend, segments: message.segments)
        reading.modulesAcross = message.size.width
        return reading
    }
}
