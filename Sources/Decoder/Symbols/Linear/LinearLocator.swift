public import BarcodeCore
internal import Glibc

/// Finds regions of parallel bars, at any angle, in a gray image.
///
/// It joins blocks that have a strong gradient in a single direction to neighbors of a similar direction. It finds
/// bars of about 0.7 to 8 pixels a module; wider ones are found in a smaller image.
public struct LinearLocator: Sendable {
    /// The mean squared gradient below which a block is blank; the gradient is a difference across two pixels.
    ///
    /// Bars with a contrast of 10 of 255 and an edge in every fourth pixel have 25; the noise of a sensor in good
    /// light has less than 10.
    private static let smallestEnergy: Float = 16
    /// The smallest share of the gradient in one direction (coherence), 0 to 1, of a block of bars: text has less
    /// than about 0.5.
    private static let smallestCoherence: Float = 0.6
    /// The cosine of twice the largest angle between the direction of a block and that of its region: 12 degrees.
    private static let likeDirection: Float = 0.91
    /// The smallest length of a region, in pixels: a UPC-E at one pixel a module has 51.
    private static let smallestLength = 40.0
    /// The shorter side in pixels below which an image has too few blocks and is taken as a single region.
    private static let thinSide = 3 * GradientBlocks.side

    /// The regions, by area, descending.
    public let regions: [LinearRegion]

    /// Finds the regions of bars in `image`.
    ///
    /// - Parameter places: the outlines of decoded symbols, whose bars are excluded.
    public init(_ image: LumaImage, excluding places: [Quadrilateral] = []) {
        guard min(image.width, image.height) >= Self.thinSide else {
            regions = Self.thin(image).map { [$0] } ?? []
            return
        }
        let blocks = GradientBlocks(image).smoothed()
        let groups = Self.groups(in: blocks, excluding: places)
        regions = LinearRegionMerge.merged(groups.compactMap { Self.region($0, blocks) })
            .filter { $0.length >= Self.smallestLength }
            .sorted { $0.length * $0.height > $1.length * $1.height }
    }

    /// Returns the only region of an image of few rows or columns; `nil` if the image is too small.
    private static func thin(_ image: LumaImage) -> LinearRegion? {
        let (width, height) = (Double(image.width), Double(image.height))
        guard image.pixelCount > 0, max(width, height) >= smallestLength else { return nil }
        return LinearRegion(
            center: Point(x: width / 2, y: height / 2), angle: width >= height ? 0 : .pi / 2,
            length: max(width, height), height: min(width, height), confidence: 0)
    }

    /// Groups neighboring blocks with the same direction (connected components).
    private static func groups(in blocks: GradientBlocks, excluding places: [Quadrilateral]) -> [[Int]] {
        let count = blocks.columns * blocks.rows
        // The unit vector at twice the angle, so that opposite directions are equal.
        var cosine = [Float](repeating: 0, count: count)
        var sine = cosine
        var isFree = [Bool](repeating: false, count: count)
        for block in 0..<count {
            let energy = blocks.xx[block] + blocks.yy[block]
            guard energy >= smallestEnergy else { continue }
            let difference = blocks.xx[block] - blocks.yy[block]
            let length = (difference * difference + 4 * blocks.xy[block] * blocks.xy[block]).squareRoot()
            guard length >= smallestCoherence * energy else { continue }
            cosine[block] = difference / length
            sine[block] = 2 * blocks.xy[block] / length
            isFree[block] = true
        }
        for place in places { exclude(place, blocks, &isFree) }
        var groups: [[Int]] = []
        for seed in 0..<count where isFree[seed] {
            isFree[seed] = false
            var group = [seed]
            var (sumCosine, sumSine) = (cosine[seed], sine[seed])
            var next = 0
            while next < group.count {
                let block = group[next]
                next += 1
                let (row, column) = (block / blocks.columns, block % blocks.columns)
                for y in max(0, row - 1)...min(blocks.rows - 1, row + 1) {
                    for x in max(0, column - 1)...min(blocks.columns - 1, column + 1) {
                        let other = y * blocks.columns + x
                        guard isFree[other] else { continue }
                        let length = (sumCosine * sumCosine + sumSine * sumSine).squareRoot()
                        let likeness = cosine[other] * sumCosine + sine[other] * sumSine
                        guard likeness >= likeDirection * length else { continue }
                        isFree[other] = false
                        group.append(other)
                        sumCosine += cosine[other]
                        sumSine += sine[other]
                    }
                }
            }
            groups += LinearGroupSplit.parts(of: group, in: blocks)
        }
        return groups
    }

