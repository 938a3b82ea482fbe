internal import BarcodeCore
internal import Glibc

/// A module grid with uneven columns and rows, positioned by the dotted sides of the symbol.
struct DataMatrixUnevenGrid {
    /// The homography to pixels from the unit square between the outer edges of the solid sides and the centers of
    /// the dotted sides' modules.
    private let map: Homography
    /// The bends of the sides.
    private let bends: Bends
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

    /// The minimum number of transitions along a bent side for each module that was expected.
    private static let minimumBentChanges = 0.6

    /// The alternation of dark and light along both sides.
    private var score: Float { across.score + up.score }

    /// Returns the grids that fit best, best first.
    ///
    /// - Parameter isBent: true for a symbol around a can, whose sides are bent; they are straight otherwise.
    static func candidates(
        _ pixels: PixelSampler, corners: Quadrilateral, columns: Double, rows: Double, isInverted: Bool, isBent: Bool
    ) -> [DataMatrixUnevenGrid] {
        guard columns >= 4, rows >= 4 else { return [] }
        let whole = (
            top: SideLine.Area(
                from: corners.topLeft, to: corners.topRight, inwardFrom: corners.bottomLeft,
                inwardTo: corners.bottomRight, modules: columns, depth: rows),
            right: SideLine.Area(
                from: corners.bottomRight, to: corners.topRight, inwardFrom: corners.bottomLeft,
                inwardTo: corners.topLeft, modules: rows, depth: columns),
            bottom: SideLine.Area(
                from: corners.bottomLeft, to: corners.bottomRight, inwardFrom: corners.topLeft,
                inwardTo: corners.topRight, modules: columns, depth: rows),
            left: SideLine.Area(
                from: corners.bottomLeft, to: corners.topLeft, inwardFrom: corners.bottomRight,
                inwardTo: corners.topRight, modules: rows, depth: columns)
        )
        guard let top = SideLine(pixels, dotted: whole.top, isBent: isBent),
            let right = SideLine(pixels, dotted: whole.right, isBent: isBent),
            // Straight lines were tried before, and in texture most lines have few transitions.
            !isBent || top.isBent || right.isBent,
            !isBent
                || min(
                    Double(top.changes) / columns, Double(right.changes) / rows) >= minimumBentChanges
        else { return [] }
        let left =
            isBent
            ? SideLine(pixels, solid: whole.left, isInverted: isInverted)
            : SideLine(corners.bottomLeft, corners.topLeft)
        let bottom =
            isBent
            ? SideLine(pixels, solid: whole.bottom, isInverted: isInverted)
            : SideLine(corners.bottomLeft, corners.bottomRight)
        guard let topLeft = left.crossing(top), let topRight = top.crossing(right),
            let bottomRight = right.crossing(bottom), let bottomLeft = bottom.crossing(left),
            let map = Homography(
                unitSquareTo: Quadrilateral(
                    topLeft: topLeft, topRight: topRight, bottomRight: bottomRight, bottomLeft: bottomLeft))
        else { return [] }
        let bends = Bends(
            top: top.bend(in: map).y, right: right.bend(in: map).x, bottom: bottom.bend(in: map).y,
            left: left.bend(in: map).x)
        let across = timings(pixels, near: top.changes, isInverted: isInverted) { bends.point(map, $0, 0) }
        guard !across.isEmpty else { return [] }
        let up = timings(pixels, near: right.changes, isInverted: isInverted) { bends.point(map, 1, 1 - $0) }
        let grids = across.flatMap { across in
            up.map { DataMatrixUnevenGrid(map: map, bends: bends, across: across, up: $0) }
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
                let center = bends.point(map, x, y)
                if !pixels.contains(center) { outside.append(values.count) }
                var value = pixels.brightness(center)
                if isLarge {
                    for (dx, dy) in [(-stepX, 0), (stepX, 0), (0, -stepY), (0, stepY)] {
                        value += pixels.brightness(bends.point(map, x + dx, y + dy))
                    }
                    value /= 5
                }
                values.append(value)
            }
        }
        return ModuleSamples(width: columns.count, height: rows.count, values: values, outside: outside)
    }
}

/// The distance of the middle of each side from the line between its ends, in the unit square of a grid.
private struct Bends {
    var top, right, bottom, left: Double

