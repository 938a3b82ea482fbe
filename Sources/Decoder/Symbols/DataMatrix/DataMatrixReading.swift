public import BarcodeCore

/// A decoded Data Matrix symbol: its message, its modules and its corners.
public struct DataMatrixReading: Sendable, Hashable {
    /// The decoded message; its ``DataMatrixMessage/isMirrored`` is true if the symbol is mirrored in the picture.
    public var message: DataMatrixMessage
    /// The sampled modules of the upright symbol.
    public var grid: ModuleGrid
    /// The corners in pixels, in the order of the upright symbol: the solid lines meet at the bottom left.
    ///
    /// The corners of a mirrored symbol run counterclockwise.
    public var corners: Quadrilateral
    /// Indicates whether the symbol is light on dark.
    public var isInverted: Bool

    /// Normalizes the grid and its corners to the upright symbol.
    ///
    /// If the grid was decoded mirrored, its corners ran in the wrong direction. The direction of the corrected
    /// corners determines whether the picture shows a mirrored symbol.
    init(_ message: DataMatrixMessage, grid: ModuleGrid, gridCorners: Quadrilateral, isInverted: Bool) {
        var corners = gridCorners
        if message.isMirrored { swap(&corners.topLeft, &corners.bottomRight) }
        self.message = message
        self.message.isMirrored = corners.runsCounterclockwise
        self.grid = message.isMirrored ? grid.antitransposed() : grid
        self.corners = corners
        self.isInverted = isInverted
    }

    /// The symbology-independent reading.
    public var reading: Reading {
        Reading(
            symbology: .dataMatrix, bytes: message.bytes, corners: corners,
            isGS1: message.isGS1, isAIM: message.isAIM, isInverted: isInverted, isMirrored: message.isMirrored,
            isReaderProgramming: message.isReaderProgramming,
            correctionUsed: message.correctionUsed, modules: message.size, structuredAppend: message.structuredAppend,
            segments: message.segments)
    }
}
