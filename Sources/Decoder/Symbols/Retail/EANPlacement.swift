/// A possible location of a symbol in a profile: its first bar, its last, and the curve between them.
struct EANPlacement {
    /// The left edge of the first bar and the right edge of the last, in samples of the profile.
    var first: Double
    var last: Double
    /// The offset of the middle from half-way, in samples of the profile.
    var bend: Double
    /// The largest offset that an uneven bend adds, in samples of the profile: forwards a fifth of the way from the first
    /// bar, backwards a fifth of the way before the last.
    var skew = 0.0
    /// The mean correlation of the guards, -1 to 1.
    var score: Float

    /// Returns the location in the profile of a share of the symbol: 0 is the first bar, 1 the last.
    func place(_ share: Double) -> Double {
        let middle = share * (1 - share)
        // The maximum of the cubic polynomial s(1 - s)(1 - 2s) is 1/√108.
        return first + share * (last - first) + bend * 4 * middle + skew * 10.392_305 * middle * (1 - 2 * share)
    }

    /// Indicates whether a part of a symbol of `modules` modules may be two modules or more from its place in an even one.
    func isBent(modules: Int) -> Bool { (abs(bend) + abs(skew)) * Double(modules) >= 2 * (last - first) }

    /// The bends at which a long symbol is looked for, as shares of its length: flat, and from the front of a can 45
    /// degrees around it.
    static let bends = [0, -0.042, 0.042]
    /// The largest number of placements that are tried for one layout.
    private static let most = 5
    /// The smallest mean correlation of the guards; other bars seldom have more than 0.6.
    private static let smallestScore: Float = 0.55
    /// The allowed number of visible edges, as a share of those of the symbol: blur and glare hide some, noise adds
    /// some.
    ///
    /// In 81 blurred photos that were read, the extremes were 0.63 and 1.08; half of the locations without a symbol
    /// are outside the limits.
    private static let fewestEdges = 0.45
    private static let maximumEdgesSeen = 1.25
    /// The brightness changes beside a long symbol, as a share of those inside, from which on it is part of
    /// something else.
    private static let longUnrest: Float = 0.7
    /// The largest number of first and of last edges; each pair is tried.
    private static let maximumEdges = 24

    /// A profile with the data that the search needs for each kind of symbol.
    struct Line {
        /// The darkness of the profile: larger values are darker.
        let darkness: [Float]
        /// The falling and the rising edges of the brightness, in samples.
        let starts: ArraySlice<Double>
        let ends: ArraySlice<Double>
        /// The number of transitions before each sample.
        fileprivate let transitionsBefore: [Int]

        init(_ darkness: [Float]) {
            self.darkness = darkness
            guard darkness.count >= 48 else {
                (starts, ends, transitionsBefore) = ([], [], [])
                return
            }
            let changes = (1..<darkness.count).map { darkness[$0] - darkness[$0 - 1] }
            // Even blurred, the edge of a bar has at least this share of the strength of the strongest tenth.
            let least = changes.map(abs).sorted()[changes.count * 9 / 10] * 0.3
            func edges(_ sign: Float) -> [Double] {
                (1..<changes.count - 1).compactMap { place in
                    let value = sign * changes[place]
                    let (before, after) = (sign * changes[place - 1], sign * changes[place + 1])
                    guard value >= max(least, 0.5), value >= before, value > after else { return nil }
                    // The vertex of the parabola through three changes.
                    let curve = before - 2 * value + after
                    return Double(place) + 1 + (curve < 0 ? Double(0.5 * (before - after) / curve) : 0)
                }
            }
            // A third of the weakest edge of a bar; smaller changes are noise.
            transitionsBefore = EANPlacement.transitionCounts(changes, least: least / 3)
            starts = edges(1).prefix(maximumEdges)
            ends = edges(-1).suffix(maximumEdges)
        }
    }

