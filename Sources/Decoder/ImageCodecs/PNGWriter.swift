public import BarcodeCore
internal import CImages
internal import Glibc

/// Writes images of 8 bits per channel as PNG.
public struct PNGWriter {
    /// Encodes an RGB image: three bytes per pixel, rows from the top without padding.
    ///
    /// - Parameter software: the name of the program, written to a text chunk before the pixels; `nil` for none.
    /// - Precondition: `rgb.count == 3 * width * height`, and both sides are positive.
    /// - Throws: ``DecodeError`` with the code `outOfMemory`, or `unreadable` if libpng fails.
    public static func encode(
        rgb: [UInt8], width: Int, height: Int, software: String? = nil
    ) throws(DecodeError) -> [UInt8] {
        try encode(rgb, width: width, height: height, channels: 3, software: software)
    }

    /// Encodes a grayscale image: one byte per pixel, rows from the top without padding.
    ///
    /// - Precondition: `gray.count == width * height`, and both sides are positive.
    /// - Throws: ``DecodeError`` with the code `outOfMemory`, or `unreadable` if libpng fails.
    public static func encode(gray: [UInt8], width: Int, height: Int) throws(DecodeError) -> [UInt8] {
        try encode(gray, width: width, height: height, channels: 1)
    }

    private static func encode(
        _ pixels: [UInt8], width: Int, height: Int, channels: Int, software: String? = nil
    ) throws(DecodeError) -> [UInt8] {
        precondition(width > 0 && height > 0, "the picture must have at least one pixel")
        precondition(pixels.count == channels * width * height, "the number of pixels must be width times height")
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        let status = pixels.withUnsafeBufferPointer {
            qz_png_encode($0.baseAddress, Int64(width), Int64(height), CInt(channels), software, &bytes, &count)
        }
        defer { free(bytes) }
        switch status {
        case qz_png_ok: return Array(UnsafeBufferPointer(start: bytes, count: count))
        case qz_png_memory: throw .noMemory
        default: throw DecodeError(.unreadable, "could not be encoded as PNG")
        }
    }
}