    /// Excludes the blocks of a decoded symbol, and those beside it into which it was smoothed.
    private static func exclude(_ place: Quadrilateral, _ blocks: GradientBlocks, _ isFree: inout [Bool]) {
        let side = Double(GradientBlocks.side)
        // Half a block, and one block of smoothing, on each side.
        let grown = place.widened(by: 1.5 * side)
        let box = grown.boundingBox
        func range(_ from: Double, _ length: Double, _ count: Int) -> Range<Int> {
            let first = min(max(0, Int(from / side)), count)
            return first..<min(max(first, Int((from + length) / side) + 1), count)
        }
        for row in range(box.y, box.height, blocks.rows) {
            for column in range(box.x, box.width, blocks.columns)
            where grown.contains(Point(x: (Double(column) + 0.5) * side, y: (Double(row) + 0.5) * side)) {
                isFree[row * blocks.columns + column] = false
            }
        }
    }

    /// Returns the rectangle around a group of blocks; `nil` if it is too small for a symbol.
    private static func region(_ group: [Int], _ blocks: GradientBlocks) -> LinearRegion? {
        let (angle, coherence) = blocks.direction(of: group)
        var region = LinearRegion(
            center: Point(x: 0, y: 0), angle: angle, length: 0, height: 0, confidence: coherence)
        let (a, b) = (region.across, region.along)
        let side = Double(GradientBlocks.side)
        var us: [Double] = []
        var vs: [Double] = []
        for block in group {
            let center = blocks.center(of: block)
            us.append(center.x * a.x + center.y * a.y)
            vs.append(center.x * b.x + center.y * b.y)
        }
        us.sort()
        vs.sort()
        // Ignore a few blocks that stick out, as where bars touch the edge of a label.
        let cut = group.count / 50
        let (u0, u1) = (us[cut] - side / 2, us[us.count - 1 - cut] + side / 2)
        let (v0, v1) = (vs[cut] - side / 2, vs[vs.count - 1 - cut] + side / 2)
        region.length = u1 - u0
        region.height = v1 - v0
        region.center = region.point((u0 + u1) / 2, (v0 + v1) / 2)
        region.coverage = Double(group.count) * side * side / (region.length * region.height)
        // A single line or edge is as narrow as the smoothing makes it: three blocks.
        guard region.length > 3.5 * side || region.height > 3.5 * side else { return nil }
        return region
    }
}

extension Quadrilateral {
    /// Returns the outline with each side moved outward by about `margin` pixels.
    fileprivate func widened(by margin: Double) -> Quadrilateral {
        func unit(_ from: Point, _ to: Point) -> Point {
            let (x, y) = (to.x - from.x, to.y - from.y)
            let length = max(1e-9, (x * x + y * y).squareRoot())
            return Point(x: margin * x / length, y: margin * y / length)
        }
        let (right, down) = (unit(topLeft, topRight), unit(topLeft, bottomLeft))
        func moved(_ point: Point, _ across: Double, _ along: Double) -> Point {
            Point(x: point.x + across * right.x + along * down.x, y: point.y + across * right.y + along * down.y)
        }
        return Quadrilateral(
            topLeft: moved(topLeft, -1, -1), topRight: moved(topRight, 1, -1), bottomRight: moved(bottomRight, 1, 1),
            bottomLeft: moved(bottomLeft, -1, 1))
    }
}
