/// A grayscale image: one byte per pixel, 0 is black and 255 is white, in rows from the top, each from the left.
///
/// Copies share the pixels, which never change after initialization, so an image may be passed to any task.
/// Coordinates are those of the stored image: (0, 0) is the top left corner of the top left pixel, whose center is
/// (0.5, 0.5). An EXIF orientation is not applied.
public struct LumaImage: Sendable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The bytes from the start of one row to the start of the next; at least `width`.
    public let bytesPerRow: Int

    private let storage: Storage

    /// Creates an image without padding between rows, whose pixels `body` writes.
    ///
    /// The memory passed to `body` has `width * height` uninitialized bytes; `body` must write all of them.
    /// - Precondition: `width` and `height` are not negative, and their product fits an `Int`. Check sizes from a
    ///   file with ``Limits/check(width:height:)`` first.
    public init(
        width: Int, height: Int,
        initializingPixelsWith body: (_ pixels: UnsafeMutableBufferPointer<UInt8>) throws -> Void
    ) rethrows {
        precondition(width >= 0 && height >= 0, "the width and the height must not be negative")
        let storage = Storage(count: width * height)
        try body(storage.bytes)
        self.width = width
        self.height = height
        self.bytesPerRow = width
        self.storage = storage
    }

    /// Copies pixels from rows that are `bytesPerRow` bytes apart.
    ///
    /// - Precondition: `pixels` holds at least `(height - 1) * bytesPerRow + width` bytes.
    public init(copying pixels: UnsafeRawBufferPointer, width: Int, height: Int, bytesPerRow: Int) {
        precondition(width >= 0 && height >= 0 && bytesPerRow >= width, "bytesPerRow must be at least the width")
        precondition(
            width == 0 || height == 0 || pixels.count >= (height - 1) * bytesPerRow + width,
            "the buffer has fewer pixels than the picture")
        self.init(width: width, height: height) { target in
            guard width > 0, let to = target.baseAddress, let from = pixels.baseAddress else { return }
            for row in 0..<height {
                UnsafeMutableRawPointer(to + row * width).copyMemory(from: from + row * bytesPerRow, byteCount: width)
            }
        }
    }

    /// Copies `width * height` pixels from an array.
    ///
    /// - Precondition: `pixels.count == width * height`.
    public init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(pixels.count == width * height, "the number of pixels must be width times height")
        self = pixels.withUnsafeBytes {
            LumaImage(copying: $0, width: width, height: height, bytesPerRow: width)
        }
    }

    /// Passes the pixels to `body`: `height` rows that are ``bytesPerRow`` bytes apart.
    ///
    /// The pointer is valid until `body` returns.
    public func withUnsafePixels<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let result = try body(UnsafeBufferPointer(storage.bytes))
        withExtendedLifetime(storage) {}
        return result
    }

    /// The brightness of one pixel, 0 to 255.
    public subscript(x x: Int, y y: Int) -> UInt8 {
        precondition(x >= 0 && x < width && y >= 0 && y < height, "the pixel is outside the picture")
        return storage.bytes[y * bytesPerRow + x]
    }

    /// The number of pixels.
    public var pixelCount: Int { width * height }
}

extension LumaImage {
    /// Owns the bytes of an image.
    // Unchecked: the bytes are written by one closure before the image exists, and only read afterwards.
    private final class Storage: @unchecked Sendable {
        let bytes: UnsafeMutableBufferPointer<UInt8>

        init(count: Int) {
            bytes = .allocate(capacity: count)
        }

        deinit {
            bytes.deallocate()
        }
    }
}

extension LumaImage {
    /// Returns the image with inverted brightness.
    public func inverted() -> LumaImage {
        LumaImage(width: width, height: height) { target in
            withUnsafePixels { source in
                guard let sourceBase = source.baseAddress, let targetBase = target.baseAddress else { return }
                for y in 0..<height {
                    let (line, row) = (sourceBase + y * bytesPerRow, targetBase + y * width)
                    for x in 0..<width { row[x] = ~line[x] }
                }
            }
        }
    }

