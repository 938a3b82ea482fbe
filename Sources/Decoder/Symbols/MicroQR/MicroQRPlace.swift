import BarcodeCore

/// A finder pattern that may be that of a Micro QR or rMQR symbol, seen one of the ways in which it can lie: what is
/// around it tells.
struct MicroQRPlace {
    /// From the modules of the symbol to pixels; good around the finder pattern.
    var map: Homography
    var kind: MicroQRSize.Kind
    var isInverted: Bool
    /// The brightness halfway between dark and light in the finder pattern.
    var threshold: Float

    /// By what part of the finder pattern's contrast the first modules of a timing pattern differ, in the mean.
    ///
    /// A blur of half a module's standard deviation leaves a third of the contrast of single modules.
    private static let leastTiming: Float = 0.2
    /// Modules of the separator, of fifteen, and of the quiet zone, of eleven a side, that may be dark.
    private static let darkSeparator = 3
    private static let darkQuietZone = 3

    /// All places whose timing patterns, separator and quiet zone are seen beside a finder pattern, of eight for rMQR
    /// and four for Micro QR.
    ///
    /// Texture around a finder pattern is refused by eight looks for each of its sides.
    static func all(
        _ pixels: PixelSampler, finder: Quadrilateral, isInverted: Bool, kinds: Set<MicroQRSize.Kind>
    ) -> [MicroQRPlace] {
        guard let tones = tones(pixels, finder, isInverted: isInverted) else { return [] }
        let points = finder.points
        let module = Quadrilateral(
            topLeft: Point(x: 0, y: 0), topRight: Point(x: 7, y: 0), bottomRight: Point(x: 7, y: 7),
            bottomLeft: Point(x: 0, y: 7))
        var places: [MicroQRPlace] = []
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
                places.append(
                    MicroQRPlace(map: map, kind: kind, isInverted: isInverted, threshold: tones.middle))
            }
            if across, down, kinds.contains(.square), surroundings.isSquare(map) { add(map, .square) }
            guard kinds.contains(.rectangular) else { continue }
            if across, surroundings.isRectangular(map) { add(map, .rectangular) }
            if down, surroundings.isRectangular(flipped) { add(flipped, .rectangular) }
        }
        return places
    }

    /// What a finder pattern says of dark and light.
    private struct Tones {
        var middle: Float
        /// Light minus dark, in brightness.
        var contrast: Float
    }

    /// Nil where the rings are not seen.
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

    /// What is seen around a finder pattern.
    private struct Surroundings {
        let pixels: PixelSampler
        let isInverted: Bool
        let tones: Tones

        /// Whether four modules along the upper edge are light and dark by turns, beginning with the separator.
        func timing(_ map: Homography) -> Bool {
            var values: [Float] = []
            for x in 7...10 {
                let point = map.map(Double(x) + 0.5, 0.5)
                guard pixels.contains(point) else { return false }
                values.append(pixels.brightness(point) * (isInverted ? -1 : 1))
            }
            let steps = [values[0] - values[1], values[2] - values[1], values[2] - values[3]]
            return steps.allSatisfy { $0 > 0 }
                && (values[0] + values[2] - values[1] - values[3]) / 2 >= MicroQRPlace.leastTiming * tones.contrast
        }

        func isSquare(_ map: Homography) -> Bool {
            var dark = 0
            for index in 0...7 {
                if isDark(map, Double(index) + 0.5, 7.5) { dark += 1 }
                if index < 7, isDark(map, 7.5, Double(index) + 0.5) { dark += 1 }
            }
            return dark <= MicroQRPlace.darkSeparator
                && isQuiet { map.map($0, -0.6) } && isQuiet { map.map(-0.6, $0) }
        }

        func isRectangular(_ map: Homography) -> Bool {
            var dark = 0
            for y in 0...6 where isDark(map, 7.5, Double(y) + 0.5) { dark += 1 }
            return dark <= MicroQRPlace.darkSeparator / 2 + 1 && isQuiet { map.map($0, -0.6) }
        }

        private func isQuiet(_ place: (Double) -> Point) -> Bool {
            var dark = 0
            for index in 0...10 where isDark(place(Double(index) + 0.5)) { dark += 1 }
            return dark <= MicroQRPlace.darkQuietZone
        }

        private func isDark(_ map: Homography, _ x: Double, _ y: Double) -> Bool { isDark(map.map(x, y)) }

        /// Outside of the picture nothing is dark.
        private func isDark(_ point: Point) -> Bool {
            pixels.contains(point) && (pixels.brightness(point) < tones.middle) != isInverted
        }
    }
}
