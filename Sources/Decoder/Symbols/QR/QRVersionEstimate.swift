public import BarcodeCore

/// A version that a symbol in a picture may have, and the map of its modules that goes with it.
public struct QRVersionEstimate: Sendable, Hashable {
    /// The version, 1 to 40.
    public var version: Int
    /// How well finder and timing patterns agree with it: their correlations' sum, 2 at most.
    public var score: Double
    /// From the modules to the pixels of the picture; its finder patterns are where they are seen.
    public var map: Homography
    /// Whether the symbol is light on dark.
    public var isInverted: Bool

    /// The corners of the symbol in pixels of the picture, ordered by where its finder patterns are.
    public var corners: Quadrilateral { map.quadrilateral(side: Double(QRVersion.size(version))) }
}

extension QRVersionEstimate {
    /// The versions that fit three finder patterns, the best first.
    ///
    /// The size of the finder patterns narrows the choice; the timing patterns decide, since the alternation of a
    /// version's neighbour falls out of step within a few modules.
    static func candidates(_ pixels: PixelSampler, match: FinderSearch.Match, count: Int) -> [QRVersionEstimate] {
        let likely = (match.size - 17) / 4
        let spread = max(2, match.size * 0.15 / 4 + 1)
        var estimates: [QRVersionEstimate] = []
        for version in QRVersion.all where abs(Double(version) - likely) <= spread {
            if let estimate = estimate(pixels, match: match, version: version) { estimates.append(estimate) }
        }
        estimates.sort { ($0.score, -$0.version) > ($1.score, -$1.version) }
        return Array(estimates.prefix(count))
    }

    /// How well a version fits three finder patterns; nil where they stand on a line.
    static func estimate(_ pixels: PixelSampler, match: FinderSearch.Match, version: Int) -> QRVersionEstimate? {
        let size = QRVersion.size(version)
        guard let map = map(of: match, size: Double(size)) else { return nil }
        let high = Double(size) - 3.5
        let finders =
            pixels.finderScore(map, x: 3.5, y: 3.5) + pixels.finderScore(map, x: high, y: 3.5)
            + pixels.finderScore(map, x: 3.5, y: high)
        let score = (match.isInverted ? -1 : 1) * (finders / 3 + pixels.timingScore(map, size: size))
        return QRVersionEstimate(version: version, score: Double(score), map: map, isInverted: match.isInverted)
    }

    /// The map that has the finder patterns where they were seen.
    ///
    /// The fourth corner moves as the finder patterns tell: by what their centres are off in the plane of the symbol,
    /// as the fourth corner of a parallelogram.
    private static func map(of match: FinderSearch.Match, size: Double) -> Homography? {
        guard let given = Homography(size: Int(size), to: match.corners) else { return nil }
        let back = given.inverse
        let seen = match.centres.map { back.map($0) }
        let high = size - 3.5
        let dx = (seen[1].x - high) + (seen[2].x - 3.5) - (seen[0].x - 3.5)
        let dy = (seen[1].y - 3.5) + (seen[2].y - high) - (seen[0].y - 3.5)
        // The bottom right point stands in for a finder pattern's centre.
        return Homography(
            from: Quadrilateral(
                topLeft: Point(x: 3.5, y: 3.5), topRight: Point(x: high, y: 3.5),
                bottomRight: Point(x: high, y: high), bottomLeft: Point(x: 3.5, y: high)),
            to: Quadrilateral(
                topLeft: match.centres[0], topRight: match.centres[1],
                bottomRight: given.map(high + dx, high + dy), bottomLeft: match.centres[2]))
    }
}
