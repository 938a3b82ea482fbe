internal import BarcodeCore
internal import ImageCodecs

/// A fault in the bytes of a frame, which is then skipped.
enum FrameFault: Error, Sendable, Hashable {
    /// The driver marked it as damaged.
    case flagged
    /// It has fewer bytes than its rows need.
    case short(bytes: Int, needed: Int)
    /// A JPEG without its start or its end.
    case incompleteJPEG
    /// A JPEG that cannot be decoded.
    case brokenJPEG(String)
}

/// Extracts the luma of a frame, which is the only copy of it.
enum LumaUnpacking {
    /// The largest JPEG that is decoded at full size, in pixels; larger ones are reduced.
    ///
    /// A live decode uses up to a megapixel, so a larger frame still has enough detail at half size.
    static let fullSizePixels = 4_000_000

    /// Checks a frame without reading each pixel.
    ///
    /// - Throws: ``FrameFault``.
    static func check(_ bytes: UnsafeRawBufferPointer, format: CaptureFormat) throws(FrameFault) {
        guard let layout = format.pixelFormat.luma else { return }
        if layout == .compressed {
            guard jpegEnd(of: bytes) != nil else { throw .incompleteJPEG }
            return
        }
        let needed = (format.height - 1) * format.bytesPerLine + format.width * layout.pixelStride
        guard bytes.count >= needed else { throw .short(bytes: bytes.count, needed: needed) }
    }

    /// Returns the luma of a frame, and the factor by which a JPEG was reduced (otherwise 1).
    ///
    /// - Parameter bytes: the bytes that the driver reports as used, not the whole buffer.
    static func unpack(
        _ bytes: UnsafeRawBufferPointer, format: CaptureFormat
    ) throws(FrameFault) -> (image: LumaImage, scale: Int) {
        try check(bytes, format: format)
        let (width, height, stride) = (format.width, format.height, format.bytesPerLine)
        switch format.pixelFormat.luma {
        case .plane, nil:
            return (LumaImage(copying: bytes, width: width, height: height, bytesPerRow: stride), 1)
        case .interleaved(let offset):
            return (
                rows(of: bytes, width: width, height: height, stride: stride) { from, to in
                    for x in 0..<width { to[x] = from[2 * x &+ offset] }
                }, 1
            )
        case .wide(let shift):
            let (down, up) = (UInt8(shift), UInt8(8 - shift))
            return (
                rows(of: bytes, width: width, height: height, stride: stride) { from, to in
                    // In Swift, a shift by eight or more gives zero.
                    for x in 0..<width { to[x] = from[2 * x] >> down | from[2 * x &+ 1] << up }
                }, 1
            )
        case .bayer(let size, let shift):
            let samples = rows(of: bytes, width: width, height: height, stride: stride) { from, to in
                let (down, up) = (UInt8(shift), UInt8(8 - shift))
                for x in 0..<width { to[x] = size == 1 ? from[x] : from[2 * x] >> down | from[2 * x &+ 1] << up }
            }
            return (withoutBayerPattern(samples), 1)
        case .compressed:
            return try decode(bytes)
        }
    }

    /// Returns the means of two by two samples, each of which has a red, two green and a blue one in every order of the
    /// filter, and so is close to luma.
    private static func withoutBayerPattern(_ samples: LumaImage) -> LumaImage {
        let (width, height) = (samples.width, samples.height)
        guard width > 1, height > 1 else { return samples }
        return samples.withUnsafePixels { from in
            LumaImage(width: width, height: height) { to in
                for y in 0..<height {
                    // The last row and column have the block before them, which differs by a pixel at most.
                    let (above, below) = (min(y, height - 2) * width, (min(y, height - 2) + 1) * width)
                    for x in 0..<width {
                        let left = min(x, width - 2)
                        let sum =
                            UInt16(from[above + left]) + UInt16(from[above + left + 1]) + UInt16(from[below + left])
                            + UInt16(from[below + left + 1])
                        to[y * width + x] = UInt8((sum + 2) / 4)
                    }
                }
            }
        }
    }

    @inline(__always)
    private static func rows(
        of bytes: UnsafeRawBufferPointer, width: Int, height: Int, stride: Int,
        copy: (UnsafePointer<UInt8>, UnsafeMutablePointer<UInt8>) -> Void
    ) -> LumaImage {
        LumaImage(width: width, height: height) { target in
            guard let from = bytes.assumingMemoryBound(to: UInt8.self).baseAddress, let to = target.baseAddress else {
                return
            }
            for y in 0..<height { copy(from + y * stride, to + y * width) }
        }
    }

    private static func decode(
        _ bytes: UnsafeRawBufferPointer
    ) throws(FrameFault) -> (image: LumaImage, scale: Int) {
        guard let end = jpegEnd(of: bytes) else { throw .incompleteJPEG }
        let data = UnsafeRawBufferPointer(rebasing: bytes[..<end])
        do throws(DecodeError) {
            let picture = try ImageLoader().load(data, scale: jpegScale(of: data))
            // Many cameras append a few extra bytes to every frame, which damages no pixel; missing rows do.
            guard !picture.isTruncated else { throw DecodeError(.corrupt, picture.damage ?? "is cut off") }
            return (picture.image, picture.scale)
        } catch {
            throw .brokenJPEG(error.message)
        }
    }

    /// Returns the factor to reduce a JPEG by, so that at least a quarter of ``fullSizePixels`` is left.
    private static func jpegScale(of bytes: UnsafeRawBufferPointer) -> Int {
        guard let pixels = jpegSize(of: bytes)?.pixels else { return 1 }
        var scale = 1
        while scale < 8, pixels / (scale * scale) > fullSizePixels { scale *= 2 }
        return scale
    }

    /// Returns the offset after the end marker of a JPEG; `nil` if it lacks its start or end marker.
    ///
    /// Cameras pad the last packet, so some bytes may follow the marker.
    static func jpegEnd(of bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return nil }
        var position = bytes.count - 2
        let first = max(2, bytes.count - 1024)
        while position >= first {
            if bytes[position] == 0xFF, bytes[position + 1] == 0xD9 { return position + 2 }
            position -= 1
        }
        return nil
    }

    /// Returns the size in a JPEG's frame header; `nil` if there is none, or no pixels.
    static func jpegSize(of bytes: UnsafeRawBufferPointer) -> PixelSize? {
        var position = 2
        while position + 9 < bytes.count, bytes[position] == 0xFF {
            let marker = bytes[position + 1]
            if (0xC0...0xCF).contains(marker), marker != 0xC4, marker != 0xC8, marker != 0xCC {
                let height = Int(bytes[position + 5]) << 8 | Int(bytes[position + 6])
                let width = Int(bytes[position + 7]) << 8 | Int(bytes[position + 8])
                return width > 0 && height > 0 ? PixelSize(width: width, height: height) : nil
            }
            position += 2 + (Int(bytes[position + 2]) << 8 | Int(bytes[position + 3]))
        }
        return nil
    }
}