    /// Returns a copy of a range of columns and rows.
    ///
    /// - Precondition: the ranges are within the image.
    public func cropped(x: Range<Int>, y: Range<Int>) -> LumaImage {
        precondition(x.lowerBound >= 0 && x.upperBound <= width && y.lowerBound >= 0 && y.upperBound <= height)
        guard !x.isEmpty, !y.isEmpty else { return LumaImage(width: x.count, height: y.count) { _ in } }
        return withUnsafePixels { pixels in
            let bytes = UnsafeRawBufferPointer(
                rebasing: UnsafeRawBufferPointer(pixels)[(y.lowerBound * bytesPerRow + x.lowerBound)...])
            return LumaImage(copying: bytes, width: x.count, height: y.count, bytesPerRow: bytesPerRow)
        }
    }

    /// Returns the image with a margin of uniform brightness on all sides.
    public func padded(by margin: Int, brightness: UInt8) -> LumaImage {
        precondition(margin >= 0, "the margin must not be negative")
        let fullWidth = width + 2 * margin
        return LumaImage(width: fullWidth, height: height + 2 * margin) { target in
            target.update(repeating: brightness)
            withUnsafePixels { source in
                guard width > 0, let from = source.baseAddress, let to = target.baseAddress else { return }
                for y in 0..<height {
                    (to + (y + margin) * fullWidth + margin).update(from: from + y * bytesPerRow, count: width)
                }
            }
        }
    }

    /// Returns the image at half size, each pixel the mean of 2 x 2 pixels.
    ///
    /// An odd last row or column is dropped.
    public func halved() -> LumaImage {
        let newWidth = width / 2
        let newHeight = height / 2
        return LumaImage(width: newWidth, height: newHeight) { target in
            withUnsafePixels { source in
                guard let sourceBase = source.baseAddress, let targetBase = target.baseAddress else { return }
                for y in 0..<newHeight {
                    let upper = sourceBase + 2 * y * bytesPerRow
                    let lower = upper + bytesPerRow
                    let row = targetBase + y * newWidth
                    var x = 0
                    // Eight pixels at once: most pixels of a large image are only processed here.
                    while x &+ 8 <= newWidth {
                        let sums = Self.pairSums(upper + 2 &* x) &+ Self.pairSums(lower + 2 &* x)
                        UnsafeMutableRawPointer(row + x).storeBytes(
                            of: SIMD8<UInt8>(truncatingIfNeeded: (sums &+ 2) &>> 2), as: SIMD8<UInt8>.self)
                        x &+= 8
                    }
                    while x < newWidth {
                        let sum =
                            UInt16(upper[2 * x]) &+ UInt16(upper[2 * x &+ 1])
                            &+ UInt16(lower[2 * x]) &+ UInt16(lower[2 * x &+ 1])
                        row[x] = UInt8(truncatingIfNeeded: (sum &+ 2) &>> 2)
                        x &+= 1
                    }
                }
            }
        }
    }

    /// The sums of eight pairs of neighbors.
    @inline(__always)
    private static func pairSums(_ pixels: UnsafePointer<UInt8>) -> SIMD8<UInt16> {
        let pairs = UnsafeRawPointer(pixels).loadUnaligned(as: SIMD8<UInt16>.self)
        return (pairs & SIMD8(repeating: 255)) &+ (pairs &>> 8)
    }

    /// Returns the image at twice its size by linear interpolation: weights 3/4 and 1/4 along both axes.
    public func doubled() -> LumaImage {
        // A row and a third of its neighbor on the other side, with the first and the last one repeated beyond the sides.
        var sums = [UInt16](repeating: 0, count: width + 2)
        return LumaImage(width: 2 * width, height: 2 * height) { target in
            withUnsafePixels { source in
                guard width > 0, let source = source.baseAddress, let target = target.baseAddress else { return }
                sums.withUnsafeMutableBufferPointer { sums in
                    guard let sums = sums.baseAddress else { return }
                    for y in 0..<2 * height {
                        let near = source + y / 2 * bytesPerRow
                        let far = source + min(max(0, y / 2 + (y % 2 == 0 ? -1 : 1)), height - 1) * bytesPerRow
                        for x in 0..<width { sums[x &+ 1] = 3 &* UInt16(near[x]) &+ UInt16(far[x]) }
                        sums[0] = sums[1]
                        sums[width + 1] = sums[width]
                        let line = target + 2 * width * y
                        for x in 0..<width {
                            let own = 3 &* sums[x &+ 1] &+ 8
                            line[2 &* x] = UInt8(truncatingIfNeeded: (own &+ sums[x]) &>> 4)
                            line[2 &* x &+ 1] = UInt8(truncatingIfNeeded: (own &+ sums[x &+ 2]) &>> 4)
                        }
                    }
                }
            }
        }
    }
}
