public import BarcodeCore

/// A DotCode symbol that was read: its message and where it is.
public struct DotCodeReading: Sendable, Hashable {
    /// What the symbol says; its ``DotCodeMessage/isMirrored`` tells whether the picture shows it mirrored.
    public var message: DotCodeMessage
    /// The corners in pixels, as the symbol names them whose rows are even in number; a mirrored one's run anticlockwise.
    public var corners: Quadrilateral
    /// Whether the symbol is light on dark.
    public var isInverted: Bool

    /// The reading as the decoder takes it from any reader.
    public var reading: Reading {
        Reading(
            symbology: .dotCode, bytes: message.bytes, corners: corners, isGS1: message.isGS1, isAIM: message.isAIM,
            isInverted: isInverted, isMirrored: message.isMirrored, isReaderProgramming: message.isReaderProgramming,
            modules: message.size, structuredAppend: message.structuredAppend, segments: message.segments)
    }
}
