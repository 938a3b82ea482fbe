public import BarcodeCore

/// A decoded DotCode symbol: its message and its corners.
public struct DotCodeReading: Sendable, Hashable {
    /// The decoded message; its ``DotCodeMessage/isMirrored`` is true if the symbol is mirrored in the picture.
    public var message: DotCodeMessage
    /// The corners in pixels, in the orientation with an even number of rows; those of a mirrored symbol run
    /// counterclockwise.
    public var corners: Quadrilateral
    /// Indicates whether the symbol is light on dark.
    public var isInverted: Bool

    /// The symbology-independent reading.
    public var reading: Reading {
        Reading(
            symbology: .dotCode, bytes: message.bytes, corners: corners, isGS1: message.isGS1, isAIM: message.isAIM,
            isInverted: isInverted, isMirrored: message.isMirrored, isReaderProgramming: message.isReaderProgramming,
            correctionUsed: message.correctionUsed, modules: message.size, structuredAppend: message.structuredAppend,
            segments: message.segments)
    }
}
