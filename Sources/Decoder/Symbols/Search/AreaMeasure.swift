internal import BarcodeCore

/// The contrast, the sharpness and the reflections of the print in an area, from the pixels on some lines through it.
struct AreaMeasure {
    /// The number of lines in each direction, and the largest number of pixels on one of them.
    private static let lines = 8
    private static let maximumLength = 256
    /// The share of pixels that are left out at either end of the range of brightness.
    private static let outliers = 0.02
    /// The brightness from which on a pixel is saturated, and below which paper is not.
    private static let saturated: UInt8 = 250
    private static let mostOfPaper = 240

    /// The difference between light and dark, 0 to 255.
    private(set) var contrast = 0.0
    /// The width of edges in pixels, as the sigma of a Gaussian blur; in the direction in which it is larger.
    private(set) var edgeWidth = 0.0
    /// The share of the area that is covered by reflections, 0 to 1: areas of several modules that are saturated, on
    /// paper that is not.
    private(set) var glare = 0.0

    /// Measures an area.
    ///
    /// - Parameters:
    ///   - image: the image.
    ///   - area: the corners of the area, in its pixels.
    ///   - module: the approximate size of a module in pixels.
    ///   - hasBars: true if the area has bars from top to bottom, so that it has edges in one direction only.
    init(_ image: LumaImage, _ area: Quadrilateral, module: Double, hasBars: Bool) {
        guard image.width > 1, image.height > 1 else { return }
        var tones = ToneHistogram()
        var tonesOfPaper = ToneHistogram()
        var slopes: [ToneHistogram] = []
        var reflecting = 0
        // A saturated run as long as several modules is a reflection, and not a space.
        let longest = max(8, Int(8 * module))
        for isAcross in hasBars ? [true] : [true, false] {
            var steps = ToneHistogram()
            for line in 0..<Self.lines {
                let share = (Double(line) + 0.5) / Double(Self.lines)
                let values = image.values(
                    from: isAcross
                        ? area.topLeft.between(area.bottomLeft, share)
                        : area.topLeft.between(area.topRight, share),
                    to: isAcross
                        ? area.topRight.between(area.bottomRight, share)
                        : area.bottomLeft.between(area.bottomRight, share),
                    limit: Self.maximumLength, place: share)
                var run = 0
                func end() {
                    if run >= longest { reflecting += run } else { tonesOfPaper.add(255, count: run) }
                    run = 0
                }
                for (index, value) in values.enumerated() {
                    tones.add(value)
                    if index > 0 { steps.add(max(value, values[index - 1]) - min(value, values[index - 1])) }
                    if value >= Self.saturated {
                        run += 1
                    } else {
                        end()
                        tonesOfPaper.add(value)
                    }
                }
                end()
            }
            slopes.append(steps)
        }
        guard tones.total > 0 else { return }
        let (dark, light) = (tones.tone(ofShare: Self.outliers), tones.tone(ofShare: 1 - Self.outliers))
        contrast = Double(light - dark)
        // Half of the modules have an edge, and the steepest of these do not lie between two pixels.
        let steepest = slopes.map { $0.tone(ofShare: 1 - min(0.1, 0.1 / max(1, module))) }.min() ?? 0
        edgeWidth = contrast / (2.5 * max(0.5, Double(steepest)))
        // The brightness of the paper beside the reflections: of the lighter half, the middle.
        let paper = tonesOfPaper.lighter(than: (dark + light) / 2)
        if paper.tone(ofShare: 0.5) < Self.mostOfPaper { glare = Double(reflecting) / Double(tones.total) }
    }
}

extension LumaImage {
    /// Returns the brightness of the pixels on a line, one pixel apart.
    ///
    /// - Parameters:
    ///   - start: the start of the line.
    ///   - end: its end; beyond the image, the pixels at its edge count.
    ///   - limit: the largest number of pixels; of a longer line, a part is taken.
    ///   - place: the location of the part, from 0 for the start to 1 for the end.
    func values(from start: Point, to end: Point, limit: Int, place: Double = 0.5) -> [UInt8] {
        let length = start.distance(to: end)
        guard length.isFinite, length >= 2, width > 1, height > 1 else { return [] }
        let count = Int(min(Double(limit), length))
        let first = (length - Double(count)) * place
        return withUnsafePixels { pixels in
            (0..<count).map { index in
                let point = start.between(end, (first + Double(index) + 0.5) / length)
                let x = min(max(0, point.x - 0.5), Double(width - 1) - 0.001)
                let y = min(max(0, point.y - 0.5), Double(height - 1) - 0.001)
                let offset = Int(y) * bytesPerRow + Int(x)
                let below = offset + bytesPerRow
                let (right, down) = (x - x.rounded(.down), y - y.rounded(.down))
                let upper = Double(pixels[offset]) * (1 - right) + Double(pixels[offset + 1]) * right
                let lower = Double(pixels[below]) * (1 - right) + Double(pixels[below + 1]) * right
                return UInt8(upper * (1 - down) + lower * down)
            }
        }
    }
}