    /// Returns the point in pixels at a point of the unit square; between opposite sides the bend changes evenly.
    func point(_ map: Homography, _ x: Double, _ y: Double) -> Point {
        map.map(
            x + 4 * y * (1 - y) * (left + (right - left) * x), y + 4 * x * (1 - x) * (top + (bottom - top) * y))
    }
}

/// A line along a side of the symbol: straight, or a parabola.
private struct SideLine {
    let from, to: Point
    /// The distance of the middle from half-way between the ends, in pixels.
    private var bend = Point(x: 0, y: 0)
    /// The number of transitions along the line.
    var changes = 0
    var isBent: Bool { bend.x != 0 || bend.y != 0 }

    /// A side, the ends of the opposite one, and the approximate number of modules along both and between them.
    struct Area {
        let from, to, inwardFrom, inwardTo: Point
        let modules, depth: Double

        /// Returns the line at distances from the side in steps: at its ends, and of its middle from half-way.
        func line(_ one: Int, _ other: Int, bend: Int) -> SideLine {
            let step = SideLine.depthStep / depth
            func inward(_ point: Point, _ other: Point, _ steps: Int) -> Point {
                Point(x: Double(steps) * step * (other.x - point.x), y: Double(steps) * step * (other.y - point.y))
            }
            let (first, second) = (inward(from, inwardFrom, one), inward(to, inwardTo, other))
            var line = SideLine(
                Point(x: from.x + first.x, y: from.y + first.y), Point(x: to.x + second.x, y: to.y + second.y))
            let (left, right) = (inward(from, inwardFrom, bend), inward(to, inwardTo, bend))
            line.bend = Point(x: (left.x + right.x) / 2, y: (left.y + right.y) / 2)
            return line
        }

        /// The bends that are tried, in steps.
        func bends(_ isBent: Bool) -> [Int] {
            let most = isBent ? Int(SideLine.largestBend * min(modules, SideLine.mostModules) / SideLine.depthStep) : 0
            return Array(stride(from: -most, through: most, by: SideLine.bendSteps))
        }
    }

    /// The distances from the side to search, in steps (every second one first), and the size of a step in modules.
    private static let depths = -3...7
    private static let depthStep = 0.22
    /// The same for a solid side, which is already located.
    private static let solidDepths = -4...4
    /// The cost of a step from the middle, as a share of the score, which is nearly the same anywhere in a module.
    private static let costOfDistance: Float = 0.004
    /// The maximum difference in steps between the distances at both ends.
    private static let largestSlope = 5
    /// The maximum bend as a share of the length: half of a can seen from 24 degrees above.
    private static let largestBend = 0.2
    /// The largest number of modules along a side.
    private static let mostModules = 144.0
    /// The distance of the bends that are tried, in steps.
    private static let bendSteps = 2
    /// The minimum number of transitions: one less than the fewest modules, less two that blur may hide.
    private static let leastChanges = 5
    /// The approximate number of samples per module along the line.
    private static let looksPerModule = 6.0
    private static let looks = 40.0...600

    init(_ from: Point, _ to: Point) { (self.from, self.to) = (from, to) }

    /// Finds the line near a dotted side along which brightness varies most; `nil` if it has too few transitions.
    init?(_ pixels: PixelSampler, dotted side: Area, isBent: Bool) {
        let length = side.from.distance(to: side.to)
        guard length >= 6, length < 1e5 else { return nil }
        let count = min(
            max(min(length, (isBent ? 0.5 : 1) * Self.looksPerModule * side.modules), Self.looks.lowerBound),
            Self.looks.upperBound)
        var values = [Float](repeating: 0, count: Int(count))
        self = Self.best(of: side, depths: Self.depths, isBent: isBent) { line in
            line(0).sample(pixels, into: &values)
            var variation: Float = 0
            for index in 1..<values.count { variation += abs(values[index] - values[index - 1]) }
            return variation
        }
        sample(pixels, into: &values)
        changes = Self.changes(values)
        guard changes >= Self.leastChanges else { return nil }
    }

