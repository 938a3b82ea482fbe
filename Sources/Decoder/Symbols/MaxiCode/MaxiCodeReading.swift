public import BarcodeCore

/// A decoded MaxiCode symbol: its message, its modules and its corners.
public struct MaxiCodeReading: Sendable, Hashable {
    /// The decoded message.
    public var message: MaxiCodeMessage
    /// The sampled modules of the upright symbol.
    public var grid: ModuleGrid
    /// The corners of the whole symbol in pixels, in the order of the upright symbol; a mirrored one's run
    /// counterclockwise.
    public var corners: Quadrilateral
    /// Indicates whether the symbol is light on dark.
    public var isInverted: Bool
    /// Indicates whether the symbol is mirrored in the picture.
    public var isMirrored: Bool

    /// The symbology-independent reading.
    public var reading: Reading {
        Reading(
            symbology: .maxiCode, bytes: message.bytes, corners: corners,
            isInverted: isInverted, isMirrored: isMirrored, isReaderProgramming: message.isReaderProgramming,
            errorCorrectionLevel: message.errorCorrectionLevel, correctionUsed: message.correctionUsed,
            modules: ModuleCount(columns: MaxiCodeLayout.columns, rows: MaxiCodeLayout.rows),
            structuredAppend: message.structuredAppend, segments: message.segments)
    }
}
