internal import BarcodeCore

/// The areas of an image that are full of corners, as matrix and stacked symbols are, at any contrast.
///
/// Foliage and fabric are such areas too. Most text is left out, because it has too little ink.
struct CornerAreas {
    /// The side of a cell in pixels: a third of the smallest area.
    private static let cell = 8
    /// The rows of a cell that are compared with the row above: with modules of two or four pixels, edges along rows lie
    /// above one of them.
    private static let rows = [0, 1, 3, 6]
    /// The strengths from which on a cell has corners, the largest first.
    ///
    /// From one to the next the contrast halves, so that an area stands out from a ground with fainter corners.
    private static let leastStrengths: [Float] = [3840, 960, 240, 60, 15]
    /// The number of cells with corners, among a cell and its eight neighbors, from which on it belongs to an area.
    private static let leastNeighbors = 5
    /// The smallest share of a rectangle of the same spread that an area fills.
    private static let leastFilled = 0.85
    /// The smallest side in cells, and the largest share of the image.
    private static let leastSide = 3
    private static let greatestShare = 0.25
    /// The area that two boxes share, as a share of their union, from which on they are the same.
    private static let sameOverlap = 0.5

    /// The smallest share of dark pixels, and of light ones, in an area: modules are about as often dark as light, and
    /// text covers less.
    private static let leastOfTone = 0.18
    /// The shares of pixels that are darker than the dark and the light tone of an area.
    private static let toneRanks = (dark: 0.05, light: 0.95)
    /// The distance of the rows whose tones are counted.
    private static let toneRowStep = 2

    /// The boxes of the areas in pixels: those with the strongest corners first, and of these the largest.
    private(set) var boxes: [Rectangle] = []

    /// Finds areas.
    ///
    /// - Parameters:
    ///   - image: the image.
    ///   - read: the outlines of symbols that were read, in its pixels, which are left out.
    ///   - count: the largest number of areas.
    ///   - ratio: the largest ratio of their sides.
    init(_ image: LumaImage, outside read: [Quadrilateral], count: Int, ratio: Double) {
        let (width, height) = (image.width / Self.cell, image.height / Self.cell)
        guard min(width, height) >= Self.leastSide else { return }
        var cells = Self.strengths(image, width, height)
        for outline in read {
            Self.clear(&cells, outline.scaled(by: 1 / Double(Self.cell)), width, height)
        }
        for least in Self.leastStrengths {
            for area in Self.areas(cells, width, height, from: least, ratio: ratio).sorted(by: { $0.count > $1.count })
            where boxes.count < count && !boxes.contains(where: { Self.overlap($0, area.box) >= Self.sameOverlap })
                && Self.hasBothTones(image, area.box)
            {
                boxes.append(area.box)
            }
        }
    }

    /// Returns the strength of the corners in each cell: twice the smaller eigenvalue of its structure tensor, as a mean
    /// over the pixels (Shi and Tomasi, "Good features to track", 1994).
    ///
    /// Bars have none, at any angle.
    private static func strengths(_ image: LumaImage, _ width: Int, _ height: Int) -> [Float] {
        image.withUnsafePixels { pixels in
            var cells = [Float](repeating: 0, count: width * height)
            let stride = image.bytesPerRow
            for y in 0..<height {
                for x in 0..<width {
                    var (across, down, both): (Int32, Int32, Int32) = (0, 0, 0)
                    // The first row and column of the image have no neighbor before them.
                    for row in rows.lazy.map({ y * cell + $0 }) where row > 0 {
                        let start = row * stride
                        for place in start + max(1, x * cell)..<start + (x + 1) * cell {
                            let tone = Int32(pixels[place])
                            let before = tone - Int32(pixels[place - 1])
                            let above = tone - Int32(pixels[place - stride])
                            across += before * before
                            down += above * above
                            both += before * above
                        }
                    }
                    let (sum, difference) = (Float(across + down), Float(across - down))
                    let root = (difference * difference + 4 * Float(both) * Float(both)).squareRoot()
                    cells[y * width + x] = (sum - root) / Float(cell * rows.count)
                }
            }
            return cells
        }
    }

