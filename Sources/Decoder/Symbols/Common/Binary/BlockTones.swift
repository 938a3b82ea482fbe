/// The tones of the blocks of an image, and the thresholds between dark and light that follow from them.
struct BlockTones {
    private static let side = BinaryImage.blockSide
    /// The largest contrast (brightest minus darkest pixel) of a block that counts as one tone, by its mean
    /// brightness.
    ///
    /// Noise in a well lit phone photo spans about 20 of 255 levels. In the dark the noise is less, and so is the
    /// contrast of a symbol: white paper may be at 30 and black print at 8.
    private static func noise(atBrightness mean: Int) -> Int { max(leastNoise, min(24, mean / 2)) }
    /// The contrast limit for the darkest blocks, and for all blocks in the search for print as faint as noise.
    private static let leastNoise = 6

    /// The distance of the blocks that a threshold is averaged over, in blocks.
    private static let reach = 2

    let columns, rows: Int
    /// The mean, the darkest and the brightest pixel of each block, row by row.
    let means, darkest, brightest: [UInt8]

    /// Measures the blocks of an image of at least one block.
    init(_ base: UnsafePointer<UInt8>, width: Int, height: Int, bytesPerRow: Int) {
        let columns = (width + Self.side - 1) / Self.side
        let rows = (height + Self.side - 1) / Self.side
        (self.columns, self.rows) = (columns, rows)
        var means = [UInt8](repeating: 0, count: columns * rows)
        var (darkest, brightest) = (means, means)
        means.withUnsafeMutableBufferPointer { means in
            darkest.withUnsafeMutableBufferPointer { darkest in
                brightest.withUnsafeMutableBufferPointer { brightest in
                    func add(_ block: Block, at index: Int) {
                        means[index] = UInt8(truncatingIfNeeded: block.sum / (Self.side * Self.side))
                        darkest[index] = UInt8(truncatingIfNeeded: block.darkest)
                        brightest[index] = UInt8(truncatingIfNeeded: block.brightest)
                    }
                    for row in 0..<rows {
                        // The last blocks overlap the ones before them, so that each is whole.
                        let start = base + min(row * Self.side, height - Self.side) * bytesPerRow
                        var column = 0
                        while column < columns {
                            let x = min(column * Self.side, width - Self.side)
                            let isPair = x + 2 * Self.side <= width
                            let (one, other) = Self.blocks(start + x, bytesPerRow: bytesPerRow, isPair: isPair)
                            add(one, at: row * columns + column)
                            if isPair { add(other, at: row * columns + column + 1) }
                            column += isPair ? 2 : 1
                        }
                    }
                }
            }
        }
        (self.means, self.darkest, self.brightest) = (means, darkest, brightest)
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
        for y in 0..<side {
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

    /// Returns the threshold of each block, row by row: a pixel that is not brighter is dark.
    func thresholds(by rule: BinaryImage.Threshold) -> [UInt8] {
        switch rule {
        case .mean, .light, .shadow: Self.averages(of: blackPoints(isPale: false), columns: columns, rows: rows)
        case .pale: Self.averages(of: blackPoints(isPale: true), columns: columns, rows: rows)
        case .midrange: midranges()
        }
    }

    /// True if the pixels of a block differ by more than noise.
    @inline(__always)
    private static func hasContrast(mean: UInt8, darkest: UInt8, brightest: UInt8, isPale: Bool = false) -> Bool {
        Int(brightest) - Int(darkest) > (isPale ? leastNoise : noise(atBrightness: Int(mean)))
    }

    /// The distance of two plain blocks on either side of the edge of a shadow, which runs through the blocks between,
    /// and the ratio of their brightness; brighter light outdoors is up to six times as strong as shade.
    private static let shadowDistance = 3
    private static let shadowRatio = (least: 1.3, most: 6.0)
    /// The fewest such pairs in an image with the edge of a shadow.
    private static let fewestShadowPairs = 4

    /// True if there are plain blocks beside others that are darker, as on paper that is partly in the shade.
    var hasShadowEdge: Bool {
        var pairs = 0
        func isPlain(_ index: Int) -> Bool {
            !Self.hasContrast(mean: means[index], darkest: darkest[index], brightest: brightest[index])
        }
        func isPair(_ one: Int, _ other: Int) -> Bool {
            let (low, high) = (Double(min(means[one], means[other])), Double(max(means[one], means[other])))
            return high >= Self.shadowRatio.least * low && high <= Self.shadowRatio.most * low && isPlain(one)
                && isPlain(other)
        }
        for row in 0..<rows {
            for column in 0..<columns {
                let index = row * columns + column
                if column + Self.shadowDistance < columns, isPair(index, index + Self.shadowDistance) { pairs += 1 }
                if row + Self.shadowDistance < rows, isPair(index, index + Self.shadowDistance * columns) { pairs += 1 }
                if pairs >= Self.fewestShadowPairs { return true }
            }
        }
        return false
    }

    /// The brightness between dark and light in each block (its black point).
    private func blackPoints(isPale: Bool) -> [UInt8] {
        var points = means
        points.withUnsafeMutableBufferPointer { points in
            darkest.withUnsafeBufferPointer { darkest in
                brightest.withUnsafeBufferPointer { brightest in
                    for row in 0..<rows {
                        for column in 0..<columns {
                            let index = row &* columns &+ column
                            guard
                                !Self.hasContrast(
                                    mean: points[index], darkest: darkest[index], brightest: brightest[index],
                                    isPale: isPale)
                            else { continue }
                            let darkest = Int(darkest[index])
                            // Half the value would pull the threshold of the blocks around below print that is nearly
                            // as light.
                            var point = isPale ? max(0, darkest &- Self.leastNoise) : darkest / 2
                            if row > 0 && column > 0 {
                                let above = Int(points[index &- columns])
                                let before = Int(points[index &- 1])
                                let aboveBefore = Int(points[index &- columns &- 1])
                                let around = (above &+ 2 &* before &+ aboveBefore) / 4
                                if darkest < around { point = around }
                            }
                            points[index] = UInt8(truncatingIfNeeded: point)
                        }
                    }
                }
            }
        }
        return points
    }

    /// The mean of the five by five blocks around each block.
    private static func averages(of points: [UInt8], columns: Int, rows: Int) -> [UInt8] {
        var sums = [UInt16](repeating: 0, count: columns)
        return [UInt8](unsafeUninitializedCapacity: points.count) { averages, count in
            points.withUnsafeBufferPointer { points in
                sums.withUnsafeMutableBufferPointer { sums in
                    for row in 0..<rows {
                        let middle = min(max(row, reach), max(reach, rows - 1 - reach))
                        let (first, last) = (max(0, middle - reach), min(rows - 1, middle + reach))
                        sums.update(repeating: 0)
                        for y in first...last {
                            let start = y &* columns
                            for column in 0..<columns { sums[column] &+= UInt16(points[start &+ column]) }
                        }
                        for column in 0..<columns {
                            let middle = min(max(column, reach), max(reach, columns &- 1 &- reach))
                            let (left, right) = (max(0, middle &- reach), min(columns &- 1, middle &+ reach))
                            var sum = 0
                            for x in left...right { sum &+= Int(sums[x]) }
                            averages[row &* columns &+ column] = UInt8(
                                truncatingIfNeeded: sum / ((right &- left &+ 1) &* (last &- first &+ 1)))
                        }
                    }
                }
            }
            count = points.count
        }
    }

    /// The mean of the midranges of the blocks with contrast among the five by five around each block; 0, which makes
    /// the block light, if there are none.
    private func midranges() -> [UInt8] {
        let ranges = means.indices.map { index -> UInt16 in
            Self.hasContrast(mean: means[index], darkest: darkest[index], brightest: brightest[index])
                ? (UInt16(darkest[index]) + UInt16(brightest[index])) / 2 : 0
        }
        var thresholds = [UInt8](repeating: 0, count: ranges.count)
        // The sum and the number of the ranges in the rows around, by column, with a margin on both sides.
        var sums = [UInt16](repeating: 0, count: columns + 2 * Self.reach)
        var counts = sums
        for row in 0..<rows {
            for column in 0..<columns {
                var (sum, count): (UInt16, UInt16) = (0, 0)
                for y in max(0, row &- Self.reach)...min(rows &- 1, row &+ Self.reach) {
                    let range = ranges[y &* columns &+ column]
                    sum &+= range
                    count &+= range > 0 ? 1 : 0
                }
                (sums[column &+ Self.reach], counts[column &+ Self.reach]) = (sum, count)
            }
            for column in 0..<columns {
                var (sum, count) = (0, 0)
                for x in column...column &+ 2 &* Self.reach {
                    sum &+= Int(sums[x])
                    count &+= Int(counts[x])
                }
                if count > 0 { thresholds[row &* columns &+ column] = UInt8(truncatingIfNeeded: sum / count) }
            }
        }
        return thresholds
    }
}
