import BarcodeCore
internal import Glibc

/// Finds the orientation of a MaxiCode symbol from the six groups of modules around its rings, which are already
/// fitted.
struct MaxiCodeOrientation {
    /// The homography from the plane of ``MaxiCodeLayout`` to pixels.
    let map: Homography
    /// The correlation of the marks, at most 1.
    let score: Double

    /// The number of angles tried; a mark is one module wide, six to eight modules from the center.
    private static let angleCount = 180
    /// The scales tried: the rings of some printers are larger or smaller than those of the standard.
    private static let scales = [1, 0.95, 1.05]
    /// The minimum correlation of the marks.
    private static let minimumScore = 0.6
    /// The number of angle steps within which two orientations count as the same.
    private static let sameAngles = 4

    /// Returns the likeliest orientations, best first, including mirrored ones.
    static func candidates(
        _ pixels: PixelSampler, rings: Homography, isInverted: Bool, count: Int
    ) -> [MaxiCodeOrientation] {
        var all: [(angle: Int, isMirrored: Bool, scale: Double, score: Double)] = []
        for isMirrored in [false, true] {
            for scale in scales {
                for angle in 0..<angleCount {
                    let score = score(
                        pixels, rings, angle: angle, isMirrored: isMirrored, scale: scale, isInverted: isInverted)
                    if score >= minimumScore { all.append((angle, isMirrored, scale, score)) }
                }
            }
        }
        all.sort { $0.score > $1.score }
        var best: [(angle: Int, isMirrored: Bool, scale: Double, score: Double)] = []
        for one in all where best.count < count {
            let isKnown = best.contains { other in
                let apart = abs(one.angle - other.angle)
                return one.isMirrored == other.isMirrored && min(apart, angleCount - apart) <= sameAngles
            }
            if !isKnown { best.append(one) }
        }
        return best.compactMap { one in
            turn(angle: one.angle, isMirrored: one.isMirrored, scale: one.scale).map {
                MaxiCodeOrientation(map: rings.composed(after: $0), score: one.score)
            }
        }
    }

    /// Returns the correlation of the marks with their tones; positive for a symbol of the given polarity.
    private static func score(
        _ pixels: PixelSampler, _ rings: Homography, angle: Int, isMirrored: Bool, scale: Double, isInverted: Bool
    ) -> Double {
        let direction = Point.onCircle(turns: Double(angle) / Double(angleCount))
        var (sum, squares, dark) = (0.0, 0.0, 0.0)
        for mark in marks {
            let x = (isMirrored ? -mark.center.x : mark.center.x) * scale
            let y = mark.center.y * scale
            let value = Double(
                pixels.brightness(rings.map(x * direction.x - y * direction.y, x * direction.y + y * direction.x)))
            sum += value
            squares += value * value
            if mark.isDark { dark += value }
        }
        let count = Double(marks.count)
        let darkShare = darkCount / count
        let variance = squares / count - (sum / count) * (sum / count)
        guard variance > 1 else { return 0 }
        let covariance = darkShare * sum / count - dark / count
        let correlation = covariance / (variance * darkShare * (1 - darkShare)).squareRoot()
        return isInverted ? -correlation : correlation
    }

    private static let marks = MaxiCodeLayout.orientationMarks.map {
        (center: MaxiCodeLayout.center($0.x, $0.y), isDark: $0.isDark)
    }
    private static let darkCount = Double(MaxiCodeLayout.orientationMarks.count(where: \.isDark))

    /// Returns the map that scales the plane, optionally mirrors it, then rotates it clockwise.
    private static func turn(angle: Int, isMirrored: Bool, scale: Double) -> Homography? {
        let direction = Point.onCircle(turns: Double(angle) / Double(angleCount))
        let side = isMirrored ? -scale : scale
        let (right, down) = (
            Point(x: direction.x * side, y: direction.y * side),
            Point(x: -direction.y * scale, y: direction.x * scale)
        )
        return Homography(
            unitSquareTo: Quadrilateral(
                topLeft: Point(x: 0, y: 0), topRight: right,
                bottomRight: Point(x: right.x + down.x, y: right.y + down.y),
                bottomLeft: down))
    }
}

extension Point {
    /// The point on the unit circle at a share of a full turn, clockwise from the right.
    static func onCircle(turns: Double) -> Point {
        Point(x: cos(2 * .pi * turns), y: sin(2 * .pi * turns))
    }
}
