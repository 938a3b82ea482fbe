internal import BarcodeCore

/// Three finder patterns that may be those of one symbol.
struct FinderTriple {
    /// Places in the list of patterns: the corner between the other two, the one clockwise from it, and the last.
    var corner: Int
    var right: Int
    var below: Int
    /// How far the three are from a square seen from the front; smaller is likelier.
    var distortion: Double
    /// Modules along a side, as the sizes of the patterns have it.
    var size: Double

    /// All three, the corner first.
    var patterns: [Int] { [corner, right, below] }
}

/// Puts finder patterns together that could be of one symbol, the likeliest first.
enum FinderTriples {
    /// Neighbours of a pattern that are looked at; in a sheet of many symbols the own two are among the nearest.
    private static let neighbours = 14
    /// How many times larger a pattern may be than another of its symbol: a tilt of 60 degrees, seen from near.
    private static let largestRatio = 2.2
    /// Modules between the centres of two patterns: 14 for version 1 and 170 for version 40, with a margin for sizes
    /// that were measured badly.
    private static let distances = 9.0...230.0

    static func all(_ patterns: [FinderPattern]) -> [FinderTriple] {
        var triples: [FinderTriple] = []
        for corner in patterns.indices {
            let near = neighbours(of: corner, in: patterns)
            for (place, one) in near.enumerated() {
                for other in near[(place + 1)...] {
                    if let triple = triple(corner, one, other, patterns) { triples.append(triple) }
                }
            }
        }
        return triples.sorted { $0.distortion < $1.distortion }
    }

    private static func neighbours(of corner: Int, in patterns: [FinderPattern]) -> [(index: Int, modules: Double)] {
        let pattern = patterns[corner]
        var near: [(index: Int, modules: Double)] = []
        for index in patterns.indices where index != corner && patterns[index].isInverted == pattern.isInverted {
            let other = patterns[index]
            let x = other.center.x - pattern.center.x
            let y = other.center.y - pattern.center.y
            let (one, two) = (pattern.moduleSize(x: x, y: y), other.moduleSize(x: x, y: y))
            guard max(one, two) < largestRatio * min(one, two) else { continue }
            let modules = (x * x + y * y).squareRoot() / ((one + two) / 2)
            if distances.contains(modules) { near.append((index, modules)) }
        }
        near.sort { $0.modules < $1.modules }
        return Array(near.prefix(neighbours))
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
        // 25 degrees from a right angle for a front view; tilted symbols reach twice that.
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
