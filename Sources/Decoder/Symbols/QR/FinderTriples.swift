internal import BarcodeCore

/// Three finder patterns that may belong to one symbol.
struct FinderTriple {
    /// Indices of the patterns: the corner between the other two, the one clockwise from it, and the last.
    var corner: Int
    var right: Int
    var below: Int
    /// The deviation of the three from a square seen from the front; smaller is likelier.
    var distortion: Double
    /// The number of modules along a side, estimated from the sizes of the patterns.
    var size: Double

    /// All three indices, the corner first.
    var patterns: [Int] { [corner, right, below] }
}

/// Combines finder patterns that could belong to one symbol, likeliest first.
enum FinderTriples {
    /// The number of neighbors of a pattern that are tried; on a sheet of symbols, those of the same symbol are
    /// among the nearest.
    private static let neighbors = 14
    /// The largest ratio of the sizes of two patterns of a symbol: a tilt of 60 degrees, seen from very near.
    private static let largestRatio = 2.6
    /// The distance in modules of the centers of two patterns: 14 for version 1 and 170 for version 40, with a
    /// margin for inaccurate sizes.
    private static let distances = 9.0...230.0
    /// The largest number of triples that are returned.
    ///
    /// A sheet of 500 symbols has 30,000, of which those of its symbols are the least distorted.
    private static let maximumTriples = 50_000

    /// Returns the triples of neighboring patterns, at most ``maximumTriples``, least distorted first.
    ///
    /// Patterns not processed before the time limit are ignored.
    static func all(_ patterns: [FinderPattern]) -> [FinderTriple] {
        let nearness = FinderNeighbors(patterns, largestRatio: largestRatio, distances: distances, count: neighbors)
        var triples: [FinderTriple] = []
        for corner in patterns.indices {
            guard !SearchTime.isOver else { break }
            let near = nearness.nearest(to: corner)
            for (place, one) in near.enumerated() {
                for other in near[(place + 1)...] {
                    if let triple = triple(corner, one, other, patterns) { triples.append(triple) }
                }
            }
        }
        return Array(triples.sorted { $0.distortion < $1.distortion }.prefix(maximumTriples))
    }

    private static func triple(
        _ corner: Int, _ one: (index: Int, modules: Double), _ other: (index: Int, modules: Double),
        _ patterns: [FinderPattern]
    ) -> FinderTriple? {
        let origin = patterns[corner].center
        let a = patterns[one.index].center
        let b = patterns[other.index].center
        let (ax, ay, bx, by) = (a.x - origin.x, a.y - origin.y, b.x - origin.x, b.y - origin.y)
        let lengths = ((ax * ax + ay * ay) * (bx * bx + by * by)).squareRoot()
        guard lengths > 0 else { return nil }
        let cosine = (ax * bx + ay * by) / lengths
        // Seen from the front, the angle is within 25 degrees of a right angle; tilted symbols deviate twice as
        // much.
        guard abs(cosine) < 0.75 else { return nil }
        let ratio = max(one.modules, other.modules) / min(one.modules, other.modules)
        guard ratio < 1.8 else { return nil }
        let clockwise = ax * by - ay * bx > 0
        let mean = (one.modules + other.modules) / 2
        return FinderTriple(
            corner: corner, right: clockwise ? one.index : other.index, below: clockwise ? other.index : one.index,
            distortion: abs(cosine) + (ratio - 1) + 0.002 * mean, size: mean + 7)
    }
}

/// Finds the nearest patterns to a pattern that may belong to the same symbol.
///
/// The patterns are sorted from top to bottom and searched upward and downward from the given one, until none can be
/// nearer than those already found.
private struct FinderNeighbors {
    private let patterns: [FinderPattern]
    private let largestRatio: Double
    private let distances: ClosedRange<Double>
    private let count: Int
    /// The indices of the patterns from top to bottom, and the rank of each pattern in this order.
    private let order: [Int]
    private let places: [Int]

    init(_ patterns: [FinderPattern], largestRatio: Double, distances: ClosedRange<Double>, count: Int) {
        self.patterns = patterns
        self.largestRatio = largestRatio
        self.distances = distances
        self.count = count
        let order = patterns.indices.sorted { patterns[$0].center.y < patterns[$1].center.y }
        var places = [Int](repeating: 0, count: patterns.count)
        for (place, index) in order.enumerated() { places[index] = place }
        self.order = order
        self.places = places
    }

    /// Returns the nearest patterns with their distance in modules from center to center, nearest first.
    func nearest(to index: Int) -> [(index: Int, modules: Double)] {
        let pattern = patterns[index]
        // The largest mean of two compared module sizes. A module size is largest along a row or a column.
        let largest = max(pattern.width, pattern.height) / 7 * (1 + largestRatio) / 2
        var near: [(index: Int, modules: Double)] = []
        /// Returns false if this pattern and all beyond it are too far above or below.
        func consider(_ other: Int) -> Bool {
            let candidate = patterns[other]
            let y = candidate.center.y - pattern.center.y
            let farthest = near.count == count ? near[count - 1].modules : distances.upperBound
            guard abs(y) <= farthest * largest else { return false }
            guard candidate.isInverted == pattern.isInverted else { return true }
            let x = candidate.center.x - pattern.center.x
            let (one, two) = (pattern.moduleSize(x: x, y: y), candidate.moduleSize(x: x, y: y))
            guard max(one, two) < largestRatio * min(one, two) else { return true }
            let modules = (x * x + y * y).squareRoot() / ((one + two) / 2)
            guard distances.contains(modules), modules <= farthest else { return true }
            let place = near.firstIndex { ($0.modules, $0.index) > (modules, other) } ?? near.count
            near.insert((other, modules), at: place)
            if near.count > count { near.removeLast() }
            return true
        }
        for place in stride(from: places[index] - 1, through: 0, by: -1) where !consider(order[place]) { break }
        for place in places[index] + 1..<order.count where !consider(order[place]) { break }
        return near
    }
}
