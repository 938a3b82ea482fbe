internal import BarcodeCore
internal import ImageCodecs

/// What is wrong with the bytes of one frame, so that it is left out.
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

/// Takes the luma out of a frame: the only copy that is made of it.
enum LumaUnpacking {
    /// The most pixels that a JPEG is decoded to before it is halved.
    ///
    /// A live look goes up to a megapixel, so that a frame of this many still has all that it can use when halved.
    static let fullSizePixels = 4_000_000

    /// Checks what can be told without looking at each pixel.
    static func check(_ bytes: UnsafeRawBufferPointer, format: CaptureFormat) throws(FrameFault) {
        guard let layout = format.pixelFormat.luma else { return }
        if layout == .compressed {
            guard jpegEnd(of: bytes) != nil else { throw .incompleteJPEG }
            return
        }
        let needed = (format.height - 1) * format.bytesPerLine + format.width * layout.pixelStride
        guard bytes.count >= needed else { throw .short(bytes: bytes.count, needed: needed) }
    }

    /// The luma of a frame, and by what a JPEG was reduced (1 for any other).
    ///
    /// - Parameter bytes: those that the driver says are used, not all of the buffer.
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
                    // A shift by eight or more gives zero, as Swift defines it.
                    for x in 0..<width { to[x] = from[2 * x] >> down | from[2 * x &+ 1] << up }
                }, 1
            )
        case .compressed:
            return try decode(bytes)
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
            // Many cameras leave a few bytes too many in every frame, which costs no pixel; missing rows are another
            // thing.
            guard !picture.isTruncated else { throw DecodeError(.corrupt, picture.damage ?? "is cut off") }
            return (picture.image, picture.scale)
        } catch {
            throw .brokenJPEG(error.message)
        }
    }

    /// By what a JPEG may be reduced so that at least a quarter of ``fullSizePixels`` is left.
    private static func jpegScale(of bytes: UnsafeRawBufferPointer) -> Int {
        guard let pixels = jpegPixels(of: bytes) else { return 1 }
        var scale = 1
        while scale < 8, pixels / (scale * scale) > fullSizePixels { scale *= 2 }
        return scale
    }

    /// Where a JPEG ends, behind its end marker; nil where it lacks its start or its end.
    ///
    /// Cameras fill up the last packet, so that some bytes may follow the marker.
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

    /// The number of pixels that a JPEG's frame header names; nil where there is none.
    static func jpegPixels(of bytes: UnsafeRawBufferPointer) -> Int? {
        var position = 2
        while position + 9 < bytes.count, bytes[position] == 0xFF {
            let marker = bytes[position + 1]
            if (0xC0...0xCF).contains(marker), marker != 0xC4, marker != 0xC8, marker != 0xCC {
                let height = Int(bytes[position + 5]) << 8 | Int(bytes[position + 6])
                return height * (Int(bytes[position + 7]) << 8 | Int(bytes[position + 8]))
            }
            position += 2 + (Int(bytes[position + 2]) << 8 | Int(bytes[position + 3]))
        }
        return nil
    }
}
