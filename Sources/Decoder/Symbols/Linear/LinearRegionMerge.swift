internal import BarcodeCore

/// Joins regions that are parts of one symbol, split by glare or a bright label edge.
enum LinearRegionMerge {
    /// The largest angle between two parts in radians: 8 degrees, about the bend of a label on a can.
    private static let largestTurn = 0.14
    /// The widest gap between parts, in lengths of the joined region: with more glare nothing can be read.
    private static let widestGap = 0.35
    /// The smallest overlap of two sides, as a share of the longer one.
    ///
    /// The halves of a symbol have about the same height. The sides of a jar are higher and lines of text lower than the
    /// bars between them; joined with these, they would make a region as wide as the jar.
    private static let smallestOverlap = 0.5
    /// The number of regions that are compared.
    ///
    /// Smaller ones are kept unjoined if they have at least ``labelShare`` of the median area of the compared ones:
    /// the labels of a page are about the same size.
    private static let mostCompared = 60
    private static let labelShare = 0.7

    static func merged(_ regions: [LinearRegion]) -> [LinearRegion] {
        // Largest first; an image of texture has many small regions that are not worth comparing.
        let sorted = regions.sorted { $0.length * $0.height > $1.length * $1.height }
        var rest = Array(sorted.prefix(mostCompared))
        var place = 0
        while place < rest.count {
            var other = place + 1
            while other < rest.count {
                if let joined = joined(rest[place], rest[other]) {
                    rest[place] = joined
                    rest.remove(at: other)
                    other = place + 1
                } else {
                    other += 1
                }
            }
            place += 1
        }
        guard sorted.count > mostCompared else { return rest }
        func area(_ region: LinearRegion) -> Double { region.length * region.height }
        let typical = area(sorted[mostCompared / 2])
        return rest + sorted.dropFirst(mostCompared).prefix { area($0) >= labelShare * typical }
    }

    /// Returns the rectangle around two parts of one symbol; `nil` if they do not belong together.
    private static func joined(_ one: LinearRegion, _ other: LinearRegion) -> LinearRegion? {
        var turn = abs(one.angle - other.angle)
        if turn > .pi / 2 { turn = .pi - turn }
        guard turn <= largestTurn else { return nil }
        let (a, b) = (one.across, one.along)
        let offset = Point(x: other.center.x - one.center.x, y: other.center.y - one.center.y)
        let u = offset.x * a.x + offset.y * a.y
        let v = offset.x * b.x + offset.y * b.y
        let (u0, u1) = (min(-one.length / 2, u - other.length / 2), max(one.length / 2, u + other.length / 2))
        let (v0, v1) = (min(-one.height / 2, v - other.height / 2), max(one.height / 2, v + other.height / 2))
        // The extent of both minus their sizes is the gap between them; a negative gap is an overlap.
        let gapU = u1 - u0 - one.length - other.length
        let gapV = v1 - v0 - one.height - other.height
        let sideBySide =
            -gapV >= smallestOverlap * max(one.height, other.height) && gapU <= widestGap * (u1 - u0)
        let oneAboveOther =
            -gapU >= smallestOverlap * max(one.length, other.length) && gapV <= widestGap * (v1 - v0)
        guard sideBySide || oneAboveOther else { return nil }
        var result = one
        result.center = one.point((u0 + u1) / 2, (v0 + v1) / 2)
        result.length = u1 - u0
        result.height = v1 - v0
        result.coverage =
            (one.coverage * one.length * one.height + other.coverage * other.length * other.height)
            / (result.length * result.height)
        result.confidence = max(one.confidence, other.confidence)
        return result
    }
}
