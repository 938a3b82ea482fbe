internal import BarcodeCore

/// Finds the edges between bars and spaces in a profile of brightness, between its values.
///
/// The extremes are found first, dark and light in turn; an edge lies where the brightness between two of them crosses
/// the level halfway between paper and ink nearby. A narrow element in blur does not reach that level: there the level
/// stays between its own extremes.
struct EdgeFinder {
    /// How a profile is prepared before its edges are looked for.
    struct Sharpening: Hashable {
        /// Values of the profile over which the brightness is compared; 0 for none.
        var reach: Float
        /// How many times the difference from both sides is added.
        var strength: Float
        /// The share of the profile's spread of brightness by which neighboring extremes must differ.
        ///
        /// Noise of a mean of rows is less than the usual share, and a narrow bar at the blur that can still be read is more.
        var swing: Float = 0.06
    }

    /// Extremes on either side that tell how bright paper and ink are: a character of most symbologies has as many.
    private static let neighbours = 5
    /// How far the level keeps from the extremes of an edge, as a share of their difference.
    private static let margin: Float = 0.25
    /// Values that a profile should have before its edges are looked for; a shorter one is enlarged.
    private static let wantedValues = 1500

    /// Values of the enlarged profile for each of the given one.
    private let factor: Int
    /// The enlarged profile, between ink and paper: what is beyond, here and when it is sharpened, is no brightness but the
    /// overshoot beside a sharp edge, behind which a wide bar would seem to have a lighter middle.
    private var values: [Float]
    private let length: Float
    /// How bright bars and spaces are: a twentieth of the values are darker, a twentieth lighter.
    private let ink: Float
    private let paper: Float

    init(_ profile: [Float]) {
        factor = max(1, min(3, Self.wantedValues / max(1, profile.count)))
        values = Self.enlarged(profile, by: factor)
        length = Float(profile.count)
        // Every so many values tell the spread as well.
        let step = 1 + values.count / 200
        (ink, paper) = withUnsafeTemporaryAllocation(of: Float.self, capacity: values.count / step + 1) {
            [values] some in
            var count = 0
            for place in stride(from: 0, to: values.count, by: step) {
                some.initializeElement(at: count, to: values[place])
                count += 1
            }
            guard count > 0 else { return (0, 0) }
            let some = UnsafeMutableBufferPointer(rebasing: some[..<count])
            return (some.value(ofRank: count / 20), some.value(ofRank: count * 19 / 20))
        }
        let (ink, paper) = (ink, paper)
        values.withUnsafeMutableBufferPointer { values in
            for place in values.indices { values[place] = min(max(values[place], ink), paper) }
        }
    }

    /// The elements that can be told after sharpening; nil where there are too few for a symbol.
    func elements(_ sharpening: Sharpening, fewestEdges: Int = BarElements.fewestEdges) -> BarElements? {
        let line = sharpened(sharpening)
        let extremes = extremes(of: line, swing: sharpening.swing)
        guard extremes.count > 8 else { return nil }
        var edges = line.withUnsafeBufferPointer { line in
            extremes.withUnsafeBufferPointer { self.edges(of: line, between: $0) }
        }
        if edges.count % 2 == 1 { edges.removeLast() }
        return BarElements(edges: edges, length: length, fewestEdges: fewestEdges)
    }

    /// Where the brightness crosses the level between each two extremes, from the first fall on.
    ///
    /// Places are those of the given profile. `extremes` are places of `line` and rise.
    private func edges(of line: UnsafeBufferPointer<Float>, between extremes: UnsafeBufferPointer<Int>) -> [Float] {
        var edges: [Float] = []
        edges.reserveCapacity(extremes.count)
        for place in 0..<extremes.count - 1 {
            let (one, two) = (extremes[place], extremes[place + 1])
            let isFalling = line[one] > line[two]
            // The first edge of a bar is one where it gets darker.
            if edges.isEmpty && !isFalling { continue }
            // The levels of paper and ink nearby.
            var (low, high) = isFalling ? (line[two], line[one]) : (line[one], line[two])
            let own = (low: low, high: high)
            // Dark and light take turns: only the dark ones can be darker, and only the light ones lighter.
            var other = max(0, place - Self.neighbours)
            var isDark = ((other ^ place) & 1 == 0) != isFalling
            let end = min(extremes.count, place + 2 + Self.neighbours)
            while other < end {
                let value = line[extremes[other]]
                if isDark { low = min(low, value) } else { high = max(high, value) }
                isDark.toggle()
                other += 1
            }
            let space = Self.margin * (own.high - own.low)
            let level = min(max((low + high) / 2, own.low + space), own.high - space)
            var before = one
            while before + 1 < two, isFalling ? line[before + 1] > level : line[before + 1] < level { before += 1 }
            let (a, b) = (line[before], line[before + 1])
            let edge = Float(before) + (abs(b - a) > 1e-6 ? (level - a) / (b - a) : 0.5)
            edges.append((edge + 0.5) / Float(factor))
        }
        return edges
    }

