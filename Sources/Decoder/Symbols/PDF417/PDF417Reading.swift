public import BarcodeCore

/// A PDF417 symbol that was read: its message and where it is.
public struct PDF417Reading: Sendable, Hashable {
    /// What the symbol says.
    public var message: PDF417Message
    /// The corners in pixels, ordered as the upright symbol names them, start and stop pattern included; those of a
    /// mirrored symbol run anticlockwise.
    public var corners: Quadrilateral
    /// Whether the symbol is light on dark.
    public var isInverted: Bool
    /// Whether the picture shows the symbol mirrored.
    public var isMirrored: Bool
    /// Whether the symbol is of the compact kind, without right row indicators and with a bar for a stop pattern.
    public var isCompact: Bool

    /// The reading as the decoder takes it from any reader.
    public var reading: Reading {
        Reading(
            symbology: .pdf417, bytes: message.bytes, corners: corners, orientation: corners.orientation,
            isInverted: isInverted, isMirrored: isMirrored, isReaderProgramming: message.isReaderProgramming,
            errorCorrectionLevel: String(message.size.level),
            structuredAppend: message.macro?.structuredAppend, segments: message.segments)
    }
}
