internal import BarcodeCore

/// Where the modules of a dotted side stand, however unevenly: the side of a bent, stretched or torn symbol.
///
/// Dark and light take turns along the line through the middles of its modules, so that the most alternating division
/// of the line into so many modules, each hardly wider or narrower than the one before, is theirs. Source: the best path
/// by dynamic programming, as in Amini, Weymouth and Jain, Using dynamic programming for solving variational problems
/// in vision, 1990.
struct DataMatrixTiming {
    /// Samples a module, on average.
    private static let sampling = 6
    /// Samples that a module may have.
    private static let steps = 3...12
    /// Samples by which the outer edge of the solid side may be off.
    private static let slack = 4
    /// Samples by which the last module may end off the end of the line.
    private static let largestOvershoot: Float = 3
    /// What a sample of difference between the widths of two neighbors takes, a sample of the right tone being one.
    private static let bendCost: Float = 0.6
    /// Modules to either side that tell what is dark and light at a place.
    private static let toneReach = 1.5
    /// Shares of the contrast of the whole line that a place has at the least.
    private static let leastContrast: Float = 0.25

    /// Where each module begins, as shares of the line, which runs from the outer edge of a solid side to the middle of
    /// the last module.
    let edges: [Double]
    /// How well dark and light take turns, 1 at the most; noise has a third.
    let score: Float

    /// The middles of the modules.
    var centers: [Double] { zip(edges, edges.dropFirst()).map { ($0 + $1) / 2 } + [1] }
    /// Where the last module ends, if it is as wide as the one before.
    var end: Double {
        guard let last = edges.last, edges.count > 1 else { return 1 }
        return 2 * last - edges[edges.count - 2]
    }

    /// The division of a line into `count` modules that alternate most; nil where there is none.
    ///
    /// - Parameter place: the point at a share of the line.
    init?(
        _ pixels: PixelSampler, count: Int, isInverted: Bool, place: (Double) -> Point
    ) {
        let sampling = Self.sampling
        guard count >= 4, count <= 144 else { return nil }
        // From a module before the line to its end.
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

    /// 1 for what is dark beside its surroundings, -1 for what is light.
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

    /// The edges, in samples, with the greatest gain.
    private static func path(_ sums: [Float], count: Int) -> (edges: [Int], gain: Float)? {
        let last = sums.count - 1
        let (least, most) = (steps.lowerBound, steps.upperBound)
        let width = most - least + 1
        let none = -Float.greatestFiniteMagnitude
        // The gain of all paths that end at a place with a step, and the step before it.
        var gains = [Float](repeating: none, count: (last + 1) * width)
        var next = gains
        var before = [UInt8](repeating: 0, count: count * (last + 1) * width)
        for start in (sampling - slack)...(sampling + slack) {
            for step in 0..<width { gains[start * width + step] = -sums[start] / 2 }
        }
        sums.withUnsafeBufferPointer { sums in
            before.withUnsafeMutableBufferPointer { before in
                for module in 1..<count {
                    let sign: Float = module.isMultiple(of: 2) ? -1 : 1
                    let from = places(ofEdge: module - 1, count: count, last: last)
                    let to = places(ofEdge: module, count: count, last: last)
                    gains.withUnsafeBufferPointer { gains in
                        next.withUnsafeMutableBufferPointer { next in
                            for index in (to.lowerBound * width)..<((to.upperBound + 1) * width) { next[index] = none }
                            for place in from {
                                for step in 0..<width {
                                    let target = place + least + step
                                    guard target >= to.lowerBound, target <= to.upperBound else { continue }
                                    // The step before this one is as wide, or differs by one.
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
                                    before[(module * (last + 1) + target) * width + step] =
                                        UInt8(truncatingIfNeeded: origin)
                                }
                            }
                        }
                    }
                    swap(&gains, &next)
                }
            }
        }
        // The last module is light, and the line ends in its middle.
        var best: (gain: Float, place: Int, step: Int) = (none, 0, 0)
        for place in places(ofEdge: count - 1, count: count, last: last) {
            for step in 0..<width where gains[place * width + step] > none / 2 {
                let off = abs(Float(last - place) - Float(least + step) / 2)
                guard off <= largestOvershoot else { continue }
                let gain = gains[place * width + step] - (sums[last] - sums[place]) - bendCost * off
                if gain > best.gain { best = (gain, place, step) }
            }
        }
        guard best.gain > 0 else { return nil }
        var edges = [best.place]
        var (place, step) = (best.place, best.step)
        for module in stride(from: count - 1, to: 0, by: -1) {
            let origin = Int(before[(module * (last + 1) + place) * width + step])
            place -= least + step
            step = origin
            edges.append(place)
        }
        return (edges.reversed(), best.gain)
    }

    /// The samples at which an edge may be: the farther from both ends, the more.
    private static func places(ofEdge edge: Int, count: Int, last: Int) -> ClosedRange<Int> {
        let middle = sampling + edge * sampling
        let reach = slack + sampling * min(edge, count - edge) * 3 / 10
        return max(0, middle - reach)...min(last, middle + reach)
    }
}
