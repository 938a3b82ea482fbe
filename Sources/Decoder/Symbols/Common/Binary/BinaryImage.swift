public import BarcodeCore

/// A binary image: each pixel is compared with the brightness around it (adaptive threshold).
///
/// The threshold is the mean of the surrounding blocks, so a shadow or a bright spot does not hide the symbol in it. A
/// block of low contrast is blank or the inside of a large module. Its threshold then lies below its darkest pixel,
/// unless the blocks before it show that it is inside something dark.
///
/// Source of the ideas: the hybrid binarizers of ZXing (blocks of eight pixels, thresholds averaged over five by five
/// blocks) and of zxing-cpp (the midrange of the blocks with contrast).
public struct BinaryImage: Sendable {
    /// A rule for the thresholds.
    public enum Threshold: Sendable, Hashable {
        /// The mean of the pixels around.
        ///
        /// Blank paper lowers the threshold, which keeps thick print apart; so does a dark ground above and to the
        /// left of light print, which makes it light.
        case mean
        /// The same for print that may differ from the paper by hardly more than noise.
        case pale
        /// The mean of the darkest and the brightest pixels of the blocks with contrast around; a block far from
        /// contrast is light.
        ///
        /// Finds small or blurred modules, separate dots, and light print on a dark ground.
        case midrange
        /// Halfway between the paper and the ink nearby on the same side of the edge of a shadow, see
        /// ``ShadowThresholds``; what is wider than print is light.
        case shadow
        /// The mean, with light and dark exchanged: a dark ground raises the threshold, which keeps thick light print
        /// apart.
        case light
    }

    /// The number of pixels along the side of a block.
    static let blockSide = 8

    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// One byte per pixel, 1 for dark and 0 for light, in rows without padding.
    public internal(set) var pixels: [UInt8]

    /// Binarizes `image`.
    ///
    /// An image of less than eight pixels along a side becomes all light.
    ///
    /// - Parameter threshold: the rule for the thresholds.
    public init(_ image: LumaImage, by threshold: Threshold = .mean) {
        width = image.width
        height = image.height
        guard threshold != .shadow else {
            pixels = Self.binarize(image, by: ShadowThresholds(image))
            return
        }
        guard threshold != .light else {
            pixels = BinaryImage(image.inverted()).pixels.map { $0 ^ 1 }
            return
        }
        pixels = image.withUnsafePixels { source in
            Self.binarize(
                source, width: image.width, height: image.height, bytesPerRow: image.bytesPerRow, by: threshold)
        }
    }

    /// Creates an image from known tones.
    ///
    /// - Precondition: there is a byte for each pixel.
    init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(pixels.count == width * height, "the buffer must have a byte for each pixel")
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// The same image in black and white.
    package var blackAndWhite: LumaImage {
        LumaImage(width: width, height: height, pixels: pixels.map { $0 == 1 ? 0 : 255 })
    }

    private static func binarize(
        _ source: UnsafeBufferPointer<UInt8>, width: Int, height: Int, bytesPerRow: Int, by rule: Threshold
    ) -> [UInt8] {
        guard let base = source.baseAddress, width >= blockSide, height >= blockSide else {
            return [UInt8](repeating: 0, count: width * height)
        }
        let blocks = BlockTones(base, width: width, height: height, bytesPerRow: bytesPerRow)
        let (columns, rows) = (blocks.columns, blocks.rows)
        let limits = blocks.thresholds(by: rule)
        return [UInt8](unsafeUninitializedCapacity: width * height) { target, count in
            guard let targetBase = target.baseAddress else { return }
            // The threshold of each pixel of a row.
            var thresholds = [UInt8](repeating: 0, count: columns * blockSide)
            for row in 0..<rows {
                thresholds.withUnsafeMutableBytes { thresholds in
                    for column in 0..<columns {
                        // All pixels in a row of the block have the same threshold.
                        thresholds.storeBytes(
                            of: UInt64(limits[row * columns + column]) &* 0x0101_0101_0101_0101,
                            toByteOffset: column &* blockSide, as: UInt64.self)
                    }
                }
                for y in row * blockSide..<min(height, (row + 1) * blockSide) {
                    thresholds.withUnsafeBufferPointer {
                        divide(base + y * bytesPerRow, by: $0, into: targetBase + y * width, count: width)
                    }
                }
            }
            count = width * height
        }
    }

    private static func binarize(_ image: LumaImage, by thresholds: ShadowThresholds) -> [UInt8] {
        let (width, height) = (image.width, image.height)
        guard width >= blockSide, height >= blockSide else { return [UInt8](repeating: 0, count: width * height) }
        return image.withUnsafePixels { source in
            [UInt8](unsafeUninitializedCapacity: width * height) { target, count in
                guard let base = source.baseAddress, let targetBase = target.baseAddress else { return }
                // Each threshold is that of two pixels of a row, and each row that of two rows.
                var limits = [UInt8](repeating: 0, count: 2 * thresholds.width + 2)
                for y in 0..<height {
                    if y.isMultiple(of: 2) {
                        let start = min(y / 2, thresholds.height - 1) * thresholds.width
                        widen(thresholds.values[start..<start + thresholds.width], into: &limits)
                    }
                    limits.withUnsafeBufferPointer {
                        divide(base + y * image.bytesPerRow, by: $0, into: targetBase + y * width, count: width)
                    }
                }
                count = width * height
            }
        }
    }

    /// Writes each value twice, and the last one four times.
    private static func widen(_ values: ArraySlice<UInt8>, into target: inout [UInt8]) {
        target.withUnsafeMutableBytes { target in
            values.withUnsafeBytes { values in
                var place = 0
                while place + 8 <= values.count {
                    let eight = values.loadUnaligned(fromByteOffset: place, as: SIMD8<UInt8>.self)
                    var twice = SIMD16<UInt8>()
                    (twice.evenHalf, twice.oddHalf) = (eight, eight)
                    target.storeBytes(of: twice, toByteOffset: 2 * place, as: SIMD16<UInt8>.self)
                    place &+= 8
                }
                while place < values.count {
                    target[2 * place] = values[place]
                    target[2 * place + 1] = values[place]
                    place &+= 1
                }
                for margin in 2 * values.count..<target.count { target[margin] = values[values.count - 1] }
            }
        }
    }

    /// Binarizes a row, sixteen pixels at once.
    ///
    /// This and the sums of the blocks are the only work done on each pixel.
    private static func divide(
        _ line: UnsafePointer<UInt8>, by thresholds: UnsafeBufferPointer<UInt8>,
        into target: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        guard let limits = thresholds.baseAddress else { return }
        var x = 0
        while x + 16 <= count {
            let values = UnsafeRawPointer(line + x).loadUnaligned(as: SIMD16<UInt8>.self)
            let limit = UnsafeRawPointer(limits + x).loadUnaligned(as: SIMD16<UInt8>.self)
            let tones = SIMD16<UInt8>(repeating: 0).replacing(with: 1, where: values .<= limit)
            UnsafeMutableRawPointer(target + x).storeBytes(of: tones, as: SIMD16<UInt8>.self)
            x += 16
        }
        while x < count {
            target[x] = line[x] <= limits[x] ? 1 : 0
            x += 1
        }
    }
}
