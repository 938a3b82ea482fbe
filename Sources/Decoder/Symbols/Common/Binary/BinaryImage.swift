public import BarcodeCore

/// A binary image: each pixel is compared with the brightness around it (adaptive threshold).
///
/// The threshold is the mean of the surrounding blocks, so a shadow or a bright spot does not hide the symbol in it. A
/// block of low contrast is blank or the inside of a large module. Its threshold then lies below its darkest pixel,
/// unless the blocks before it show that it is inside something dark.
///
/// Source of the idea: the hybrid binarizer of ZXing (blocks of eight pixels, thresholds averaged over five by five
/// blocks).
public struct BinaryImage: Sendable {
    /// The number of pixels along the side of a block.
    static let blockSide = 8
    /// The largest contrast (brightest minus darkest pixel) of a block that counts as one tone, by its mean
    /// brightness.
    ///
    /// Noise in a well lit phone photo spans about 20 of 255 levels. In the dark the noise is less, and so is the
    /// contrast of a symbol: white paper may be at 30 and black print at 8.
    static func noise(atBrightness mean: Int) -> Int { max(leastNoise, min(24, mean / 2)) }
    /// The contrast limit for the darkest blocks, and for all blocks in the search for print as faint as noise.
    static let leastNoise = 6

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
    /// - Parameter isPale: true if the print may differ from the paper by hardly more than noise.
    public init(_ image: LumaImage, isPale: Bool = false) {
        width = image.width
        height = image.height
        pixels = image.withUnsafePixels { source in
            Self.binarize(
                source, width: image.width, height: image.height, bytesPerRow: image.bytesPerRow, isPale: isPale)
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
        _ source: UnsafeBufferPointer<UInt8>, width: Int, height: Int, bytesPerRow: Int, isPale: Bool
    ) -> [UInt8] {
        guard let base = source.baseAddress, width >= blockSide, height >= blockSide else {
            return [UInt8](repeating: 0, count: width * height)
        }
        let columns = (width + blockSide - 1) / blockSide
        let rows = (height + blockSide - 1) / blockSide
        let points = blackPoints(
            base, width: width, height: height, bytesPerRow: bytesPerRow, columns: columns, rows: rows,
            isPale: isPale)
        return [UInt8](unsafeUninitializedCapacity: width * height) { target, count in
            guard let targetBase = target.baseAddress else { return }
            // The threshold of each pixel of a row, in whole blocks: the mean of five by five blocks.
            var thresholds = [UInt8](repeating: 0, count: columns * blockSide)
            var sums = [UInt16](repeating: 0, count: columns)
            for row in 0..<rows {
                let top = min(max(row, 2), max(2, rows - 3))
                let (first, last) = (max(0, top - 2), min(rows - 1, top + 2))
                points.withUnsafeBufferPointer { points in
                    sums.withUnsafeMutableBufferPointer { sums in
                        sums.update(repeating: 0)
                        for y in first...last {
                            let start = y &* columns
                            for column in 0..<columns { sums[column] &+= UInt16(points[start &+ column]) }
                        }
                    }
                }
                sums.withUnsafeBufferPointer { sums in
                    thresholds.withUnsafeMutableBytes { thresholds in
                        for column in 0..<columns {
                            let middle = min(max(column, 2), max(2, columns &- 3))
                            let (left, right) = (max(0, middle &- 2), min(columns &- 1, middle &+ 2))
                            var sum = 0
                            for x in left...right { sum &+= Int(sums[x]) }
                            let threshold = UInt64(sum / ((right &- left &+ 1) &* (last &- first &+ 1)))
                            // All pixels in a row of the block have the same threshold.
                            thresholds.storeBytes(
                                of: threshold &* 0x0101_0101_0101_0101, toByteOffset: column &* blockSide,
                                as: UInt64.self)
                        }
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

    /// The statistics of a block: the sum of its pixels, the darkest and the brightest.
    private struct Block {
        var sum: Int
        var darkest, brightest: Int
    }

    /// The statistics of two adjacent blocks, or of the same one twice.
    ///
    /// Processes sixteen pixels at once, in the hottest loop of the locator.
    ///
    /// - Parameter isPair: true if the image has another block to the right of the one at `start`.
    @inline(__always)
    private static func blocks(_ start: UnsafePointer<UInt8>, bytesPerRow: Int, isPair: Bool) -> (Block, Block) {
        var sums = SIMD8<UInt16>(repeating: 0)
        var least = SIMD16<UInt8>(repeating: 255)
        var most = SIMD16<UInt8>(repeating: 0)
        for y in 0..<blockSide {
            let row = UnsafeRawPointer(start + y * bytesPerRow)
            let line: SIMD16<UInt8>
            if isPair {
                line = row.loadUnaligned(as: SIMD16<UInt8>.self)
            } else {
                let block = row.loadUnaligned(as: SIMD8<UInt8>.self)
                line = SIMD16(lowHalf: block, highHalf: block)
            }
            // Neighbors are summed in 16 bits: four sums for each block.
            let pairs = unsafeBitCast(line, to: SIMD8<UInt16>.self)
            sums &+= (pairs & SIMD8(repeating: 255)) &+ (pairs &>> 8)
            least.replace(with: line, where: line .< least)
            most.replace(with: line, where: line .> most)
        }
        // Compares one half of a block's values with the other, three times. The first value is then the extreme of
        // all.
        func fold(bits: UInt64) {
            func moved(_ numbers: SIMD16<UInt8>) -> SIMD16<UInt8> {
                unsafeBitCast(unsafeBitCast(numbers, to: SIMD2<UInt64>.self) &>> bits, to: SIMD16<UInt8>.self)
            }
            let (lesser, greater) = (moved(least), moved(most))
            least.replace(with: lesser, where: lesser .< least)
            most.replace(with: greater, where: greater .> most)
        }
        fold(bits: 32)
        fold(bits: 16)
        fold(bits: 8)
        return (
            Block(sum: Int(sums.lowHalf.wrappedSum()), darkest: Int(least[0]), brightest: Int(most[0])),
            Block(sum: Int(sums.highHalf.wrappedSum()), darkest: Int(least[8]), brightest: Int(most[8]))
        )
    }

    /// The threshold between dark and light in each block (its black point).
    private static func blackPoints(
        _ base: UnsafePointer<UInt8>, width: Int, height: Int, bytesPerRow: Int, columns: Int, rows: Int,
        isPale: Bool
    ) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: columns * rows) { points, count in
            for row in 0..<rows {
                let first = row * columns
                func add(_ block: Block, at column: Int) {
                    var point = block.sum / (blockSide * blockSide)
                    if block.brightest - block.darkest <= (isPale ? leastNoise : noise(atBrightness: point)) {
                        // Half the value would pull the threshold of the blocks around below print that is nearly as
                        // light.
                        point = isPale ? max(0, block.darkest - leastNoise) : block.darkest / 2
                        if row > 0 && column > 0 {
                            let above = Int(points[first - columns + column])
                            let before = Int(points[first + column - 1])
                            let aboveBefore = Int(points[first - columns + column - 1])
                            let around = (above + 2 * before + aboveBefore) / 4
                            if block.darkest < around { point = around }
                        }
                    }
                    points[first + column] = UInt8(truncatingIfNeeded: point)
                }
                // The last blocks overlap the ones before them, so that each is whole.
                let start = base + min(row * blockSide, height - blockSide) * bytesPerRow
                var column = 0
                while column < columns {
                    let x = min(column * blockSide, width - blockSide)
                    let isPair = x + 2 * blockSide <= width
                    let (one, other) = blocks(start + x, bytesPerRow: bytesPerRow, isPair: isPair)
                    add(one, at: column)
                    if isPair { add(other, at: column + 1) }
                    column += isPair ? 2 : 1
                }
            }
            count = columns * rows
        }
    }
}
