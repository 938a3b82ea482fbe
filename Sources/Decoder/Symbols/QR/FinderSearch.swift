import BarcodeCore

/// Finds out which three corners of a quadrilateral hold a finder pattern, how large a module is, and which of dark and
/// light is which.
///
/// The finder patterns are sought in the plane of the symbol, the unit square that the quadrilateral shows, so that
/// perspective does not matter. All sizes are tried at each corner, in steps of a few percent, with the centre up to
/// two modules from where it would be if the corner were exact.
struct FinderSearch {
    /// Three finder patterns at the corners of a quadrilateral.
    struct Match {
        /// The quadrilateral's corners, in the order that makes the corner without a finder the bottom right.
        ///
        /// The order keeps the sense of rotation of the corners that were given.
        var corners: Quadrilateral
        /// Modules along a side, by the size of the finder patterns; within about a tenth.
        var size: Double
        /// The mean correlation of the three finder patterns, 0 to 1.
        var score: Float
        /// Whether the symbol is light on dark.
        var isInverted: Bool
        /// The centres at the top left, top right and bottom left in pixels.
        var centres: [Point]
    }

    /// The mean correlation of three finder patterns below which there is no symbol.
    ///
    /// Measured on rendered symbols: those that could be read had 0.64 and more, under blur of five thirds of a module,
    /// noise or 1.2 pixels a module; places without a symbol 0.32 (nine of ten) to 0.48.
    static let minimumScore: Float = 0.5
    /// The same before the places have been refined: up to half a module off, a pattern looks worse than it is.
    ///
    /// Measured on 360 photos: places of symbols that were read had 0.7 and more with three finder patterns known and
    /// 0.4 with two; three quarters of the places that were none had less.
    static let minimumRawScore: Float = 0.3

    private struct Sighting {
        var score: Float = -2
        var x = 0.0
        var y = 0.0
    }

    /// Modules a side to try: each is about 13 % larger than the one before.
    private static let sizes: [Double] = [
        19, 21, 23.5, 26.5, 30, 34, 38.5, 43.5, 49, 55.5, 63, 71, 80, 91, 103, 116,
        131, 148, 168, 185,
    ]

    /// The likeliest place of the three finder patterns; nil where there are none.
    static func find(in pixels: PixelSampler, corners: Quadrilateral) -> Match? {
        guard let square = Homography(unitSquareTo: corners) else { return nil }
        var best: (total: Float, missing: Int, size: Double, sign: Float, sightings: [Sighting])?
        for size in sizes {
            let sightings = (0..<4).map { sight(pixels, square, corner: $0, size: size) }
            for (sign, found) in [(Float(1), sightings.map(\.dark)), (-1, sightings.map(\.light))] {
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
        // The corner opposite to the missing one becomes the top left.
        let order = (0..<4).map { (best.missing + 2 + $0) % 4 }
        let points = corners.points
        let ordered = Quadrilateral(
            topLeft: points[order[0]], topRight: points[order[1]], bottomRight: points[order[2]],
            bottomLeft: points[order[3]])
        let module = 1 / best.size
        let refined = [order[0], order[1], order[3]].map { corner in
            pixels.climb(
                from: (best.sightings[corner].x, best.sightings[corner].y), steps: [0.5 * module, 0.25 * module]
            ) {
                best.sign * pixels.finderScore(square, x: $0, y: $1, module: module)
            }
        }
        let score = refined.reduce(0) { $0 + $1.score } / 3
        guard score >= minimumScore else { return nil }
        return Match(
            corners: ordered, size: best.size, score: score,
            isInverted: best.sign < 0, centres: refined.map { square.map($0.x, $0.y) })
    }

    /// The best place of a finder pattern at a corner: dark on light, and light on dark.
    private static func sight(
        _ pixels: PixelSampler, _ square: Homography, corner: Int, size: Double
    ) -> (dark: Sighting, light: Sighting) {
        let module = 1 / size
        let isRight = corner == 1 || corner == 2
        let isLower = corner >= 2
        let x = isRight ? 1 - 3.5 * module : 3.5 * module
        let y = isLower ? 1 - 3.5 * module : 3.5 * module
        var dark = Sighting()
        var light = Sighting()
        for row in -2...2 {
            for column in -2...2 {
                let (placeX, placeY) = (x + Double(column) * 0.75 * module, y + Double(row) * 0.75 * module)
                let score = pixels.quickFinderScore(square, x: placeX, y: placeY, module: module)
                if score > dark.score { dark = Sighting(score: score, x: placeX, y: placeY) }
                if -score > light.score { light = Sighting(score: -score, x: placeX, y: placeY) }
            }
        }
        return (dark, light)
    }
}
