public import BarcodeCore

/// A decoded Han Xin symbol: its message and its corners.
public struct HanXinReading: Sendable, Hashable {
    /// The decoded message; its ``HanXinMessage/isMirrored`` is true if the symbol is mirrored in the picture.
    public var message: HanXinMessage
    /// The corners in pixels, in the order of the upright symbol; those of a mirrored symbol run counterclockwise.
    public var corners: Quadrilateral
    /// Indicates whether the symbol is light on dark.
    public var isInverted: Bool

    /// The symbology-independent reading.
    public var reading: Reading {
        let size = 2 * message.version + 21
        return Reading(
            symbology: .hanXin, bytes: message.bytes, corners: corners, isInverted: isInverted,
            isMirrored: message.isMirrored, errorCorrectionLevel: "\(message.level)",
            correctionUsed: message.correctionUsed, version: message.version,
            modules: ModuleCount(columns: size, rows: size), segments: message.segments)
    }
}
