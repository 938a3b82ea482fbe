import BarcodeCore

/// A finder pattern that may belong to a Micro QR or rMQR symbol, in one of its possible orientations.
struct MicroQRCandidate {
    /// The transform from modules of the symbol to pixels, accurate around the finder pattern.
    var map: Homography
    var kind: MicroQRSize.Kind
    var isInverted: Bool
    /// The brightness halfway between dark and light in the finder pattern.
    var threshold: Float

    /// The smallest mean contrast of the first modules of a timing pattern, as a share of that of the finder
    /// pattern.
    ///
    /// A blur with a standard deviation of half a module leaves a third of the contrast of single modules.
    private static let leastTiming: Float = 0.2
    /// The largest number of dark modules in the separator, of fifteen, and in the quiet zone, of eleven on each
    /// side.
    private static let darkSeparator = 3
    private static let darkQuietZone = 3

    /// Returns all candidates that have a timing pattern, separator and quiet zone, of eight orientations for rMQR
    /// and four for Micro QR.
    ///
    /// Texture around a finder pattern is rejected after eight samples for each side.
    static func all(
        _ pixels: PixelSampler, finder: Quadrilateral, isInverted: Bool, kinds: Set<MicroQRSize.Kind>
    ) -> [MicroQRCandidate] {
        guard let tones = tones(pixels, finder, isInverted: isInverted) else { return [] }
        let points = finder.points
        let module = Quadrilateral(
            topLeft: Point(x: 0, y: 0), topRight: Point(x: 7, y: 0), bottomRight: Point(x: 7, y: 7),
            bottomLeft: Point(x: 0, y: 7))
        var candidates: [MicroQRCandidate] = []
        for start in 0..<4 {
            let corners = (0..<4).map { points[(start + $0) % 4] }
            let upright = Quadrilateral(
                topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
            let mirrored = Quadrilateral(
                topLeft: corners[0], topRight: corners[3], bottomRight: corners[2], bottomLeft: corners[1])
            guard let map = Homography(from: module, to: upright), let flipped = Homography(from: module, to: mirrored)
            else { continue }
            let surroundings = Surroundings(pixels: pixels, isInverted: isInverted, tones: tones)
            let (across, down) = (surroundings.timing(map), surroundings.timing(flipped))
            func add(_ map: Homography, _ kind: MicroQRSize.Kind) {
                candidates.append(
                    MicroQRCandidate(map: map, kind: kind, isInverted: isInverted, threshold: tones.middle))
            }
            if across, down, kinds.contains(.square), surroundings.isSquare(map) { add(map, .square) }
            guard kinds.contains(.rectangular) else { continue }
            if across, surroundings.isRectangular(map) { add(map, .rectangular) }
            if down, surroundings.isRectangular(flipped) { add(flipped, .rectangular) }
        }
        return candidates
    }

    /// The dark and light levels of a finder pattern.
    private struct Tones {
        var middle: Float
        /// The difference of light and dark, in brightness.
        var contrast: Float
    }

    /// Measures the tones of a finder pattern; `nil` if its rings have no contrast.
    private static func tones(_ pixels: PixelSampler, _ finder: Quadrilateral, isInverted: Bool) -> Tones? {
        guard let map = Homography(size: 7, to: finder) else { return nil }
        var dark = pixels.brightness(map.map(3.5, 3.5))
        var light: Float = 0
        for (dx, dy) in [(-1.0, 0.0), (1, 0), (0, -1), (0, 1)] {
            dark += pixels.brightness(map.map(3.5 + 3 * dx, 3.5 + 3 * dy))
            light += pixels.brightness(map.map(3.5 + 2 * dx, 3.5 + 2 * dy))
        }
        (dark, light) = (dark / 5, light / 4)
        let contrast = isInverted ? dark - light : light - dark
        return contrast >= 8 ? Tones(middle: (dark + light) / 2, contrast: contrast) : nil
    }

    /// The surroundings of a finder pattern.
    private struct Surroundings {
        let pixels: PixelSampler
        let isInverted: Bool
        let tones: Tones

        /// Indicates whether four modules along the upper edge alternate between light and dark, beginning with the
        /// separator.
        func timing(_ map: Homography) -> Bool {
            var values: [Float] = []
            for x in 7...10 {
                let point = map.map(Double(x) + 0.5, 0.5)
                guard pixels.contains(point) else { return false }
                values.append(pixels.brightness(point) * (isInverted ? -1 : 1))
            }
            let steps = [values[0] - values[1], values[2] - values[1], values[2] - values[3]]
            return steps.allSatisfy { $0 > 0 }
                && (values[0] + values[2] - values[1] - values[3]) / 2 >= MicroQRCandidate.leastTiming * tones.contrast
        }

        func isSquare(_ map: Homography) -> Bool {
            var dark = 0
            for index in 0...7 {
                if isDark(map, Double(index) + 0.5, 7.5) { dark += 1 }
                if index < 7, isDark(map, 7.5, Double(index) + 0.5) { dark += 1 }
            }
            return dark <= MicroQRCandidate.darkSeparator
                && isQuiet { map.map($0, -0.6) } && isQuiet { map.map(-0.6, $0) }
        }

        func isRectangular(_ map: Homography) -> Bool {
            var dark = 0
            for y in 0...6 where isDark(map, 7.5, Double(y) + 0.5) { dark += 1 }
            return dark <= MicroQRCandidate.darkSeparator / 2 + 1 && isQuiet { map.map($0, -0.6) }
        }

        private func isQuiet(_ point: (Double) -> Point) -> Bool {
            var dark = 0
            for index in 0...10 where isDark(point(Double(index) + 0.5)) { dark += 1 }
            return dark <= MicroQRCandidate.darkQuietZone
        }

        private func isDark(_ map: Homography, _ x: Double, _ y: Double) -> Bool { isDark(map.map(x, y)) }

        /// Indicates whether a point is dark; points outside the image are not.
        private func isDark(_ point: Point) -> Bool {
            pixels.contains(point) && (pixels.brightness(point) < tones.middle) != isInverted
        }
    }
}
