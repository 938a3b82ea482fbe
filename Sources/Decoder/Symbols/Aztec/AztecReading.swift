public import BarcodeCore

/// An Aztec symbol that was read: its message, its modules and where it is.
public struct AztecReading: Sendable, Hashable {
    /// What the symbol says; its ``AztecMessage/isMirrored`` tells whether the picture shows it mirrored.
    public var message: AztecMessage
    /// The modules as they were sampled, those of the upright symbol.
    public var grid: ModuleGrid
    /// The corners in pixels, ordered as the upright symbol names them: three orientation marks are dark at the top
    /// left, and a mirrored symbol's corners run anticlockwise.
    public var corners: Quadrilateral
    /// Whether the symbol is light on dark.
    public var isInverted: Bool

    /// - Parameter corners: of the upright symbol, whichever way round they run in the picture.
    init(_ message: AztecMessage, grid: ModuleGrid, corners: Quadrilateral, isInverted: Bool) {
        let across = (x: corners.topRight.x - corners.topLeft.x, y: corners.topRight.y - corners.topLeft.y)
        let down = (x: corners.bottomLeft.x - corners.topLeft.x, y: corners.bottomLeft.y - corners.topLeft.y)
        self.message = message
        self.message.isMirrored = across.x * down.y - across.y * down.x < 0
        self.grid = grid
        self.corners = corners
        self.isInverted = isInverted
    }

    /// The reading as the decoder takes it from any reader.
    public var reading: Reading {
        Reading(
            symbology: .aztec, bytes: message.bytes, corners: corners, isGS1: message.isGS1, isAIM: message.isAIM,
            isInverted: isInverted, isMirrored: message.isMirrored, isReaderProgramming: message.isReaderProgramming,
            modules: message.size, structuredAppend: message.structuredAppend, segments: message.segments)
    }
}
