public import BarcodeCore

/// Groups finder patterns into candidate Han Xin symbols.
public struct HanXinLocator: Sendable {
    /// A candidate symbol.
    public struct Candidate: Sendable, Hashable {
        /// The centers of the cores of the four finder patterns in pixels, clockwise from the top left of the symbol.
        public var cores: Quadrilateral
        /// The approximate number of modules along a side.
        public var size: Double
        /// The mean module size in pixels.
        public var moduleSize: Double
        /// Indicates whether the symbol is light on dark.
        public var isInverted: Bool
    }

    /// The candidates, best first.
    public let candidates: [Candidate]

    /// The maximum distance of a pattern from the corner of a parallelogram, as a share of half its diagonal.
    private static let reach = 0.6
    /// The maximum number of patterns tried at a corner.
    private static let patternsPerCorner = 3
    /// The maximum distance of the bottom left pattern from its predicted location, as a share of a side: tilt moves
    /// it.
    private static let slack = 0.5
    /// The maximum number of candidates returned.
    private static let maximumCandidates = 24
    /// The maximum ratio of the module sizes within a symbol.
    private static let largestRatio = 1.8
    /// The modules between the cores of the smallest symbol and of the largest, with a margin for inaccurate
    /// measurement.
    private static let sides = 8.0...220

    /// Searches for four patterns that may belong to one symbol.
    ///
    /// Three of them point outward. The bottom left one points inward, toward the top right one, which identifies it.
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
                // A quarter turn from the top right, counterclockwise and clockwise.
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

    /// Returns the patterns nearest to a corner that point away from the middle.
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

    /// Returns the candidate of four patterns, and the distance of the bottom left one from its predicted location;
    /// `nil` if that is too far.
    private static func place(
        _ topLeft: CornerPattern, _ topRight: CornerPattern, _ bottomRight: CornerPattern, _ bottomLeft: CornerPattern
    ) -> (candidate: Candidate, distance: Double)? {
        guard let size = size(topLeft, topRight, bottomRight) else { return nil }
        let (a, b, c) = (topLeft.center, topRight.center, bottomRight.center)
        // The bottom left core is four modules left of the top left one, and 1.5 modules above the bottom edge.
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

    /// Returns the modules along a side and the module size in pixels, from the two sides at the top right corner.
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
        // The distance from core to core is eleven modules less than the side.
        return (modules + 11, module)
    }
}
