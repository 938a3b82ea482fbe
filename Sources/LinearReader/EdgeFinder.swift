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
    }

    /// The share of the profile's spread of brightness by which neighbouring extremes must differ: noise of a mean of
    /// rows is less, and a narrow bar at the blur that can still be read is more.
    private static let smallestSwing: Float = 0.06
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
        // Every so many values tell the spread as well, and are sorted in no time.
        let some = stride(from: 0, to: values.count, by: 1 + values.count / 200).map { [values] in values[$0] }.sorted()
        (ink, paper) = some.isEmpty ? (0, 0) : (some[some.count / 20], some[some.count * 19 / 20])
        values = values.map { min(max($0, ink), paper) }
    }

    /// The elements that can be told after sharpening; nil where there are too few for a symbol.
    func elements(_ sharpening: Sharpening) -> BarElements? {
        let line = sharpened(sharpening)
        let extremes = extremes(of: line)
        guard extremes.count > 8 else { return nil }
        var edges: [Float] = []
        edges.reserveCapacity(extremes.count)
        for place in 0..<extremes.count - 1 {
            let (one, two) = (extremes[place], extremes[place + 1])
            // The levels of paper and ink nearby.
            var (low, high) = (min(line[one], line[two]), max(line[one], line[two]))
            let own = (low: low, high: high)
            for other in max(0, place - Self.neighbours)..<min(extremes.count, place + 2 + Self.neighbours) {
                low = min(low, line[extremes[other]])
                high = max(high, line[extremes[other]])
            }
            let space = Self.margin * (own.high - own.low)
            let level = min(max((low + high) / 2, own.low + space), own.high - space)
            let isFalling = line[one] > line[two]
            var before = one
            while before + 1 < two, isFalling ? line[before + 1] > level : line[before + 1] < level { before += 1 }
            let (a, b) = (line[before], line[before + 1])
            let edge = Float(before) + (abs(b - a) > 1e-6 ? (level - a) / (b - a) : 0.5)
            // The first edge of a bar is one where it gets darker.
            if edges.isEmpty && !isFalling { continue }
            edges.append((edge + 0.5) / Float(factor))
        }
        if edges.count % 2 == 1 { edges.removeLast() }
        return BarElements(edges: edges, length: length)
    }

    /// The profile minus its second difference, which undoes a part of the blur.
    private func sharpened(_ sharpening: Sharpening) -> [Float] {
        let reach = Int((sharpening.reach * Float(factor)).rounded())
        guard reach > 0, sharpening.strength > 0, let last = values.indices.last else { return values }
        return values.indices.map { place in
            let sides = (values[max(0, place - reach)] + values[min(last, place + reach)]) / 2
            return min(max(values[place] + sharpening.strength * (values[place] - sides), ink), paper)
        }
    }

    /// The places where the brightness turns, alternately dark and light, by enough to be a bar.
    private func extremes(of line: [Float]) -> [Int] {
        let swing = max(2, (paper - ink) * Self.smallestSwing)
        var result: [Int] = []
        var (lowest, highest) = (0, 0)
        // 1 while the last extreme is a dark one and the brightness rises, -1 while it falls, 0 before the first.
        var direction = 0
        for place in line.indices {
            if line[place] > line[highest] { highest = place }
            if line[place] < line[lowest] { lowest = place }
            if direction >= 0, line[place] < line[highest] - swing {
                result.append(highest)
                direction = -1
                lowest = place
            } else if direction <= 0, line[place] > line[lowest] + swing {
                result.append(lowest)
                direction = 1
                highest = place
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
        return [Float](unsafeUninitializedCapacity: values.count * factor) { result, count in
            for place in 0..<values.count * factor {
                let x = (Float(place) + 0.5) / Float(factor) - 0.5
                let whole = Int(x.rounded(.down))
                let t = x - Float(whole)
                let a = values[max(whole - 1, 0)]
                let b = values[max(whole, 0)]
                let c = values[min(whole + 1, last)]
                let d = values[min(whole + 2, last)]
                result[place] =
                    b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
            }
            count = values.count * factor
        }
    }
}
