import BarcodeCore

/// Finds the three corners of a quadrilateral that have a finder pattern, the module size, and the polarity.
///
/// The finder patterns are searched in the plane of the symbol, the unit square mapped to the quadrilateral, so that
/// perspective does not matter. All sizes are tried at each corner, in steps of a few percent, with the center up to
/// two modules from its location for an exact corner.
struct FinderSearch {
    /// Three finder patterns at the corners of a quadrilateral.
    struct Match {
        /// The corners of the quadrilateral, in the order that makes the corner without a finder pattern the bottom
        /// right.
        ///
        /// The order keeps the sense of rotation of the given corners.
        var corners: Quadrilateral
        /// The number of modules along a side, estimated from the finder patterns, with an error of about a tenth.
        var size: Double
        /// The mean correlation of the three finder patterns, 0 to 1.
        var score: Float
        /// True if the symbol is light on dark.
        var isInverted: Bool
        /// The centers at the top left, top right and bottom left, in pixels.
        var centers: [Point]
    }

    /// The smallest mean correlation of the three finder patterns of a symbol.
    ///
    /// Measured on rendered symbols: readable ones had at least 0.64 with a blur of five thirds of a module, noise
    /// or 1.2 pixels a module. Other regions had 0.32 (nine of ten) to 0.48.
    static let minimumScore: Float = 0.5
    /// The same before the locations are refined: half a module off, a pattern has a lower correlation.
    ///
    /// Measured on 360 photos: symbols that were read had at least 0.7 with three known finder patterns and 0.4 with
    /// two. Three quarters of the other regions had less.
    static let minimumRawScore: Float = 0.3

    private struct ScoredPoint {
        var score: Float = -2
        var x = 0.0
        var y = 0.0
    }

    /// The numbers of modules on a side that are tried, each about 13 % larger than the one before.
    private static let sizes: [Double] = [
        19, 21, 23.5, 26.5, 30, 34, 38.5, 43.5, 49, 55.5, 63, 71, 80, 91, 103, 116,
        131, 148, 168, 185,
    ]

    /// Returns the best match of the three finder patterns; `nil` if there is none.
    static func find(in pixels: PixelSampler, corners: Quadrilateral) -> Match? {
        guard let square = Homography(unitSquareTo: corners) else { return nil }
        var best: (total: Float, missing: Int, size: Double, sign: Float, points: [ScoredPoint])?
        for size in sizes {
            let points = (0..<4).map { scoredPoints(pixels, square, corner: $0, size: size) }
            for (sign, found) in [(Float(1), points.map(\.dark)), (-1, points.map(\.light))] {
                let total = found.reduce(0) { $0 + $1.score }
                for missing in 0..<4 {
                    let three = total - found[missing].score
                    if three > best?.total ?? (3 * minimumRawScore) {
                        best = (three, missing, size, sign, found)
                    }
                }
            }
        }
        guard let best else { return nil }
        // The corner opposite the missing one becomes the top left.
        let order = (0..<4).map { (best.missing + 2 + $0) % 4 }
        let points = corners.points
        let ordered = Quadrilateral(
            topLeft: points[order[0]], topRight: points[order[1]], bottomRight: points[order[2]],
            bottomLeft: points[order[3]])
        let module = 1 / best.size
        let refined = [order[0], order[1], order[3]].map { corner in
            pixels.climb(
                from: (best.points[corner].x, best.points[corner].y), steps: [0.5 * module, 0.25 * module]
            ) {
                best.sign * pixels.finderScore(square, x: $0, y: $1, module: module)
            }
        }
        let score = refined.reduce(0) { $0 + $1.score } / 3
        guard score >= minimumScore else { return nil }
        return Match(
            corners: ordered, size: best.size, score: score,
            isInverted: best.sign < 0, centers: refined.map { square.map($0.x, $0.y) })
    }

    /// Returns the best location of a finder pattern at a corner: dark on light, and light on dark.
    private static func scoredPoints(
        _ pixels: PixelSampler, _ square: Homography, corner: Int, size: Double
    ) -> (dark: ScoredPoint, light: ScoredPoint) {
        let module = 1 / size
        let isRight = corner == 1 || corner == 2
        let isLower = corner >= 2
        let x = isRight ? 1 - 3.5 * module : 3.5 * module
        let y = isLower ? 1 - 3.5 * module : 3.5 * module
        var dark = ScoredPoint()
        var light = ScoredPoint()
        for row in -2...2 {
            for column in -2...2 {
                let (placeX, placeY) = (x + Double(column) * 0.75 * module, y + Double(row) * 0.75 * module)
                let score = pixels.quickFinderScore(square, x: placeX, y: placeY, module: module)
                if score > dark.score { dark = ScoredPoint(score: score, x: placeX, y: placeY) }
                if -score > light.score { light = ScoredPoint(score: -score, x: placeX, y: placeY) }
            }
        }
        return (dark, light)
    }
}