    /// Indicates whether an area has enough dark and enough light pixels: below and above the middle of its tones.
    private static func hasBothTones(_ image: LumaImage, _ box: Rectangle) -> Bool {
        let columns = Int(box.x)..<Int(box.x + box.width)
        var tones = ToneHistogram()
        image.withUnsafePixels { pixels in
            for y in stride(from: Int(box.y), to: Int(box.y + box.height), by: toneRowStep) {
                for place in y * image.bytesPerRow + columns.lowerBound..<y * image.bytesPerRow + columns.upperBound {
                    tones.add(pixels[place])
                }
            }
        }
        let middle = (tones.tone(ofShare: toneRanks.dark) + tones.tone(ofShare: toneRanks.light)) / 2
        let dark = Double(tones.counts[..<middle].reduce(0, +)) / Double(tones.total)
        return min(dark, 1 - dark) >= leastOfTone
    }

    /// Clears the cells within an outline, and those beside it, which the edge of the symbol reaches.
    private static func clear(_ cells: inout [Float], _ outline: Quadrilateral, _ width: Int, _ height: Int) {
        let box = outline.boundingBox
        guard [box.x, box.y, box.width, box.height].allSatisfy({ abs($0) < 1e9 }) else { return }
        let grown = outline.enlarged(by: 1)
        for y in (Int(box.y) - 2..<Int(box.y + box.height) + 3).clamped(to: 0..<height) {
            for x in (Int(box.x) - 2..<Int(box.x + box.width) + 3).clamped(to: 0..<width)
            where grown.contains(Point(x: Double(x) + 0.5, y: Double(y) + 0.5)) {
                cells[y * width + x] = 0
            }
        }
    }

    /// Connected cells.
    private struct Area {
        var count: Int
        /// The box in pixels.
        var box: Rectangle
    }

    /// Returns the connected areas of cells with corners that fill a rectangle.
    private static func areas(
        _ cells: [Float], _ width: Int, _ height: Int, from least: Float, ratio: Double
    ) -> [Area] {
        var isInside = [Bool](repeating: false, count: cells.count)
        for y in 1..<height - 1 {
            for x in 1..<width - 1 {
                var neighbors = 0
                for row in y - 1...y + 1 {
                    for column in x - 1...x + 1 where cells[row * width + column] > least { neighbors += 1 }
                }
                isInside[y * width + x] = neighbors >= leastNeighbors
            }
        }
        var areas: [Area] = []
        var waiting: [Int] = []
        for start in isInside.indices where isInside[start] {
            waiting.append(start)
            isInside[start] = false
            var (columns, rows) = (start % width...start % width, start / width...start / width)
            var count = 0
            var (sumX, sumY, sumXX, sumYY, sumXY) = (0.0, 0.0, 0.0, 0.0, 0.0)
            while let place = waiting.popLast() {
                let (x, y) = (place % width, place / width)
                count += 1
                columns = min(columns.lowerBound, x)...max(columns.upperBound, x)
                rows = min(rows.lowerBound, y)...max(rows.upperBound, y)
                let (dx, dy) = (Double(x), Double(y))
                sumX += dx
                sumY += dy
                sumXX += dx * dx
                sumYY += dy * dy
                sumXY += dx * dy
                // The cells at the edge are never inside.
                for next in [place - 1, place + 1, place - width, place + width] where isInside[next] {
                    isInside[next] = false
                    waiting.append(next)
                }
            }
            guard min(columns.count, rows.count) >= leastSide,
                Double(columns.count * rows.count) <= greatestShare * Double(width * height)
            else { continue }
            let total = Double(count)
            // With the spread of a cell itself.
            let spreadX = sumXX / total - sumX * sumX / (total * total) + 1.0 / 12
            let spreadY = sumYY / total - sumY * sumY / (total * total) + 1.0 / 12
            let both = sumXY / total - sumX * sumY / (total * total)
            let product = spreadX * spreadY - both * both
            let half = (spreadX + spreadY) / 2
            let root = max(0, half * half - product).squareRoot()
            // A rectangle spreads over a twelfth of the square of each of its sides.
            guard product > 0, total >= leastFilled * 12 * product.squareRoot(),
                half + root <= ratio * ratio * (half - root)
            else { continue }
            areas.append(
                Area(
                    count: count,
                    box: Rectangle(
                        x: Double(columns.lowerBound * cell), y: Double(rows.lowerBound * cell),
                        width: Double(columns.count * cell), height: Double(rows.count * cell))))
        }
        return areas
    }

    /// Returns the area that two boxes share, as a share of their union (intersection over union).
    private static func overlap(_ one: Rectangle, _ other: Rectangle) -> Double {
        let width = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
        let height = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
        guard width > 0, height > 0 else { return 0 }
        return width * height / (one.width * one.height + other.width * other.height - width * height)
    }
}