    /// Returns the likeliest placements of a symbol with `modules` modules, best first.
    ///
    /// - Parameter bends: the bends that are tried, as shares of the length; the middle guard then shows the bend more
    ///   exactly.
    static func candidates(
        _ line: Line, modules: Int, edges edgesOfSymbol: Int, middle: Double?, endGuard: [Float],
        smallestModule: Double = 0.9, bends: [Double] = [0]
    ) -> [EANPlacement] {
        let likelyEdges = Int(Double(edgesOfSymbol) * fewestEdges)...Int(Double(edgesOfSymbol) * maximumEdgesSeen)
        let (darkness, transitionsBefore) = (line.darkness, line.transitionsBefore)
        var found: [EANPlacement] = []
        let (startGuard, middleGuard, endGuard) = (Guard.start, Guard.middle, Guard(endGuard))
        for first in line.starts {
            for last in line.ends {
                let module = (last - first) / Double(modules)
                guard module >= smallestModule,
                    likelyEdges.contains(transitionsBefore[Int(last) + 1] - transitionsBefore[Int(first)])
                else { continue }
                for bend in bends {
                    // The slopes of the curve at both ends.
                    let (firstModule, lastModule) = (module * (1 + 4 * bend), module * (1 - 4 * bend))
                    let one = fit(darkness, startGuard, from: first - 3 * firstModule, firstModule)
                    guard one > 0.3 else { continue }
                    let other = fit(
                        darkness, endGuard, from: last + 3 * lastModule - Double(endGuard.modules.count) * lastModule,
                        lastModule)
                    guard other > 0.3 else { continue }
                    var placement = EANPlacement(first: first, last: last, bend: bend * (last - first), score: 0)
                    var sum = one + other
                    var parts: Float = 2
                    if let middle {
                        // Up to two modules off, in steps of a quarter.
                        var best: Float = -1
                        let start = first + (middle - 3.5) * module
                        let around = placement.bend
                        for step in -8...8 {
                            let bend = around + Double(step) * module / 4
                            let value = fit(darkness, middleGuard, from: start + bend, module)
                            if value > best { (best, placement.bend) = (value, bend) }
                        }
                        sum += best
                        parts += 1
                    }
                    placement.score = sum / parts
                    if placement.score >= smallestScore { found.append(placement) }
                }
            }
        }
        found.sort { $0.score > $1.score }
        var chosen: [EANPlacement] = []
        for placement in found where chosen.count < most {
            let module = (placement.last - placement.first) / Double(modules)
            let isKnown = chosen.contains {
                abs($0.first - placement.first) < module && abs($0.last - placement.last) < module
                    && abs($0.bend - placement.bend) < 2 * module
            }
            if !isKnown { chosen.append(placement) }
        }
        return chosen
    }

    /// Returns the number of transitions before each sample, between rising and falling brightness.
    ///
    /// - Parameter least: the smallest change that counts as rising or falling.
    private static func transitionCounts(_ changes: [Float], least: Float) -> [Int] {
        var count = 0
        var sign: FloatingPointSign?
        var result = [0]
        for change in changes {
            if abs(change) >= least, change.sign != sign {
                count += 1
                sign = change.sign
            }
            result.append(count)
        }
        return result
    }

    /// Modules that are correlated with a profile, and the values common to all comparisons.
    private struct Guard {
        static let start = Guard([0, 0, 0, 1, 0, 1])
        static let middle = Guard([1, 0, 1, 0, 1, 0, 1])
        /// The number of samples of the profile for each module.
        static let rate = 3

        let modules: [Float]
        let mean: Float
        /// The sum of the squared deviations from the mean over all samples.
        let energy: Float

        init(_ modules: [Float]) {
            self.modules = modules
            let sum = modules.reduce(0, +)
            mean = sum / Float(modules.count)
            energy = Float(Self.rate) * (sum - sum * mean)
        }
    }

    /// Returns the correlation of modules with the profile.
    private static func fit(_ darkness: [Float], _ pattern: Guard, from: Double, _ module: Double) -> Float {
        let step = module / Double(Guard.rate)
        let last = darkness.count - 2
        var (sum, squares, product): (Float, Float, Float) = (0, 0, 0)
        darkness.withUnsafeBufferPointer { darkness in
            pattern.modules.withUnsafeBufferPointer { modules in
                var x = from + 0.5 * step - 0.5
                for dark in modules {
                    for _ in 0..<Guard.rate {
                        // Clamped at the ends of the profile.
                        let left = min(max(Int(x), 0), last)
                        let fraction = Float(min(max(x - Double(left), 0), 1))
                        let value = darkness[left] + (darkness[left + 1] - darkness[left]) * fraction
                        sum += value
                        squares += value * value
                        product += value * dark
                        x += step
                    }
                }
            }
        }
        let spread = (squares - sum * sum / Float(pattern.modules.count * Guard.rate)) * pattern.energy
        return spread > 1e-3 ? (product - sum * pattern.mean) / spread.squareRoot() : 0
    }

    /// Indicates whether both sides of the placement are light; a part of a longer symbol has bars there.
    func isAlone(in darkness: [Float], isShort: Bool) -> Bool {
        // Five modules, less than the quiet zone and more than the widest space of a digit: a tenth of a short
        // symbol, a twentieth of a long one.
        let width = max(3, Int((last - first) / (isShort ? 10 : 20)))
        func unrest(_ from: Int, _ to: Int) -> Float {
            let part = darkness[min(max(0, from), darkness.count)..<min(darkness.count, max(0, from, to))]
            guard part.count >= 3 else { return 0 }
            return zip(part, part.dropFirst()).reduce(0) { $0 + abs($1.1 - $1.0) } / Float(part.count - 1)
        }
        let (start, end) = (Int(first), Int(last.rounded(.up)))
        // Skip the slope of the outermost edge, two samples wide.
        let limit = (isShort ? 0.35 : Self.longUnrest) * unrest(start, end)
        return max(unrest(start - width - 2, start - 2), unrest(end + 2, end + width + 2)) < limit
    }
}
