internal import BarcodeCore

/// The positions of the modules of a dotted side, however uneven: for a bent, stretched or torn symbol.
///
/// Dark and light alternate along the line through the centers of the modules. The positions are the division of the
/// line into a given number of modules, each almost as wide as the one before, that alternates most. Source: the best
/// path by dynamic programming, as in Amini, Weymouth and Jain, Using dynamic programming for solving variational
/// problems in vision, 1990.
struct DataMatrixTiming {
    /// The average number of samples per module.
    private static let sampling = 6
    /// The number of samples that a module may have.
    private static let steps = 3...12
    /// The tolerance of the solid side's outer edge, in samples.
    private static let slack = 4
    /// The maximum distance in samples between the end of the last module and the end of the line.
    private static let largestOvershoot: Float = 3
    /// The cost per sample of difference between the widths of two neighbors; a sample of the right tone gains one.
    private static let bendCost: Float = 0.6
    /// The number of modules to either side that determine local dark and light.
    private static let toneReach = 1.5
    /// The minimum local contrast, as a share of the contrast of the whole line.
    private static let leastContrast: Float = 0.25

    /// The start of each module, as a share of the line, which runs from the outer edge of a solid side to the center
    /// of the last module.
    let edges: [Double]
    /// The alternation of dark and light, at most 1; noise has a third.
    let score: Float

    /// The centers of the modules, as shares of the line.
    var centers: [Double] { zip(edges, edges.dropFirst()).map { ($0 + $1) / 2 } + [1] }
    /// The end of the last module, if it is as wide as the one before.
    var end: Double {
        guard let last = edges.last, edges.count > 1 else { return 1 }
        return 2 * last - edges[edges.count - 2]
    }

    /// Finds the division of a line into `count` modules that alternates most; `nil` if there is none.
    ///
    /// - Parameter place: returns the point in pixels at a share of the line.
    init?(
        _ pixels: PixelSampler, count: Int, isInverted: Bool, place: (Double) -> Point
    ) {
        let sampling = Self.sampling
        guard count >= 4, count <= 144 else { return nil }
        // From one module before the line to its end.
        let length = sampling * count + sampling / 2
        let unit = 1 / ((Double(count) - 0.5) * Double(sampling))
        let values = (0..<length).map { pixels.brightness(place((Double($0 - sampling) + 0.5) * unit)) }
        let tones = Self.tones(values, reach: Int(Self.toneReach * Double(sampling)), isInverted: isInverted)
        var sums: [Float] = [0]
        sums.reserveCapacity(length + 1)
        for tone in tones { sums.append((sums.last ?? 0) + tone) }
        guard let path = Self.path(sums, count: count) else { return nil }
        edges = path.edges.map { Double($0 - sampling) * unit }
        score = path.gain / Float(length)
    }

    /// Returns tones normalized to the local contrast: 1 for dark, -1 for light.
    private static func tones(_ values: [Float], reach: Int, isInverted: Bool) -> [Float] {
        let floor = max(1, ((values.max() ?? 0) - (values.min() ?? 0)) / 2 * leastContrast)
        return values.indices.map { index in
            var (low, high) = (values[index], values[index])
            for near in max(0, index - reach)...min(values.count - 1, index + reach) {
                low = min(low, values[near])
                high = max(high, values[near])
            }
            let tone = ((low + high) / 2 - values[index]) / max(floor, (high - low) / 2)
            return isInverted ? -tone : tone
        }
    }

    /// The gain of a path that is impossible.
    private static let none = -Float.greatestFiniteMagnitude

    /// The best paths to the last edge, by the sample of that edge and the step before it.
    private struct Paths {
        /// The gain of the best path; ``none`` if there is none.
        var gains: [Float]
        /// The step before the last one of the best path to each edge, sample and step.
        var before: [UInt8]
    }

