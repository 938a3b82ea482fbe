public import BarcodeCore

/// A start or stop pattern found in an image: the side at which codewords begin or end.
public struct PDF417Side: Sendable, Hashable {
    /// The kind of pattern.
    public enum Kind: Sendable, Hashable {
        /// The pattern at the left of the upright symbol, 17 modules wide.
        case start
        /// The pattern at the right, 18 modules wide.
        case stop
        /// The row address patterns at the left of an upright MicroPDF417 symbol, 10 modules wide.
        case rowAddress

        /// The width of the pattern, in modules.
        public var width: Double {
            switch self {
            case .start: 17
            case .stop: 18
            case .rowAddress: 10
            }
        }
    }

    /// The kind of pattern.
    public var kind: Kind
    /// True if the pattern is light on dark.
    public var isInverted: Bool
    /// The points of its border with the codewords, from the first row to the last of the upright symbol.
    public private(set) var points: [Point]
    /// The module size across the pattern, in pixels.
    public private(set) var module: Double
    /// The unit vector of the rows, perpendicular to the pattern, from the start of the symbol to its stop.
    public private(set) var direction: Point

    /// Creates a side from a pattern found on several lines; `nil` if the points do not define a direction.
    ///
    /// - Parameters:
    ///   - kind: the kind of pattern.
    ///   - inner: the points of its border with the codewords, in the order of the lines.
    ///   - outer: the points of its border with the quiet zone, on the same lines.
    ///   - isInverted: true if the pattern is light on dark.
    public init?(_ kind: Kind, inner: [Point], outer: [Point], isInverted: Bool) {
        guard inner.count >= 2, inner.count == outer.count, let first = inner.first, let last = inner.last else {
            return nil
        }
        let length = last.distance(to: first)
        guard length > 1 else { return nil }
        // The direction of the whole edge, from the means of its halves, which are more stable than its ends.
        let half = inner.count / 2
        let from = Self.mean(inner[..<half])
        let to = Self.mean(inner[(inner.count - half)...])
        let span = to.distance(to: from)
        guard span > 0.5 else { return nil }
        var along = Point(x: (to.x - from.x) / span, y: (to.y - from.y) / span)
        var across = Point(x: along.y, y: -along.x)
        let (innerMean, outerMean) = (Self.mean(inner[...]), Self.mean(outer[...]))
        var width = (innerMean.x - outerMean.x) * across.x + (innerMean.y - outerMean.y) * across.y
        if kind == .stop { width = -width }
        var ordered = inner
        if width < 0 {
            // In an upright symbol, down is clockwise from the direction of the rows.
            along = Point(x: -along.x, y: -along.y)
            across = Point(x: -across.x, y: -across.y)
            width = -width
            ordered.reverse()
        }
        self.kind = kind
        self.isInverted = isInverted
        direction = across
        module = width / kind.width
        points = Self.smoothed(ordered)
        guard module > 0.5, module.isFinite else { return nil }
    }

    /// Returns the pattern in an image that is `factor` times as large.
    public func scaled(by factor: Double) -> PDF417Side {
        var result = self
        result.points = points.map { Point(x: $0.x * factor, y: $0.y * factor) }
        result.module *= factor
        return result
    }

    /// Returns the same pattern with the direction of its rows rotated clockwise, as images are shown.
    func turned(degrees: Double) -> PDF417Side {
        var result = self
        result.direction = direction.turned(degrees: degrees)
        return result
    }

    /// Returns the same pattern with the rows in the direction of the lines on which it was found, as in a symbol that
    /// is tilted up or down; `nil` if that is much the same.
    ///
    /// - Parameters:
    ///   - inner: the points of its border with the codewords, in the order of the lines.
    ///   - outer: the points of its border with the quiet zone, on the same lines.
    func alongLines(inner: [Point], outer: [Point]) -> PDF417Side? {
        let (from, to) = (Self.mean(outer[...]), Self.mean(inner[...]))
        let length = to.distance(to: from)
        guard length > 1 else { return nil }
        let line = Point(x: (to.x - from.x) / length, y: (to.y - from.y) / length)
        let cosine = line.x * direction.x + line.y * direction.y
        guard cosine < Self.sameDirection, cosine > 0.5 else { return nil }
        var result = self
        result.direction = line
        result.module /= cosine
        return result
    }

    /// The cosine of five degrees, from which on two directions are the same.
    private static let sameDirection = 0.996

    /// The unit vector of the edge, from the first row to the last.
    var along: Point { Point(x: -direction.y, y: direction.x) }

    /// The distance from the first point to the last, in pixels.
    public var length: Double {
        guard let first = points.first, let last = points.last else { return 0 }
        return last.distance(to: first)
    }

    /// The center of the edge.
    public var center: Point { position(length / 2) }

    /// Returns the point of the edge at a distance in pixels from its first point; beyond both ends the edge
    /// continues straight.
    func position(_ distance: Double) -> Point {
        guard let first = points.first else { return Point(x: 0, y: 0) }
        let along = along
        func place(_ point: Point) -> Double { (point.x - first.x) * along.x + (point.y - first.y) * along.y }
        func between(_ a: Point, _ b: Point) -> Point {
            let (from, to) = (place(a), place(b))
            guard to - from > 0.1 else { return a }
            let part = (distance - from) / (to - from)
            return Point(x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part)
        }
        // Extrapolate the last third, because an edge may be bent.
        let reach = max(1, points.count / 3)
        guard points.count > 2, let last = points.last else { return between(first, points.last ?? first) }
        if distance <= place(first) { return between(first, points[min(reach, points.count - 1)]) }
        if distance >= place(last) { return between(points[max(0, points.count - 1 - reach)], last) }
        var (low, high) = (0, points.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if place(points[middle]) <= distance { low = middle } else { high = middle }
        }
        return between(points[low], points[high])
    }

    private static func mean(_ points: ArraySlice<Point>) -> Point {
        let sum = points.reduce((0.0, 0.0)) { ($0.0 + $1.x, $0.1 + $1.y) }
        return Point(x: sum.0 / Double(max(1, points.count)), y: sum.1 / Double(max(1, points.count)))
    }

    /// Returns the points smoothed by symmetric means, which removes the steps of pixels.
    private static func smoothed(_ points: [Point]) -> [Point] {
        points.indices.map { index in
            let reach = min(4, index, points.count - 1 - index)
            return mean(points[(index - reach)...(index + reach)])
        }
    }
}
