public import BarcodeCore

/// A symbol that was read: its message and where it is.
public struct QRReading: Sendable, Hashable {
    /// What the symbol says; its ``QRMessage/isMirrored`` tells whether the picture shows the symbol mirrored.
    public var message: QRMessage
    /// The corners in pixels, ordered as the upright symbol names them: a mirrored symbol's run anticlockwise.
    public var corners: Quadrilateral
    /// Whether the symbol is light on dark.
    public var isInverted: Bool

    /// Puts the corners of the grid into the symbol's order.
    ///
    /// A grid that had to be transposed is one whose corners were taken the wrong way round. Whether the picture shows
    /// a mirrored symbol follows from the way round of the right order.
    init(_ message: QRMessage, gridCorners: Quadrilateral, isInverted: Bool) {
        var corners = gridCorners
        if message.isMirrored { swap(&corners.topRight, &corners.bottomLeft) }
        self.message = message
        self.message.isMirrored = corners.runsAnticlockwise
        self.corners = corners
        self.isInverted = isInverted
    }

    /// The reading as the decoder takes it from any reader.
    public var reading: Reading {
        let side = QRVersion.size(message.version)
        return Reading(
            symbology: .qrCode, bytes: message.bytes, corners: corners, isGS1: message.isGS1, isAIM: message.isAIM,
            isInverted: isInverted, isMirrored: message.isMirrored,
            errorCorrectionLevel: message.errorCorrectionLevel.rawValue, version: message.version,
            modules: ModuleCount(columns: side, rows: side), structuredAppend: message.structuredAppend,
            segments: message.segments)
    }
}