    /// Returns the edges, in samples, with the greatest gain.
    private static func path(_ sums: [Float], count: Int) -> (edges: [Int], gain: Float)? {
        let paths = paths(sums, count: count)
        guard let end = bestEnd(of: paths, sums, count: count) else { return nil }
        let width = steps.count
        var edges = [end.place]
        var (place, step) = (end.place, end.step)
        for module in stride(from: count - 1, to: 0, by: -1) {
            let origin = Int(paths.before[(module * sums.count + place) * width + step])
            place -= steps.lowerBound + step
            step = origin
            edges.append(place)
        }
        return (edges.reversed(), end.gain)
    }

    /// Finds the best paths, edge by edge.
    private static func paths(_ sums: [Float], count: Int) -> Paths {
        let width = steps.count
        var gains = [Float](repeating: none, count: sums.count * width)
        var next = gains
        var before = [UInt8](repeating: 0, count: count * sums.count * width)
        for start in (sampling - slack)...(sampling + slack) {
            for step in 0..<width { gains[start * width + step] = -sums[start] / 2 }
        }
        sums.withUnsafeBufferPointer { sums in
            before.withUnsafeMutableBufferPointer { before in
                for module in 1..<count {
                    gains.withUnsafeBufferPointer { gains in
                        next.withUnsafeMutableBufferPointer { next in
                            extend(gains, to: next, before, module: module, count: count, sums)
                        }
                    }
                    swap(&gains, &next)
                }
            }
        }
        return Paths(gains: gains, before: before)
    }

    /// Extends all paths by a module, to its end.
    @inline(__always)
    private static func extend(
        _ gains: UnsafeBufferPointer<Float>, to next: UnsafeMutableBufferPointer<Float>,
        _ before: UnsafeMutableBufferPointer<UInt8>, module: Int, count: Int, _ sums: UnsafeBufferPointer<Float>
    ) {
        let (last, least, width, none) = (sums.count - 1, steps.lowerBound, steps.count, Self.none)
        let sign: Float = module.isMultiple(of: 2) ? -1 : 1
        let to = places(ofEdge: module, count: count, last: last)
        for index in (to.lowerBound * width)..<((to.upperBound + 1) * width) { next[index] = none }
        for place in places(ofEdge: module - 1, count: count, last: last) {
            for step in 0..<width {
                let target = place + least + step
                guard target >= to.lowerBound, target <= to.upperBound else { continue }
                // The previous step has the same width, or differs by one.
                let here = place * width + step
                var best = gains[here]
                var origin = step
                if step > 0, gains[here - 1] - bendCost > best {
                    (best, origin) = (gains[here - 1] - bendCost, step - 1)
                }
                if step < width - 1, gains[here + 1] - bendCost > best {
                    (best, origin) = (gains[here + 1] - bendCost, step + 1)
                }
                guard best > none / 2 else { continue }
                next[target * width + step] = best + sign * (sums[target] - sums[place])
                before[(module * sums.count + target) * width + step] = UInt8(truncatingIfNeeded: origin)
            }
        }
    }

    /// Returns the end of the best path; `nil` if no path has a gain.
    private static func bestEnd(
        of paths: Paths, _ sums: [Float], count: Int
    ) -> (gain: Float, place: Int, step: Int)? {
        let (last, width) = (sums.count - 1, steps.count)
        // The last module is light, and the line ends at its center.
        var best: (gain: Float, place: Int, step: Int) = (none, 0, 0)
        for place in places(ofEdge: count - 1, count: count, last: last) {
            for step in 0..<width where paths.gains[place * width + step] > none / 2 {
                let off = abs(Float(last - place) - Float(steps.lowerBound + step) / 2)
                guard off <= largestOvershoot else { continue }
                let gain = paths.gains[place * width + step] - (sums[last] - sums[place]) - bendCost * off
                if gain > best.gain { best = (gain, place, step) }
            }
        }
        return best.gain > 0 ? best : nil
    }

    /// Returns the samples at which an edge may be: a wider range farther from both ends.
    private static func places(ofEdge edge: Int, count: Int, last: Int) -> ClosedRange<Int> {
        let middle = sampling + edge * sampling
        let reach = slack + sampling * min(edge, count - edge) * 3 / 10
        return max(0, middle - reach)...min(last, middle + reach)
    }
}
