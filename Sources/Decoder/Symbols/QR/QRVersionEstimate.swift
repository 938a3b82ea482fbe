public import BarcodeCore

/// A possible version of a symbol in an image, with the transform of its modules.
public struct QRVersionEstimate: Sendable, Hashable {
    /// The version, 1 to 40.
    public var version: Int
    /// The sum of the correlations of the finder and timing patterns, at most 2.
    public var score: Double
    /// The transform from modules to pixels, fitted to the finder patterns.
    public var map: Homography
    /// True if the symbol is light on dark.
    public var isInverted: Bool

    /// The corners of the symbol in pixels, in the order given by its finder patterns.
    public var corners: Quadrilateral { map.quadrilateral(side: Double(QRVersion.size(version))) }
}

extension QRVersionEstimate {
    /// Returns the versions that match three finder patterns, best first.
    ///
    /// The size of the finder patterns narrows the choice. The timing patterns decide, because those of a
    /// neighboring version fall out of step within a few modules.
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

    /// Returns the estimate of a version for three finder patterns; `nil` if they are collinear.
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

    /// Returns the transform that maps the finder patterns to their centers in the image.
    ///
    /// The fourth corner is corrected like the fourth corner of a parallelogram, by the errors of the three centers
    /// in the plane of the symbol.
    private static func map(of match: FinderSearch.Match, size: Double) -> Homography? {
        guard let given = Homography(size: Int(size), to: match.corners) else { return nil }
        let back = given.inverse
        let seen = match.centers.map { back.map($0) }
        let high = size - 3.5
        let dx = (seen[1].x - high) + (seen[2].x - 3.5) - (seen[0].x - 3.5)
        let dy = (seen[1].y - 3.5) + (seen[2].y - high) - (seen[0].y - 3.5)
        // The bottom right point replaces the center of a finder pattern.
        return Homography(
            from: Quadrilateral(
                topLeft: Point(x: 3.5, y: 3.5), topRight: Point(x: high, y: 3.5),
                bottomRight: Point(x: high, y: high), bottomLeft: Point(x: 3.5, y: high)),
            to: Quadrilateral(
                topLeft: match.centers[0], topRight: match.centers[1],
                bottomRight: given.map(high + dx, high + dy), bottomLeft: match.centers[2]))
    }
}
