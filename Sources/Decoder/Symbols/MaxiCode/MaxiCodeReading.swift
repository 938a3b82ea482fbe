public import BarcodeCore

/// A MaxiCode symbol that was read: its message, its modules and where it is.
public struct MaxiCodeReading: Sendable, Hashable {
    /// What the symbol says.
    public var message: MaxiCodeMessage
    /// The modules as they were sampled, those of the upright symbol.
    public var grid: ModuleGrid
    /// The corners of the whole symbol in pixels, as the upright symbol names them; a mirrored one's run anticlockwise.
    public var corners: Quadrilateral
    /// Whether the symbol is light on dark.
    public var isInverted: Bool
    /// Whether the picture shows the symbol mirrored.
    public var isMirrored: Bool

    /// The reading as the decoder takes it from any reader.
    public var reading: Reading {
        Reading(
            symbology: .maxiCode, bytes: message.bytes, corners: corners,
            isInverted: isInverted, isMirrored: isMirrored, isReaderProgramming: message.isReaderProgramming,
            errorCorrectionLevel: message.errorCorrectionLevel,
            modules: ModuleCount(columns: MaxiCodeLayout.columns, rows: MaxiCodeLayout.rows),
            structuredAppend: message.structuredAppend, segments: message.segments)
    }
}
