/// Where in a profile a symbol may lie: its first bar, its last, and the bend between them.
struct EANPlacement {
    /// Places in the profile: the left edge of the first bar and the right edge of the last.
    var first: Double
    var last: Double
    /// How far the middle lies from half-way, in values of the profile.
    var bend: Double
    /// How well the guards fit, -1 to 1.
    var score: Float

    /// The place of a share of the symbol, 0 for the first bar and 1 for the last.
    func place(_ share: Double) -> Double {
        first + share * (last - first) + bend * 4 * share * (1 - share)
    }

    /// Places to try at most for one layout.
    private static let most = 3
    /// The least mean correlation of the guards; what is no guard seldom has more than 0.6.
    private static let smallestScore: Float = 0.55
    /// Edges that are seen in the place of a symbol, as a part of those that it has: blur and glare swallow some, noise
    /// adds some.
    ///
    /// Of 81 blurred photos that were read the extremes had 0.63 and 1.08; half of the places without a
    /// symbol have less or more.
    private static let fewestEdges = 0.45
    private static let maximumEdgesSeen = 1.25
    /// Unrest beside a long symbol, as a part of that inside, from which it is a part of something else.
    private static let longUnrest: Float = 0.7
    /// Edges to start and to end with at most; each pair is tried.
    private static let maximumEdges = 24

    /// A profile and what the search for each kind of symbol needs to know of it.
    struct Line {
        /// Larger values for darker places.
        let darkness: [Float]
        /// Places where it gets dark, and where it gets light again.
        fileprivate let starts: ArraySlice<Double>
        fileprivate let ends: ArraySlice<Double>
        /// For each place how often brightness has turned before it.
        fileprivate let turnsBefore: [Int]

        init(_ darkness: [Float]) {
            self.darkness = darkness
            guard darkness.count >= 48 else {
                (starts, ends, turnsBefore) = ([], [], [])
                return
            }
            let changes = (1..<darkness.count).map { darkness[$0] - darkness[$0 - 1] }
            // An edge of a bar among the strongest tenth has at least this share of their strength, even blurred.
            let least = changes.map(abs).sorted()[changes.count * 9 / 10] * 0.3
            func edges(_ sign: Float) -> [Double] {
                (1..<changes.count - 1).compactMap { place in
                    let value = sign * changes[place]
                    let (before, after) = (sign * changes[place - 1], sign * changes[place + 1])
                    guard value >= max(least, 0.5), value >= before, value > after else { return nil }
                    // The top of the parabola through three changes.
                    let curve = before - 2 * value + after
                    return Double(place) + 1 + (curve < 0 ? Double(0.5 * (before - after) / curve) : 0)
                }
            }
            // A third of the weakest edge of a bar: what is less is noise.
            turnsBefore = EANPlacement.turns(changes, least: least / 3)
            starts = edges(1).prefix(maximumEdges)
            ends = edges(-1).suffix(maximumEdges)
        }
    }

    /// The likeliest places of a symbol of so many modules, the best first.
    static func candidates(
        _ line: Line, modules: Int, edges edgesOfSymbol: Int, middle: Double?, endGuard: [Float],
        smallestModule: Double = 0.9
    ) -> [EANPlacement] {
        let likelyEdges = Int(Double(edgesOfSymbol) * fewestEdges)...Int(Double(edgesOfSymbol) * maximumEdgesSeen)
        let (darkness, turnsBefore) = (line.darkness, line.turnsBefore)
        var found: [EANPlacement] = []
        let (startGuard, middleGuard, endGuard) = (Guard.start, Guard.middle, Guard(endGuard))
        for first in line.starts {
            for last in line.ends {
                let module = (last - first) / Double(modules)
                guard module >= smallestModule,
                    likelyEdges.contains(turnsBefore[Int(last) + 1] - turnsBefore[Int(first)])
                else { continue }
                let one = fit(darkness, startGuard, from: first - 3 * module, module)
                guard one > 0.3 else { continue }
                let other = fit(
                    darkness, endGuard, from: last + 3 * module - Double(endGuard.modules.count) * module, module)
                guard other > 0.3 else { continue }
                var placement = EANPlacement(first: first, last: last, bend: 0, score: 0)
                var sum = one + other
                var parts: Float = 2
                if let middle {
                    // Up to two modules off, in steps of a quarter.
                    var best: Float = -1
                    for step in -8...8 {
                        let bend = Double(step) * module / 4
                        let value = fit(darkness, middleGuard, from: first + (middle - 3.5) * module + bend, module)
                        if value > best { (best, placement.bend) = (value, bend) }
                    }
                    sum += best
                    parts += 1
                }
                placement.score = sum / parts
                if placement.score >= smallestScore { found.append(placement) }
            }
        }
        found.sort { $0.score > $1.score }
        var chosen: [EANPlacement] = []
        for placement in found where chosen.count < most {
            let module = (placement.last - placement.first) / Double(modules)
            let isKnown = chosen.contains {
                abs($0.first - placement.first) < module && abs($0.last - placement.last) < module
            }
            if !isKnown { chosen.append(placement) }
        }
        return chosen
    }

    /// For each place how often brightness has turned before it, from rising to falling or back.
    ///
    /// - Parameter least: the change below which it neither rises nor falls.
    private static func turns(_ changes: [Float], least: Float) -> [Int] {
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

    /// Some modules that a profile is compared with, and what all comparisons need of them.
    private struct Guard {
        static let start = Guard([0, 0, 0, 1, 0, 1])
        static let middle = Guard([1, 0, 1, 0, 1, 0, 1])
        /// Samples of the profile for each module.
        static let rate = 3

        let modules: [Float]
        let mean: Float
        /// The sum of the squared distances from the mean, a sample each.
        let energy: Float

        init(_ modules: [Float]) {
            self.modules = modules
            let sum = modules.reduce(0, +)
            mean = sum / Float(modules.count)
            energy = Float(Self.rate) * (sum - sum * mean)
        }
    }

    /// The correlation of some modules with the profile.
    private static func fit(_ darkness: [Float], _ pattern: Guard, from: Double, _ module: Double) -> Float {
        let step = module / Double(Guard.rate)
        let last = darkness.count - 2
        var (sum, squares, product): (Float, Float, Float) = (0, 0, 0)
        darkness.withUnsafeBufferPointer { darkness in
            pattern.modules.withUnsafeBufferPointer { modules in
                var x = from + 0.5 * step - 0.5
                for dark in modules {
                    for _ in 0..<Guard.rate {
                        // Beyond the profile its ends go on.
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

    /// Whether there is light on both sides of the place: a part of a longer symbol has bars there.
    func isAlone(in darkness: [Float], isShort: Bool) -> Bool {
        // Five modules, less than the quiet zone and more than a digit's widest space: a tenth of a short symbol, a
        // twentieth of a long one.
        let width = max(3, Int((last - first) / (isShort ? 10 : 20)))
        func unrest(_ from: Int, _ to: Int) -> Float {
            let part = darkness[min(max(0, from), darkness.count)..<min(darkness.count, max(0, from, to))]
            guard part.count >= 3 else { return 0 }
            return zip(part, part.dropFirst()).reduce(0) { $0 + abs($1.1 - $1.0) } / Float(part.count - 1)
        }
        let (start, end) = (Int(first), Int(last.rounded(.up)))
        // The slope of the outermost bar's edge, two values wide, is no unrest.
        let limit = (isShort ? 0.35 : Self.longUnrest) * unrest(start, end)
        return max(unrest(start - width - 2, start - 2), unrest(end + 2, end + width + 2)) < limit
    }
}
