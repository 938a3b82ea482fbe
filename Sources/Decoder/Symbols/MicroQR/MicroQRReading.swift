public import BarcodeCore

/// A decoded Micro QR or rMQR symbol: its message and its outline.
public struct MicroQRReading: Sendable, Hashable {
    /// The message; its ``MicroQRMessage/isMirrored`` tells whether the symbol is mirrored in the image.
    public var message: MicroQRMessage
    /// The corners in pixels, in the order of the upright symbol; those of a mirrored symbol run counterclockwise.
    public var corners: Quadrilateral
    /// True if the symbol is light on dark.
    public var isInverted: Bool

    /// Converts the corners of the grid to the order of the upright symbol, as ``QRReading`` does.
    init(_ message: MicroQRMessage, gridCorners: Quadrilateral, isInverted: Bool) {
        corners = gridCorners
        if message.isMirrored { swap(&corners.topRight, &corners.bottomLeft) }
        self.message = message
        self.message.isMirrored = corners.runsCounterclockwise
        self.isInverted = isInverted
    }

    /// The symbol as a general reading.
    ///
    /// The sizes of rMQR have names but no numbers, so it has no version.
    public var reading: Reading {
        Reading(
            symbology: message.isRectangular ? .rectangularMicroQRCode : .microQRCode, bytes: message.bytes,
            corners: corners, isGS1: message.isGS1, isAIM: message.isAIM, isInverted: isInverted,
            isMirrored: message.isMirrored, errorCorrectionLevel: message.errorCorrectionLevel?.rawValue,
            correctionUsed: message.correctionUsed, version: message.isRectangular ? nil : message.version,
            modules: message.size,
            segments: message.segments)
    }
}