    /// The profile minus its second difference, which undoes a part of the blur.
    private func sharpened(_ sharpening: Sharpening) -> [Float] {
        let reach = Int((sharpening.reach * Float(factor)).rounded())
        guard reach > 0, sharpening.strength > 0, let last = values.indices.last else { return values }
        return [Float](unsafeUninitializedCapacity: values.count) { target, count in
            values.withUnsafeBufferPointer { values in
                for place in values.indices {
                    let sides = (values[max(0, place - reach)] + values[min(last, place + reach)]) / 2
                    target[place] = min(max(values[place] + sharpening.strength * (values[place] - sides), ink), paper)
                }
            }
            count = values.count
        }
    }

    /// The places where the brightness turns, alternately dark and light, by enough to be a bar.
    private func extremes(of line: [Float], swing: Float) -> [Int] {
        guard let first = line.first else { return [] }
        let swing = max(2, (paper - ink) * swing)
        var result: [Int] = []
        result.reserveCapacity(200)
        var (lowest, highest) = (0, 0)
        var (low, high) = (first, first)
        // 1 while the last extreme is a dark one and the brightness rises, -1 while it falls, 0 before the first.
        var direction = 0
        line.withUnsafeBufferPointer { line in
            for (place, value) in line.enumerated() {
                if value > high { (highest, high) = (place, value) }
                if value < low { (lowest, low) = (place, value) }
                if direction >= 0, value < high - swing {
                    result.append(highest)
                    direction = -1
                    (lowest, low) = (place, value)
                } else if direction <= 0, value > low + swing {
                    result.append(lowest)
                    direction = 1
                    (highest, high) = (place, value)
                }
            }
        }
        switch direction {
        case 1: result.append(highest)
        case -1: result.append(lowest)
        default: break
        }
        return result
    }

    /// Cubic between the values.
    ///
    /// Source: Keys, "Cubic Convolution Interpolation for Digital Image Processing" (1981).
    private static func enlarged(_ values: [Float], by factor: Int) -> [Float] {
        guard factor > 1, let last = values.indices.last else { return values }
        // How far each of the values between two given ones lies from the one before, and which one that is.
        let phases = (0..<factor).map { phase -> (shift: Int, weights: SIMD4<Float>) in
            let x = (Float(phase) + 0.5) / Float(factor) - 0.5
            let whole = x.rounded(.down)
            let t = x - whole
            let weights = SIMD4<Float>(
                t * (-1 + t * (2 - t)), 2 + t * t * (3 * t - 5), t * (1 + t * (4 - 3 * t)), t * t * (t - 1))
            return (Int(whole), 0.5 * weights)
        }
        return [Float](unsafeUninitializedCapacity: values.count * factor) { result, count in
            values.withUnsafeBufferPointer { values in
                for (phase, (shift, weights)) in phases.enumerated() {
                    for place in values.indices {
                        let first = place + shift - 1
                        let four =
                            first >= 0 && first + 3 <= last
                            ? SIMD4(values[first], values[first + 1], values[first + 2], values[first + 3])
                            : SIMD4(
                                values[max(first, 0)], values[max(first + 1, 0)], values[min(first + 2, last)],
                                values[min(first + 3, last)])
                        result[place * factor + phase] = (weights * four).sum()
                    }
                }
            }
            count = values.count * factor
        }
    }
}
