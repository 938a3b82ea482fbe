public import BarcodeCore

/// A start or a stop pattern as it was seen: the place where codewords begin or end.
public struct PDF417Side: Sendable, Hashable {
    /// Which of the two.
    public enum Kind: Sendable, Hashable {
        /// The pattern on the left of the upright symbol, of 17 modules.
        case start
        /// The pattern on the right, of 18 modules.
        case stop
        /// The row address patterns on the left of an upright MicroPDF417 symbol, of 10 modules.
        case rowAddress

        /// Modules of the pattern.
        public var width: Double {
            switch self {
            case .start: 17
            case .stop: 18
            case .rowAddress: 10
            }
        }
    }

    /// Which pattern.
    public var kind: Kind
    /// Whether it is light on dark.
    public var isInverted: Bool
    /// Points of the edge at which it meets the codewords, from the first row to the last of an upright symbol.
    public private(set) var points: [Point]
    /// Pixels of a module across the pattern.
    public private(set) var module: Double
    /// The direction of the rows, at a right angle to the pattern, from the start of the symbol to its stop.
    public private(set) var direction: Point

    /// A pattern that was seen on several lines; nil where the points tell no direction.
    ///
    /// - Parameters:
    ///   - inner: where the pattern meets the codewords, in the order of the lines.
    ///   - outer: where it meets the quiet zone, on the same lines.
    public init?(_ kind: Kind, inner: [Point], outer: [Point], isInverted: Bool) {
        guard inner.count >= 2, inner.count == outer.count, let first = inner.first, let last = inner.last else {
            return nil
        }
        let length = last.distance(to: first)
        guard length > 1 else { return nil }
        // The edge as a whole, from the means of its halves, which is steadier than its ends.
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
            // Down is to the right hand of the direction of the rows, as in an upright symbol.
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

    /// The pattern in a picture of another size.
    public func scaled(by factor: Double) -> PDF417Side {
        var result = self
        result.points = points.map { Point(x: $0.x * factor, y: $0.y * factor) }
        result.module *= factor
        return result
    }

    /// The same pattern of rows in another direction, turned clockwise as pictures are shown.
    func turned(degrees: Double) -> PDF417Side {
        var result = self
        result.direction = direction.turned(degrees: degrees)
        return result
    }

    /// The direction of the edge, from the first row to the last.
    var along: Point { Point(x: -direction.y, y: direction.x) }

    /// Pixels from the first point to the last.
    public var length: Double {
        guard let first = points.first, let last = points.last else { return 0 }
        return last.distance(to: first)
    }

    /// The middle of the edge.
    public var center: Point { position(length / 2) }

    /// The point of the edge that lies so many pixels along it behind the first; the edge goes on straight at both ends.
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
        // Where it goes on, as its last third does: an edge may be bent.
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

    /// The points without the steps of pixels: each a mean of some around it, as many before as behind.
    private static func smoothed(_ points: [Point]) -> [Point] {
        points.indices.map { index in
            let reach = min(4, index, points.count - 1 - index)
            return mean(points[(index - reach)...(index + reach)])
        }
    }
}
