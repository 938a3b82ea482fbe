internal import BarcodeCore
internal import Glibc

/// A module grid with uneven columns and rows, positioned by the dotted sides of the symbol.
struct DataMatrixUnevenGrid {
    /// The homography to pixels from the unit square between the outer edges of the solid sides and the centers of
    /// the dotted sides' modules.
    private let map: Homography
    /// The columns, along the dotted side at the top, from the left.
    private let across: DataMatrixTiming
    /// The rows, along the dotted side at the right, from the bottom.
    private let up: DataMatrixTiming

    /// The possible numbers of modules along a side, ascending.
    private static let counts = Array(Set(DataMatrixSize.all.flatMap { [$0.columns, $0.rows] })).sorted()
    /// The maximum number of these tried along a side, and of grids in all.
    private static let countsPerSide = 3
    private static let maximumGrids = 4
    /// The minimum alternation of dark and light along a side and along both.
    ///
    /// The lowest of the symbols that were read are 0.57 and 1.16; false candidates have up to 0.55 along one side.
    private static let minimumScore: Float = 0.42
    private static let minimumSum: Float = 0.95

    /// The alternation of dark and light along both sides.
    private var score: Float { across.score + up.score }

    /// Returns the grids that fit best, best first.
    static func candidates(
        _ pixels: PixelSampler, corners: Quadrilateral, columns: Double, rows: Double, isInverted: Bool
    ) -> [DataMatrixUnevenGrid] {
        guard columns >= 4, rows >= 4,
            let top = DottedLine(
                pixels, from: corners.topLeft, to: corners.topRight, inwardFrom: corners.bottomLeft,
                inwardTo: corners.bottomRight, modules: columns, depth: rows),
            let right = DottedLine(
                pixels, from: corners.bottomRight, to: corners.topRight, inwardFrom: corners.bottomLeft,
                inwardTo: corners.topLeft, modules: rows, depth: columns)
        else { return [] }
        let left = DottedLine(corners.bottomLeft, corners.topLeft)
        let bottom = DottedLine(corners.bottomLeft, corners.bottomRight)
        guard let topLeft = left.crossing(top), let topRight = top.crossing(right),
            let bottomRight = right.crossing(bottom),
            let map = Homography(
                unitSquareTo: Quadrilateral(
                    topLeft: topLeft, topRight: topRight, bottomRight: bottomRight, bottomLeft: corners.bottomLeft))
        else { return [] }
        let across = timings(pixels, near: top.changes, isInverted: isInverted) { map.map($0, 0) }
        guard !across.isEmpty else { return [] }
        let up = timings(pixels, near: right.changes, isInverted: isInverted) { map.map(1, 1 - $0) }
        let grids = across.flatMap { across in
            up.map { DataMatrixUnevenGrid(map: map, across: across, up: $0) }
                .filter { $0.score >= minimumSum && isSize(across.edges.count, $0.up.edges.count) }
        }
        return Array(grids.sorted { $0.score > $1.score }.prefix(maximumGrids))
    }

    private static func isSize(_ columns: Int, _ rows: Int) -> Bool {
        DataMatrixSize(columns: columns, rows: rows) != nil || DataMatrixSize(columns: rows, rows: columns) != nil
    }

    private static func timings(
        _ pixels: PixelSampler, near changes: Int, isInverted: Bool, place: (Double) -> Point
    ) -> [DataMatrixTiming] {
        // Blur hides transitions, and the quiet zone may add one.
        let likely = counts.filter { $0 >= changes - 2 && $0 <= changes + changes / 3 + 4 }
        let all = likely.compactMap { DataMatrixTiming(pixels, count: $0, isInverted: isInverted, place: place) }
            .filter { $0.score >= minimumScore }
        return Array(all.sorted { $0.score > $1.score }.prefix(countsPerSide))
    }

    /// The outer corners in pixels.
    var corners: Quadrilateral {
        let (left, right) = (across.edges.first ?? 0, across.end)
        let (bottom, top) = (1 - (up.edges.first ?? 0), 1 - up.end)
        return Quadrilateral(
            topLeft: map.map(left, top), topRight: map.map(right, top), bottomRight: map.map(right, bottom),
            bottomLeft: map.map(left, bottom))
    }

