internal import BarcodeCore

/// The structure tensor of a picture, summed over blocks: how brightness changes, and in which direction.
///
/// The differences are Scharr's, which point the same way at every angle ("Optimale Operatoren in der Digitalen
/// Bildverarbeitung", 2000). Source of the tensor: Bigün and Granlund, "Optimal Orientation Detection of Linear Symmetry" (ICCV 1987).
struct GradientBlocks {
    /// Pixels along the side of a block.
    ///
    /// Three blocks are smoothed together: 24 pixels hold several bars of 1 to 4 pixels a module, and the shortest
    /// symbol, a UPC-E at 1.3 pixels a module, is still eight blocks long.
    static let side = 8

    let columns: Int
    let rows: Int
    /// Sums of squared differences to the right, squared differences down, and their products, a pixel.
    private(set) var xx: [Float]
    private(set) var yy: [Float]
    private(set) var xy: [Float]

    init(_ image: LumaImage) {
        let columns = image.width / Self.side
        let rows = image.height / Self.side
        self.columns = columns
        self.rows = rows
        var xx = [Float](repeating: 0, count: columns * rows)
        var yy = xx
        var xy = xx
        image.withUnsafePixels { pixels in
            guard let base = pixels.baseAddress else { return }
            let stride = image.bytesPerRow
            for row in 0..<rows {
                for column in 0..<columns {
                    // The outermost pixels of the picture have no neighbour on one side.
                    let x = min(max(column * Self.side, 1), image.width - 1 - Self.side)
                    var sums = (SIMD8<Int32>(), SIMD8<Int32>(), SIMD8<Int32>())
                    for y in max(1, row * Self.side)..<min(image.height - 1, (row + 1) * Self.side) {
                        let line = UnsafeRawPointer(base + y * stride + x)
                        func load(_ offset: Int) -> SIMD8<Int32> {
                            SIMD8(truncatingIfNeeded: line.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt8>.self))
                        }
                        // Scharr's weights 3, 10, 3: bars of 1.5 pixels would seem turned by 15 degrees without.
                        let (topLeft, bottomRight) = (load(-stride - 1), load(stride + 1))
                        let (topRight, bottomLeft) = (load(-stride + 1), load(stride - 1))
                        let falling = (bottomRight &- topLeft) &* 3
                        let rising = (topRight &- bottomLeft) &* 3
                        let right = (load(1) &- load(-1)) &* 10 &+ falling &+ rising
                        let down = (load(stride) &- load(-stride)) &* 10 &+ falling &- rising
                        sums.0 &+= right &* right
                        sums.1 &+= down &* down
                        sums.2 &+= right &* down
                    }
                    let block = row * columns + column
                    // The weights add up to 16.
                    let share = 1 / Float(Self.side * Self.side * 256)
                    xx[block] = Float(sums.0.wrappedSum()) * share
                    yy[block] = Float(sums.1.wrappedSum()) * share
                    xy[block] = Float(sums.2.wrappedSum()) * share
                }
            }
        }
        self.xx = xx
        self.yy = yy
        self.xy = xy
    }

    /// The same, each block the mean of three by three.
    func smoothed() -> GradientBlocks {
        var result = self
        result.xx = smooth(xx)
        result.yy = smooth(yy)
        result.xy = smooth(xy)
        return result
    }

    private func smooth(_ values: [Float]) -> [Float] {
        var result = values
        for row in 0..<rows {
            let (top, bottom) = (max(0, row - 1), min(rows - 1, row + 1))
            for column in 0..<columns {
                let (left, right) = (max(0, column - 1), min(columns - 1, column + 1))
                var sum: Float = 0
                for y in top...bottom {
                    for x in left...right { sum += values[y * columns + x] }
                }
                result[row * columns + column] = sum / Float((bottom - top + 1) * (right - left + 1))
            }
        }
        return result
    }
}
