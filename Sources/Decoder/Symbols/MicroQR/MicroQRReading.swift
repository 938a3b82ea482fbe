public import BarcodeCore

/// A Micro QR or rMQR symbol that was read: its message and where it is.
public struct MicroQRReading: Sendable, Hashable {
    /// What the symbol says; its ``MicroQRMessage/isMirrored`` tells whether the picture shows it mirrored.
    public var message: MicroQRMessage
    /// The corners in pixels, ordered as the upright symbol names them: a mirrored symbol's run anticlockwise.
    public var corners: Quadrilateral
    /// Whether the symbol is light on dark.
    public var isInverted: Bool

    /// Puts the corners of the grid into the symbol's order, as ``QRReading`` does.
    init(_ message: MicroQRMessage, gridCorners: Quadrilateral, isInverted: Bool) {
        corners = gridCorners
        if message.isMirrored { swap(&corners.topRight, &corners.bottomLeft) }
        self.message = message
        self.message.isMirrored = corners.runsAnticlockwise
        self.isInverted = isInverted
    }

    /// The reading as the decoder takes it from any reader.
    ///
    /// The sizes of rMQR have names and no numbers: it has no version.
    public var reading: Reading {
        Reading(
            symbology: message.isRectangular ? .rectangularMicroQRCode : .microQRCode, bytes: message.bytes,
            corners: corners, isGS1: message.isGS1, isAIM: message.isAIM, isInverted: isInverted,
            isMirrored: message.isMirrored, errorCorrectionLevel: message.errorCorrectionLevel?.rawValue,
            version: message.isRectangular ? nil : message.version, modules: message.size,
            segments: message.segments)
    }
}

extension Quadrilateral {
    /// Whether the corners run anticlockwise, as those of a mirrored symbol in its own order do.
    var runsAnticlockwise: Bool {
        let across = (x: topRight.x - topLeft.x, y: topRight.y - topLeft.y)
        let down = (x: bottomLeft.x - topLeft.x, y: bottomLeft.y - topLeft.y)
        return across.x * down.y - across.y * down.x < 0
    }
}
