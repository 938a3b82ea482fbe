public import BarcodeCore

/// A decoded PDF417 symbol: its message and its outline.
public struct PDF417Reading: Sendable, Hashable {
    /// The message.
    public var message: PDF417Message
    /// The corners in pixels, including the start and stop patterns, in the order of the upright symbol; those of a
    /// mirrored symbol run counterclockwise.
    public var corners: Quadrilateral
    /// True if the symbol is light on dark.
    public var isInverted: Bool
    /// True if the symbol is mirrored in the image.
    public var isMirrored: Bool
    /// True for a compact symbol, which has no right row indicators and a single bar as its stop pattern.
    public var isCompact: Bool

    /// The symbol as a general reading.
    public var reading: Reading {
        var reading = Reading(
            symbology: .pdf417, bytes: message.bytes, corners: corners, orientation: corners.orientation,
            isInverted: isInverted, isMirrored: isMirrored, isReaderProgramming: message.isReaderProgramming,
            errorCorrectionLevel: String(message.size.level), correctionUsed: message.correctionUsed,
            structuredAppend: message.macro?.structuredAppend, segments: message.segments)
        // Start pattern, row indicators and stop pattern take 69 modules; a compact symbol has no right indicator and
        // a stop pattern of one module.
        reading.modulesAcross = PDF417Patterns.width * message.size.columns + (isCompact ? 35 : 69)
        return reading
    }
}
