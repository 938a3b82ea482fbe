internal import BarcodeCore

/// Finds the edges between bars and spaces in a brightness profile, with subsample precision.
///
/// First it finds the extremes, alternately dark and light. An edge lies where the brightness between two extremes
/// crosses the threshold halfway between paper and ink nearby. A blurred narrow element may not reach that
/// threshold, which is therefore clamped to the range between the two extremes.
struct EdgeFinder {
    /// Parameters of the sharpening that precedes edge detection.
    struct Sharpening: Hashable {
        /// The distance to the samples compared on either side, in samples of the profile; 0 for no sharpening.
        var reach: Float
        /// The factor of the difference from the mean of both sides, which is added.
        var strength: Float
        /// The smallest difference of neighboring extremes, as a share of the contrast of the profile.
        ///
        /// The noise of a mean of several rows is below the default; a narrow bar is above it at any blur that can
        /// be read.
        var swing: Float = 0.06
        /// True if an edge lies halfway between its own two extremes, whatever paper and ink are nearby.
        ///
        /// A space between two bars of one module, blurred, is as dark as the middle of paper and ink: measured there
        /// it is too narrow, and the bars are too wide.
        var isLocal = false
    }

    /// The number of extremes on either side that determine the levels of paper and ink: about a character of most
    /// symbologies.
    private static let neighbors = 5
    /// The smallest distance of the threshold from the extremes of an edge, as a share of their difference.
    private static let margin: Float = 0.25
    /// The length to which a shorter profile is enlarged, in samples.
    private static let wantedValues = 1500

    /// The factor of the enlargement.
    private let factor: Int
    /// The enlarged profile, clamped to the levels of ink and paper, also after sharpening.
    ///
    /// Values beyond them are the overshoot beside a sharp edge, which would make the middle of a wide bar seem
    /// lighter.
    private var values: [Float]
    private let length: Float
    /// The levels of bars and spaces: the 5th and the 95th percentile of the profile.
    private let ink: Float
    private let paper: Float

    init(_ profile: [Float]) {
        factor = max(1, min(3, Self.wantedValues / max(1, profile.count)))
        values = Self.enlarged(profile, by: factor)
        length = Float(profile.count)
        // A sample of the values suffices for the percentiles.
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

    /// Returns the elements found after sharpening; `nil` if there are too few for a symbol.
    func elements(_ sharpening: Sharpening, fewestEdges: Int = BarElements.fewestEdges) -> BarElements? {
        let line = sharpened(sharpening)
        let extremes = extremes(of: line, swing: sharpening.swing)
        guard extremes.count > 8 else { return nil }
        var edges = line.withUnsafeBufferPointer { line in
            extremes.withUnsafeBufferPointer { self.edges(of: line, between: $0, isLocal: sharpening.isLocal) }
        }
        if edges.count % 2 == 1 { edges.removeLast() }
        return BarElements(edges: edges, length: length, fewestEdges: fewestEdges)
    }

    /// Returns the points where the brightness crosses the threshold between neighboring extremes, from the first
    /// falling one on, in samples of the original profile.
    ///
    /// `extremes` are ascending indices of `line`.
    private func edges(
        of line: UnsafeBufferPointer<Float>, between extremes: UnsafeBufferPointer<Int>, isLocal: Bool
    ) -> [Float] {
        var edges: [Float] = []
        edges.reserveCapacity(extremes.count)
        for place in 0..<extremes.count - 1 {
            let (one, two) = (extremes[place], extremes[place + 1])
            let isFalling = line[one] > line[two]
            // The first edge begins a bar: the brightness falls.
            if edges.isEmpty && !isFalling { continue }
            // The levels of paper and ink nearby.
            var (low, high) = isFalling ? (line[two], line[one]) : (line[one], line[two])
            let own = (low: low, high: high)
            // The extremes alternate: only dark ones can lower `low`, only light ones can raise `high`.
            var other = max(0, place - Self.neighbors)
            var isDark = ((other ^ place) & 1 == 0) != isFalling
            let end = min(extremes.count, place + 2 + Self.neighbors)
            while other < end, !isLocal {
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

    /// Returns the profile minus its second difference, which removes part of the blur.
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

    /// Returns the indices of the local extremes, alternately dark and light, that differ by at least `swing`.
    private func extremes(of line: [Float], swing: Float) -> [Int] {
        guard let first = line.first else { return [] }
        let swing = max(2, (paper - ink) * swing)
        var result: [Int] = []
        result.reserveCapacity(200)
        var (lowest, highest) = (0, 0)
        var (low, high) = (first, first)
        // 1 while the last extreme is a dark one and the brightness rises, -1 while it falls, 0 before the first
        // extreme.
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

    /// Enlarges a profile by cubic interpolation.
    ///
    /// Source: Keys, "Cubic Convolution Interpolation for Digital Image Processing" (1981).
    private static func enlarged(_ values: [Float], by factor: Int) -> [Float] {
        guard factor > 1, let last = values.indices.last else { return values }
        // The offset and the weights of each of the new samples between two given ones.
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
                        let first = place &+ shift &- 1
                        let (a, b, c, d): (Float, Float, Float, Float)
                        if first >= 0, first &+ 3 <= last {
                            (a, b, c, d) = (values[first], values[first &+ 1], values[first &+ 2], values[first &+ 3])
                        } else {
                            (a, b) = (values[max(first, 0)], values[max(first + 1, 0)])
                            (c, d) = (values[min(first + 2, last)], values[min(first + 3, last)])
                        }
                        result[place &* factor &+ phase] =
                            a * weights[0] + b * weights[1] + c * weights[2] + d * weights[3]
                    }
                }
            }
            count = values.count * factor
        }
    }
}