    /// Finds the line near a solid side across which the contrast is highest.
    init(_ pixels: PixelSampler, solid side: Area, isInverted: Bool) {
        var values = [Float](repeating: 0, count: Int(Self.looks.lowerBound))
        self = Self.best(of: side, depths: Self.solidDepths, isBent: true) { line in
            line(-1).sample(pixels, into: &values)
            let outside = values.reduce(0, +)
            line(1).sample(pixels, into: &values)
            let contrast = outside - values.reduce(0, +)
            return isInverted ? -contrast : contrast
        }
    }

    /// Returns the line with the highest score: every second one is tried, then those near the best.
    ///
    /// - Parameter score: is called with a function that returns the line some steps farther inward.
    private static func best(
        of side: Area, depths: ClosedRange<Int>, isBent: Bool, score: ((Int) -> SideLine) -> Float
    ) -> SideLine {
        // Of a dotted side the middle of its modules, of a solid one its edge.
        let middle = (depths.lowerBound + depths.upperBound) / 2
        var best: (score: Float, one: Int, other: Int, bend: Int) = (0, 0, 0, 0)
        func look(_ one: Int, _ other: Int, _ bend: Int) {
            guard abs(one - other) <= largestSlope else { return }
            let away = abs(one - middle) + abs(other - middle) + abs(bend)
            let value =
                score { side.line(one + $0, other + $0, bend: bend) } * (1 - costOfDistance * Float(away))
            if value > best.score { best = (value, one, other, bend) }
        }
        for bend in side.bends(isBent) {
            for one in stride(from: depths.lowerBound, through: depths.upperBound, by: 2) {
                for other in stride(from: depths.lowerBound, through: depths.upperBound, by: 2) {
                    look(one, other, bend)
                }
            }
        }
        let (one, other, bend) = (best.one, best.other, best.bend)
        for near in -1...1 {
            for far in -1...1 {
                for more in isBent ? -1...1 : 0...0 where (near, far, more) != (0, 0, 0) {
                    look(one + near, other + far, bend + more)
                }
            }
        }
        return side.line(best.one, best.other, bend: best.bend)
    }

    /// Returns the distance of the middle from half-way between the ends, in the unit square of a transform.
    func bend(in map: Homography) -> Point {
        guard isBent else { return bend }
        let middle = Point(x: (from.x + to.x) / 2, y: (from.y + to.y) / 2)
        let back = map.inverse
        let (straight, bent) = (back.map(middle), back.map(Point(x: middle.x + bend.x, y: middle.y + bend.y)))
        return Point(x: bent.x - straight.x, y: bent.y - straight.y)
    }

    private func sample(_ pixels: PixelSampler, into values: inout [Float]) {
        let (across, down) = (to.x - from.x, to.y - from.y)
        let share = 1 / Double(values.count)
        let isInside = isInside(pixels)
        values.withUnsafeMutableBufferPointer { values in
            for index in values.indices {
                let t = (Double(index) + 0.5) * share
                let bump = 4 * t * (1 - t)
                let point = Point(x: from.x + t * across + bump * bend.x, y: from.y + t * down + bump * bend.y)
                values[index] = isInside ? pixels.brightnessInside(point) : pixels.brightness(point)
            }
        }
    }

    /// Indicates whether the whole line is so far inside the picture that no point needs a bounds check.
    private func isInside(_ pixels: PixelSampler) -> Bool {
        let (reachX, reachY) = (abs(bend.x), abs(bend.y))
        let (left, right) = (min(from.x, to.x) - reachX, max(from.x, to.x) + reachX)
        let (top, bottom) = (min(from.y, to.y) - reachY, max(from.y, to.y) + reachY)
        guard left <= right, top <= bottom else { return false }
        return pixels.isInside((left...right, top...bottom))
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
    func crossing(_ other: SideLine) -> Point? {
        let (ax, ay) = (to.x - from.x, to.y - from.y)
        let (bx, by) = (other.to.x - other.from.x, other.to.y - other.from.y)
        let determinant = ax * by - ay * bx
        guard abs(determinant) > 1e-6 else { return nil }
        let t = ((other.from.x - from.x) * by - (other.from.y - from.y) * bx) / determinant
        guard abs(t) < 4 else { return nil }
        return Point(x: from.x + t * ax, y: from.y + t * ay)
    }
}
