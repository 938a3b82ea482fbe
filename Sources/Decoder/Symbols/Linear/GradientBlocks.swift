internal import BarcodeCore
internal import Glibc

/// The structure tensor of an image, summed over blocks: the strength and the direction of the brightness gradient.
///
/// The gradient uses Scharr's operator, whose direction is right at every angle ("Optimale Operatoren in der
/// Digitalen Bildverarbeitung", 2000). Source of the tensor: Bigün and Granlund, "Optimal Orientation Detection of
/// Linear Symmetry" (ICCV 1987).
struct GradientBlocks {
    /// The side of a block, in pixels.
    ///
    /// Three blocks are smoothed together: 24 pixels hold several bars of 1 to 4 pixels a module, and the shortest
    /// symbol, a UPC-E at 1.3 pixels a module, is still eight blocks long.
    static let side = 8

    let columns: Int
    let rows: Int
    /// The mean squared gradient along x, along y, and the mean product of both, per pixel.
    private(set) var xx: [Float]
    private(set) var yy: [Float]
    private(set) var xy: [Float]

    init(_ image: LumaImage) {
        // A block needs a neighbor on both sides.
        let columns = image.width < Self.side + 2 ? 0 : image.width / Self.side
        let rows = image.height / Self.side
        self.columns = columns
        self.rows = rows
        // The three sums of each block in one vector.
        var sums = [SIMD4<Float>](repeating: SIMD4(), count: columns * rows)
        image.withUnsafePixels { pixels in
            sums.withUnsafeMutableBufferPointer { blocks in
                guard let base = pixels.baseAddress else { return }
                let stride = image.bytesPerRow
                // The weights add up to 16.
                let share = 1 / Float(Self.side * Self.side * 256)
                for row in 0..<rows {
                    let (first, last) = (max(1, row * Self.side), min(image.height - 1, (row + 1) * Self.side))
                    for column in 0..<columns {
                        // The outermost pixels of the image have no neighbor on one side.
                        let x = min(max(column * Self.side, 1), image.width - 1 - Self.side)
                        var sums = (SIMD4<Int32>(), SIMD4<Int32>(), SIMD4<Int32>())
                        var place = base + (first * stride + x)
                        var above = Line(place - stride)
                        var here = Line(place)
                        for _ in first..<last {
                            place += stride
                            let below = Line(place)
                            // Scharr's weights 3, 10, 3: without them, bars of 1.5 pixels would seem rotated by 15
                            // degrees.
                            let right = (above.difference &+ below.difference) &* 3 &+ here.difference &* 10
                            let down = below.sum &- above.sum
                            sums.0 &+= Self.products(right, right)
                            sums.1 &+= Self.products(down, down)
                            sums.2 &+= Self.products(right, down)
                            (above, here) = (here, below)
                        }
                        blocks[row * columns + column] =
                            SIMD4(
                                Float(sums.0.wrappedSum()), Float(sums.1.wrappedSum()), Float(sums.2.wrappedSum()), 0)
                            * share
                    }
                }
            }
        }
        // Closures, not key paths: those of vectors are resolved at run time, for each block.
        xx = sums.map { $0.x }
        yy = sums.map { $0.y }
        xy = sums.map { $0.z }
    }

    /// Eight pixels of a row: the difference of the right and left neighbors of each, and their sum with Scharr's
    /// weights.
    ///
    /// Both fit in 16 bits, so that twice as many values are processed at once as of the squares.
    private struct Line {
        let difference: SIMD8<Int16>
        let sum: SIMD8<Int16>

        @inline(__always)
        init(_ pixels: UnsafePointer<UInt8>) {
            let left = Self.load(pixels - 1)
            let right = Self.load(pixels + 1)
            difference = right &- left
            sum = (left &+ right) &* 3 &+ Self.load(pixels) &* 10
        }

        @inline(__always)
        private static func load(_ pixels: UnsafePointer<UInt8>) -> SIMD8<Int16> {
            SIMD8(
                Int16(pixels[0]), Int16(pixels[1]), Int16(pixels[2]), Int16(pixels[3]), Int16(pixels[4]),
                Int16(pixels[5]), Int16(pixels[6]), Int16(pixels[7]))
        }
    }

    /// Returns the products of eight pairs of numbers, with adjacent products added up, in 32 bits each: a single
    /// instruction on every processor.
    @inline(__always)
    private static func products(_ one: SIMD8<Int16>, _ other: SIMD8<Int16>) -> SIMD4<Int32> {
        func wide(_ half: SIMD4<Int16>) -> SIMD4<Int32> { SIMD4(truncatingIfNeeded: half) }
        return wide(one.evenHalf) &* wide(other.evenHalf) &+ wide(one.oddHalf) &* wide(other.oddHalf)
    }

    /// Returns the center of a block in pixels.
    func center(of block: Int) -> Point {
        let side = Double(Self.side)
        return Point(x: (Double(block % columns) + 0.5) * side, y: (Double(block / columns) + 0.5) * side)
    }

    /// Returns the direction of the gradient in blocks, in radians, and its share in that direction, 0 to 1.
    func direction(of group: [Int]) -> (angle: Double, coherence: Double) {
        var (xx, yy, xy) = (0.0, 0.0, 0.0)
        for block in group {
            xx += Double(self.xx[block])
            yy += Double(self.yy[block])
            xy += Double(self.xy[block])
        }
        let strength = ((xx - yy) * (xx - yy) + 4 * xy * xy).squareRoot()
        return (atan2(2 * xy, xx - yy) / 2, strength / max(1e-9, xx + yy))
    }

    /// Returns the tensor with each block averaged over its 3 × 3 neighborhood.
    func smoothed() -> GradientBlocks {
        var result = self
        result.xx = smooth(xx)
        result.yy = smooth(yy)
        result.xy = smooth(xy)
        return result
    }

    private func smooth(_ values: [Float]) -> [Float] {
        var result = values
        values.withUnsafeBufferPointer { values in
            result.withUnsafeMutableBufferPointer { result in
                for row in 0..<rows {
                    let (top, bottom) = (max(0, row - 1), min(rows - 1, row + 1))
                    var column = 0
                    while column < columns {
                        // Eight blocks at once in the interior.
                        if column > 0, column + 8 < columns, let base = values.baseAddress {
                            var sum = SIMD8<Float>()
                            for y in top...bottom {
                                let line = UnsafeRawPointer(base + (y * columns + column))
                                sum += line.loadUnaligned(fromByteOffset: -4, as: SIMD8<Float>.self)
                                sum += line.loadUnaligned(as: SIMD8<Float>.self)
                                sum += line.loadUnaligned(fromByteOffset: 4, as: SIMD8<Float>.self)
                            }
                            let means = sum / Float((bottom - top + 1) * 3)
                            for lane in 0..<8 { result[row * columns + column + lane] = means[lane] }
                            column += 8
                            continue
                        }
                        let (left, right) = (max(0, column - 1), min(columns - 1, column + 1))
                        var sum: Float = 0
                        for y in top...bottom {
                            for x in left...right { sum += values[y * columns + x] }
                        }
                        result[row * columns + column] = sum / Float((bottom - top + 1) * (right - left + 1))
                        column += 1
                    }
                }
            }
        }
        return result
    }
}
