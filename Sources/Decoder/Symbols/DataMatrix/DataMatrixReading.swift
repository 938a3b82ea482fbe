public import BarcodeCore

/// A Data Matrix symbol that was read: its message, its modules and where it is.
public struct DataMatrixReading: Sendable, Hashable {
    /// What the symbol says; its ``DataMatrixMessage/isMirrored`` tells whether the picture shows it mirrored.
    public var message: DataMatrixMessage
    /// The modules as they were sampled, those of the upright symbol.
    public var grid: ModuleGrid
    /// The corners in pixels, ordered as the upright symbol names them: the solid lines meet at the bottom left, and a
    /// mirrored symbol's corners run anticlockwise.
    public var corners: Quadrilateral
    /// Whether the symbol is light on dark.
    public var isInverted: Bool

    /// Puts the grid and its corners into the symbol's order.
    ///
    /// A grid that was read mirrored is one whose corners were taken the wrong way round. Whether the picture shows a
    /// mirrored symbol follows from the way round of the right order.
    init(_ message: DataMatrixMessage, grid: ModuleGrid, gridCorners: Quadrilateral, isInverted: Bool) {
        var corners = gridCorners
        if message.isMirrored { swap(&corners.topLeft, &corners.bottomRight) }
        let across = (x: corners.topRight.x - corners.topLeft.x, y: corners.topRight.y - corners.topLeft.y)
        let down = (x: corners.bottomLeft.x - corners.topLeft.x, y: corners.bottomLeft.y - corners.topLeft.y)
        self.message = message
        self.message.isMirrored = across.x * down.y - across.y * down.x < 0
        self.grid = message.isMirrored ? grid.antitransposed() : grid
        self.corners = corners
        self.isInverted = isInverted
    }

    /// The reading as the decoder takes it from any reader.
    public var reading: Reading {
        Reading(
            symbology: .dataMatrix, bytes: message.bytes, corners: corners,
            isGS1: message.isGS1, isAIM: message.isAIM, isInverted: isInverted, isMirrored: message.isMirrored,
            isReaderProgramming: message.isReaderProgramming,
            modules: message.size, structuredAppend: message.structuredAppend, segments: message.segments)
    }
}
