public import BarcodeCore

/// A decoded QR Code symbol: its message and its outline.
public struct QRReading: Sendable, Hashable {
    /// The message; its ``QRMessage/isMirrored`` tells whether the symbol is mirrored in the image.
    public var message: QRMessage
    /// The corners in pixels, in the order of the upright symbol; those of a mirrored symbol run counterclockwise.
    public var corners: Quadrilateral
    /// True if the symbol is light on dark.
    public var isInverted: Bool

    /// Converts the corners of the grid to the order of the upright symbol.
    ///
    /// If the grid had to be transposed, its corners were in the wrong direction. The direction of the right order
    /// tells whether the symbol is mirrored in the image.
    init(_ message: QRMessage, gridCorners: Quadrilateral, isInverted: Bool) {
        var corners = gridCorners
        if message.isMirrored { swap(&corners.topRight, &corners.bottomLeft) }
        self.message = message
        self.message.isMirrored = corners.runsCounterclockwise
        self.corners = corners
        self.isInverted = isInverted
    }

    /// The symbol as a general reading.
    public var reading: Reading {
        let side = QRVersion.size(message.version)
        return Reading(
            symbology: .qrCode, bytes: message.bytes, corners: corners, isGS1: message.isGS1, isAIM: message.isAIM,
            isInverted: isInverted, isMirrored: message.isMirrored,
            errorCorrectionLevel: message.errorCorrectionLevel.rawValue, correctionUsed: message.correctionUsed,
            version: message.version,
            modules: ModuleCount(columns: side, rows: side), structuredAppend: message.structuredAppend,
            modifier: message.model == 1 ? 0 : nil, segments: message.segments)
    }
}
