/// What changed between two runs, and what is only noise.
public struct Comparison: Sendable {
    /// One figure in both runs.
    public struct Change: Sendable, Hashable {
        /// What was measured.
        public var name: String
        /// The median of the first run, in milliseconds or the figure's own unit.
        public var before: Double
        /// The median of the second run.
        public var after: Double
        /// The second as a multiple of the first, the machine's own change taken out.
        public var ratio: Double
        /// How far either figure may be off by chance, as a share; nil where a run has a single round.
        public var noise: Double?
        /// What can be said of it.
        public var verdict: Verdict
    }

    /// What can be said of a change.
    public enum Verdict: String, Sendable, Hashable {
        /// More time, beyond the noise.
        case slower
        /// Less time, beyond the noise.
        case faster
        /// Nothing: the change is within the noise.
        case unchanged
    }

    /// A change of what was read, which has no noise.
    public struct Detection: Sendable, Hashable {
        /// The reader and the set.
        public var name: String
        /// What the first run read.
        public var before: Score
        /// What the second run read.
        public var after: Score
    }

    /// A change below this share is never claimed, whatever the rounds say.
    public static let leastChange = 0.02
    /// Milliseconds below which the clock itself is too large a part for a claim.
    public static let leastTime = 0.001

    /// The second machine's time for work that neither run changed, as a multiple of the first's: the median over the
    /// floors of files that both have.
    public let drift: Double
    /// Every figure that both runs have.
    public let changes: [Change]
    /// What was read differently.
    public let detections: [Detection]
    /// Figures that only one of the runs has.
    public let unmatched: Int

    /// Compares two runs.
    public init(_ before: Results, _ after: Results) {
        let common = before.floors.compactMap { name, first in
            after.floors[name].flatMap { second in
                let (old, new) = (
                    Spread.median(first.processorRounds ?? first.rounds),
                    Spread.median(second.processorRounds ?? second.rounds)
                )
                return old.flatMap { old in new.flatMap { old > 0 ? $0 / old : nil } }
            }
        }
        let drift = Spread.median(common) ?? 1
        self.drift = drift

        let (first, second) = (Self.figures(before), Self.figures(after))
        var changes: [Change] = []
        for (name, figures) in first.sorted(by: { $0.key < $1.key }) {
            guard let others = second[name] else { continue }
            var (old, new) = (figures.clock, others.clock)
            if let first = figures.processor, let second = others.processor { (old, new) = (first, second) }
            changes += Self.change(name, old, new, drift: drift).map { [$0] } ?? []
        }
        self.changes = changes
        unmatched = Set(first.keys).symmetricDifference(second.keys).count

        let scores = Dictionary(
            after.readers.map { ("\($0.reader) on \($0.set), \($0.group)", ($0.pictures, $0.score)) },
            uniquingKeysWith: { first, _ in first })
        detections = before.readers.compactMap { reader in
            let name = "\(reader.reader) on \(reader.set), \(reader.group)"
            // Of another choice of pictures nothing can be said.
            guard let (pictures, score) = scores[name], pictures == reader.pictures,
                let old = reader.score, let new = score, old.expected == new.expected, old != new
            else { return nil }
            return Detection(name: name, before: old, after: new)
        }
    }

    /// Whether something got slower or is read less than before.
    public var isWorse: Bool {
        changes.contains { $0.verdict == .slower }
            || detections.contains { $0.after.found < $0.before.found || $0.after.misread > $0.before.misread }
    }

    /// Each figure that is less when it is better, round by round: the processor's time, where it is known, and the
    /// clock's.
    private static func figures(_ results: Results) -> [String: (clock: [Double], processor: [Double]?)] {
        var figures: [String: (clock: [Double], processor: [Double]?)] = [:]
        for item in results.measurements {
            let who = item.reader.map { " by \($0)" } ?? ""
            let name = "\(item.measure) \(item.name)\(who), \(item.subject), \(item.state)"
            figures[name] = (item.latency.rounds, item.latency.processorRounds)
        }
        for item in results.readers where item.group == "all" {
            figures["reader \(item.reader), \(item.set)"] = (item.totals, item.processorTotals)
        }
        for item in results.throughput {
            let rates = item.picturesPerSecond.filter { $0 > 0 }
            figures["throughput, milliseconds a picture, \(item.jobs) jobs"] = (rates.map { 1000 / $0 }, nil)
        }
        return figures
    }

    /// Compares the rounds of one figure.
    ///
    /// A change is claimed where the rounds of the one run all lie on the same side of all of the other's, which chance
    /// alone does once in 126 times with five rounds each, and where it is more than twice what both spreads come to:
    /// a run has a hundred figures, and none of them should cry wolf. It must hold with the machine's change and without.
    static func change(_ name: String, _ first: [Double], _ second: [Double], drift: Double) -> Change? {
        guard let before = Spread.median(first), let after = Spread.median(second), before > 0, after > 0 else {
            return nil
        }
        let ratio = after / (before * drift)
        var noise: Double?
        var verdict = Verdict.unchanged
        if let one = Spread.relative(first), let other = Spread.relative(second), before >= leastTime {
            let both = 2 * (one * one + other * other).squareRoot()
            noise = both
            // The machine's own change is only estimated: a claim must hold with it and without it.
            let isClear = [ratio, after / before].allSatisfy { abs($0 - 1) > max(both, leastChange) }
            let factors = [1, drift]
            let (least, most) = (first.min() ?? 0, first.max() ?? 0)
            if isClear, factors.allSatisfy({ factor in second.allSatisfy { $0 > most * factor } }) { verdict = .slower }
            if isClear, factors.allSatisfy({ factor in second.allSatisfy { $0 < least * factor } }) {
                verdict = .faster
            }
        }
        return Change(name: name, before: before, after: after, ratio: ratio, noise: noise, verdict: verdict)
    }
}
