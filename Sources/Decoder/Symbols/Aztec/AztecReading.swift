public import BarcodeCore

/// A decoded Aztec symbol: its message, its modules and its location.
public struct AztecReading: Sendable, Hashable {
    /// The content of the symbol.
    ///
    /// ``AztecMessage/isMirrored`` indicates whether the image shows it mirrored.
    public var message: AztecMessage
    /// The sampled modules, in the orientation of the upright symbol.
    public var grid: ModuleGrid
    /// The corners in pixels, named as in the upright symbol: the corner with three dark orientation marks is the top
    /// left.
    ///
    /// The corners of a mirrored symbol run counterclockwise.
    public var corners: Quadrilateral
    /// True if the symbol is light on dark.
    public var isInverted: Bool

    /// - Parameter corners: the corners of the upright symbol, in either direction in the image.
    init(_ message: AztecMessage, grid: ModuleGrid, corners: Quadrilateral, isInverted: Bool) {
        self.message = message
        self.message.isMirrored = corners.runsCounterclockwise
        self.grid = grid
        self.corners = corners
        self.isInverted = isInverted
    }

    /// The reading in the form that all symbologies share.
    public var reading: Reading {
        Reading(
            symbology: .aztec, bytes: message.bytes, corners: corners, isGS1: message.isGS1, isAIM: message.isAIM,
            isInverted: isInverted, isMirrored: message.isMirrored, isReaderProgramming: message.isReaderProgramming,
            correctionUsed: message.correctionUsed, modules: message.size, structuredAppend: message.structuredAppend,
            segments: message.segments)
    }
}
