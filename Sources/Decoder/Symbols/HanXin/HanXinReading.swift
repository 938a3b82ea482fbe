public import BarcodeCore

/// A Han Xin symbol that was read: its message and where it is.
public struct HanXinReading: Sendable, Hashable {
    /// What the symbol says; its ``HanXinMessage/isMirrored`` tells whether the picture shows it mirrored.
    public var message: HanXinMessage
    /// The corners in pixels, as the upright symbol names them; a mirrored one's run anticlockwise.
    public var corners: Quadrilateral
    /// Whether the symbol is light on dark.
    public var isInverted: Bool

    /// The reading as the decoder takes it from any reader.
    public var reading: Reading {
        let size = 2 * message.version + 21
        return Reading(
            symbology: .hanXin, bytes: message.bytes, corners: corners, isInverted: isInverted,
            isMirrored: message.isMirrored, errorCorrectionLevel: "\(message.level)", version: message.version,
            modules: ModuleCount(columns: size, rows: size), segments: message.segments)
    }
}
