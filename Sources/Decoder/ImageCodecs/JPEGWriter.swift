public import BarcodeCore
internal import CImages
internal import Glibc

/// Writes images as grayscale JPEG with libjpeg-turbo.
public struct JPEGWriter {
    /// Encodes an image.
    ///
    /// - Parameter quality: libjpeg's quality, 1 to 100; 75 suits camera images, at about a bit per pixel.
    /// - Precondition: both sides are positive.
    /// - Throws: ``DecodeError`` with the code `too_large` for a side above 65,500, and `out_of_memory`.
    public static func encode(_ image: LumaImage, quality: Int = 75) throws(DecodeError) -> [UInt8] {
        precondition(image.width > 0 && image.height > 0, "the picture must have at least one pixel")
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        let status = image.withUnsafePixels { pixels in
            qz_jpeg_encode(
                pixels.baseAddress, image.bytesPerRow, Int64(image.width), Int64(image.height),
                CInt(max(1, min(100, quality))), &bytes, &count)
        }
        defer { free(bytes) }
        switch status {
        case qz_jpeg_ok: return Array(UnsafeBufferPointer(start: bytes, count: count))
        case qz_jpeg_memory: throw .noMemory
        case qz_jpeg_too_large:
            throw DecodeError(.tooLarge, "is \(image.width)x\(image.height), but a side of a JPEG is at most 65500")
        default: throw DecodeError(.unreadable, "could not be encoded as JPEG")
        }
    }
}