    /// Samples the brightness of the modules.
    func samples(_ pixels: PixelSampler) -> ModuleSamples {
        let columns = across.centers
        let rows = up.centers.reversed().map { 1 - $0 }
        let (stepX, stepY) = (0.2 / Double(columns.count), 0.2 / Double(rows.count))
        let isLarge = ModuleSamples.moduleArea(map, width: 1, height: 1) > 9 * Double(columns.count * rows.count)
        var values: [Float] = []
        values.reserveCapacity(columns.count * rows.count)
        var outside: [Int] = []
        for y in rows {
            for x in columns {
                let center = map.map(x, y)
                if !pixels.contains(center) { outside.append(values.count) }
                var value = pixels.brightness(center)
                if isLarge {
                    for (dx, dy) in [(-stepX, 0), (stepX, 0), (0, -stepY), (0, stepY)] {
                        value += pixels.brightness(map.map(x + dx, y + dy))
                    }
                    value /= 5
                }
                values.append(value)
            }
        }
        return ModuleSamples(width: columns.count, height: rows.count, values: values, outside: outside)
    }
}

/// A line through the centers of the modules along a dotted side.
private struct DottedLine {
    let from, to: Point
    /// The number of transitions along the line.
    var changes = 0

    /// The distances from the side to search, in steps (every second one first), and the size of a step in modules.
    private static let depths = -3...7
    private static let depthStep = 0.22
    /// The maximum difference in steps between the distances at both ends.
    private static let largestSlope = 5
    /// The minimum number of transitions: one less than the fewest modules, less two that blur may hide.
    private static let leastChanges = 5
    /// The approximate number of samples per module along the line.
    private static let looksPerModule = 6.0
    private static let looks = 40.0...600

    init(_ from: Point, _ to: Point) { (self.from, self.to) = (from, to) }

    /// Finds the line near a side along which brightness varies most; `nil` if it has too few transitions.
    ///
    /// - Parameters:
    ///   - modules: the approximate number of modules along the side.
    ///   - depth: the same for the adjacent sides.
    init?(
        _ pixels: PixelSampler, from: Point, to: Point, inwardFrom: Point, inwardTo: Point, modules: Double,
        depth: Double
    ) {
        let length = from.distance(to: to)
        guard length >= 6, length < 1e5 else { return nil }
        let count = min(max(min(length, Self.looksPerModule * modules), Self.looks.lowerBound), Self.looks.upperBound)
        var values = [Float](repeating: 0, count: Int(count))
        func line(_ one: Int, _ other: Int) -> DottedLine {
            func moved(_ point: Point, toward other: Point, _ steps: Int) -> Point {
                let share = Double(steps) * Self.depthStep / depth
                return Point(x: point.x + share * (other.x - point.x), y: point.y + share * (other.y - point.y))
            }
            return DottedLine(moved(from, toward: inwardFrom, one), moved(to, toward: inwardTo, other))
        }
        var best: (variation: Float, one: Int, other: Int) = (0, 0, 0)
        func look(_ one: Int, _ other: Int) {
            guard abs(one - other) <= Self.largestSlope else { return }
            line(one, other).sample(pixels, into: &values)
            var variation: Float = 0
            for index in 1..<values.count { variation += abs(values[index] - values[index - 1]) }
            if variation > best.variation { best = (variation, one, other) }
        }
        for one in stride(from: Self.depths.lowerBound, through: Self.depths.upperBound, by: 2) {
            for other in stride(from: Self.depths.lowerBound, through: Self.depths.upperBound, by: 2) {
                look(one, other)
            }
        }
        let (one, other) = (best.one, best.other)
        for near in -1...1 {
            for far in -1...1 where near != 0 || far != 0 { look(one + near, other + far) }
        }
        self = line(best.one, best.other)
        sample(pixels, into: &values)
        changes = Self.changes(values)
        guard changes >= Self.leastChanges else { return nil }
    }

    private func sample(_ pixels: PixelSampler, into values: inout [Float]) {
        for index in values.indices {
            let t = (Double(index) + 0.5) / Double(values.count)
            values[index] = pixels.brightness(Point(x: from.x + t * (to.x - from.x), y: from.y + t * (to.y - from.y)))
        }
    }

    /// Counts the transitions between dark and light, with hysteresis against noise.
    private static func changes(_ values: [Float]) -> Int {
        guard let low = values.min(), let high = values.max(), high > low else { return 0 }
        var count = 0
        var isDark = values[0] < (low + high) / 2
        for value in values {
            let share = (value - low) / (high - low)
            if isDark ? share > 0.58 : share < 0.42 {
                isDark.toggle()
                count += 1
            }
        }
        return count
    }

    /// Returns the intersection of two lines; `nil` for parallel ones.
    func crossing(_ other: DottedLine) -> Point? {
        let (ax, ay) = (to.x - from.x, to.y - from.y)
        let (bx, by) = (other.to.x - other.from.x, other.to.y - other.from.y)
        let determinant = ax * by - ay * bx
        guard abs(determinant) > 1e-6 else { return nil }
        let t = ((other.from.x - from.x) * by - (other.from.y - from.y) * bx) / determinant
        guard abs(t) < 4 else { return nil }
        return Point(x: from.x + t * ax, y: from.y + t * ay)
    }
}
