import BarcodeCore

/// Adjusts the transform of a symbol to its patterns in the image.
struct QRGridFit {
    let pixels: PixelSampler
    let version: Int
    /// 1 for dark on light, -1 for light on dark.
    let sign: Float
    /// The centers of the finder patterns in pixels: top left, top right, bottom left.
    private let finders: [Point]
    /// The transform through the finder patterns, with the estimated fourth corner.
    let estimated: Homography

    private var size: Int { QRVersion.size(version) }
    private var high: Double { Double(size) - 3.5 }

    /// Refines the finder patterns of an estimate, which were found with an inexact size.
    init(_ pixels: PixelSampler, estimate: QRVersionEstimate) {
        self.pixels = pixels
        version = estimate.version
        let sign: Float = estimate.isInverted ? -1 : 1
        self.sign = sign
        let map = estimate.map
        let high = Double(QRVersion.size(version)) - 3.5
        finders = [(3.5, 3.5), (high, 3.5), (3.5, high)].map { place in
            let best = pixels.climb(from: (place.0, place.1), steps: [0.5, 0.25, 0.125]) {
                sign * pixels.finderScore(map, x: $0, y: $1)
            }
            return map.map(best.x, best.y)
        }
        estimated =
            Self.solve(finders, high: high, fourth: (high, high), at: map.map(high, high)) ?? map
    }

    private static func solve(
        _ finders: [Point], high: Double, fourth: (x: Double, y: Double), at point: Point
    ) -> Homography? {
        Homography(
            from: Quadrilateral(
                topLeft: Point(x: 3.5, y: 3.5), topRight: Point(x: high, y: 3.5),
                bottomRight: Point(x: fourth.x, y: fourth.y), bottomLeft: Point(x: 3.5, y: high)),
            to: Quadrilateral(topLeft: finders[0], topRight: finders[1], bottomRight: point, bottomLeft: finders[2]))
    }

    /// Returns the transform through the finder patterns and a given bottom right corner, in pixels.
    func throughCorner(_ corner: Point) -> Homography? {
        Self.solve(finders, high: high, fourth: (Double(size), Double(size)), at: corner)
    }

    /// Returns the transform through the finder patterns and the bottom right alignment pattern; `nil` if that is
    /// not found.
    func throughAlignmentPattern() -> Homography? {
        guard version >= 2 else { return nil }
        let place = Double(size) - 6.5
        let found = pixels.search(around: (place, place), reach: 6) {
            sign * pixels.alignmentScore(estimated, x: $0, y: $1)
        }
        guard found.score >= 0.6 else { return nil }
        return Self.solve(finders, high: high, fourth: (place, place), at: estimated.map(found.x, found.y))
    }

    /// Returns transforms through the finder patterns whose fourth corner maximizes the contrast of the samples,
    /// best first.
    ///
    /// At the centers of modules samples are darkest and lightest; between modules they are gray.
    func throughContrast(count: Int) -> [Homography] {
        let base = estimated
        func map(_ x: Double, _ y: Double) -> Homography? {
            Self.solve(finders, high: high, fourth: (high, high), at: base.map(x, y))
        }
        func contrast(_ x: Double, _ y: Double) -> Float {
            map(x, y).map(lowerRightVariance) ?? 0
        }
        var places: [(x: Double, y: Double, contrast: Float)] = []
        for row in -4...4 {
            for column in -4...4 {
                let (x, y) = (high + Double(column) * 0.5, high + Double(row) * 0.5)
                places.append((x, y, contrast(x, y)))
            }
        }
        places.sort { $0.contrast > $1.contrast }
        var chosen: [(x: Double, y: Double)] = []
        for place in places where chosen.count < count {
            if chosen.allSatisfy({ max(abs($0.x - place.x), abs($0.y - place.y)) > 0.75 }) {
                chosen.append((place.x, place.y))
            }
        }
        return chosen.compactMap { start in
            let best = pixels.climb(from: start, steps: [0.25, 0.125], score: contrast)
            return map(best.x, best.y)
        }
    }

    /// Returns the variance of at most four hundred samples in the lower right quarter.
    private func lowerRightVariance(_ map: Homography) -> Float {
        let step = max(1, size / 40)
        var count: Float = 0
        var sum: Float = 0
        var squares: Float = 0
        for y in stride(from: size / 2, to: size, by: step) {
            for x in stride(from: size / 2, to: size, by: step) {
                let value = pixels.brightness(map.map(Double(x) + 0.5, Double(y) + 0.5))
                count += 1
                sum += value
                squares += value * value
            }
        }
        return squares / count - (sum / count) * (sum / count)
    }
}
