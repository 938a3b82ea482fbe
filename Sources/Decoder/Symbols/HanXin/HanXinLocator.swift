public import BarcodeCore

/// Groups finder patterns to places of Han Xin symbols.
public struct HanXinLocator: Sendable {
    /// A place that looks like a symbol.
    public struct Candidate: Sendable, Hashable {
        /// The middles of the cores of the four finder patterns, clockwise from the top left of the symbol.
        public var cores: Quadrilateral
        /// Modules along a side, about.
        public var size: Double
        /// Pixels a module, in the mean.
        public var moduleSize: Double
        /// Whether the symbol is light on dark.
        public var isInverted: Bool
    }

    /// The places, the best first.
    public let candidates: [Candidate]

    /// How far a pattern may be from the corner of a parallelogram, as a part of half its diagonal.
    private static let reach = 0.6
    /// Patterns that are tried at a corner.
    private static let patternsPerCorner = 3
    /// How far the one at the bottom left may be from where the others say, as a part of a side: tilt moves it.
    private static let slack = 0.5
    /// Places that are given.
    private static let maximumCandidates = 24
    /// The largest and the smallest module of a symbol by one another.
    private static let largestRatio = 1.8
    /// Modules between the cores of the smallest symbol and of the largest, with room for what is measured badly.
    private static let sides = 8.0...220

    /// Looks for four patterns that may be those of one symbol.
    ///
    /// Three point outward. The one at the bottom left points inward, to that at the top right, which makes it known.
    public init(_ patterns: [CornerPattern]) {
        guard patterns.count >= 4 else {
            candidates = []
            return
        }
        var found: [(candidate: Candidate, distance: Double)] = []
        for bottomLeft in patterns {
            guard !SearchTime.isOver else { break }
            for topRight in patterns where topRight.center != bottomLeft.center {
                let (dx, dy) = (topRight.center.x - bottomLeft.center.x, topRight.center.y - bottomLeft.center.y)
                guard Self.areOfOneSize(bottomLeft, topRight), bottomLeft.points(x: dx, y: dy) > 0.6,
                    topRight.points(x: dx, y: dy) > 0.6
                else { continue }
                let middle = Point(x: bottomLeft.center.x + dx / 2, y: bottomLeft.center.y + dy / 2)
                // A quarter turn from the top right, against the clock and with it.
                let lefts = Self.nearest(
                    patterns, to: Point(x: middle.x + dy / 2, y: middle.y - dx / 2), from: middle, like: topRight)
                guard !lefts.isEmpty else { continue }
                let rights = Self.nearest(
                    patterns, to: Point(x: middle.x - dy / 2, y: middle.y + dx / 2), from: middle, like: topRight)
                for topLeft in lefts {
                    for bottomRight in rights {
                        guard let place = Self.place(topLeft, topRight, bottomRight, bottomLeft) else { continue }
                        found.append(place)
                    }
                }
            }
        }
        candidates = found.sorted { $0.distance < $1.distance }.prefix(Self.maximumCandidates).map(\.candidate)
    }

    private static func areOfOneSize(_ one: CornerPattern, _ other: CornerPattern) -> Bool {
        one.isInverted == other.isInverted
            && max(one.module, other.module) <= largestRatio * min(one.module, other.module)
    }

    /// The patterns nearest to a corner that point away from the middle.
    private static func nearest(
        _ patterns: [CornerPattern], to corner: Point, from middle: Point, like one: CornerPattern
    ) -> [CornerPattern] {
        let (rx, ry) = (corner.x - middle.x, corner.y - middle.y)
        let limit = reach * reach * (rx * rx + ry * ry)
        func distance(_ pattern: CornerPattern) -> Double {
            let (dx, dy) = (pattern.center.x - corner.x, pattern.center.y - corner.y)
            return dx * dx + dy * dy
        }
        let near = patterns.filter {
            distance($0) < limit && areOfOneSize($0, one)
                && $0.points(x: $0.center.x - middle.x, y: $0.center.y - middle.y) > 0.5
        }
        return Array(near.sorted { distance($0) < distance($1) }.prefix(patternsPerCorner))
    }

    /// The place that four patterns make, and how far the last is from where the others say; nil where that is too far.
    private static func place(
        _ topLeft: CornerPattern, _ topRight: CornerPattern, _ bottomRight: CornerPattern, _ bottomLeft: CornerPattern
    ) -> (candidate: Candidate, distance: Double)? {
        guard let size = size(topLeft, topRight, bottomRight) else { return nil }
        let (a, b, c) = (topLeft.center, topRight.center, bottomRight.center)
        // Four modules to the left, and down to the last but one and a half.
        let (across, down) = (-4 / (size.modules - 11), (size.modules - 7) / (size.modules - 11))
        let expected = Point(
            x: a.x + across * (b.x - a.x) + down * (c.x - b.x), y: a.y + across * (b.y - a.y) + down * (c.y - b.y))
        let (dx, dy) = (bottomLeft.center.x - expected.x, bottomLeft.center.y - expected.y)
        let distance = (dx * dx + dy * dy).squareRoot() / (size.module * (size.modules - 11))
        guard distance < slack else { return nil }
        let candidate = Candidate(
            cores: Quadrilateral(topLeft: a, topRight: b, bottomRight: c, bottomLeft: bottomLeft.center),
            size: size.modules, moduleSize: size.module, isInverted: topRight.isInverted)
        return (candidate, distance)
    }

    /// Modules along a side and pixels of one, from the sides beside the top right corner.
    private static func size(
        _ topLeft: CornerPattern, _ topRight: CornerPattern, _ bottomRight: CornerPattern
    ) -> (modules: Double, module: Double)? {
        var modules = 0.0
        var module = 0.0
        for other in [topLeft, bottomRight] {
            let (x, y) = (other.center.x - topRight.center.x, other.center.y - topRight.center.y)
            let mean = (topRight.module + other.module) / 2
            let count = (x * x + y * y).squareRoot() / max(mean, 0.1)
            guard sides.contains(count) else { return nil }
            modules += count / 2
            module += mean / 2
        }
        // From core to core it is eleven modules less than from edge to edge.
        return (modules + 11, module)
    }
}
