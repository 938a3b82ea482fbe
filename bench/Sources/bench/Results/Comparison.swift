/// A comparison of two runs, which separates changes from noise.
struct Comparison: Sendable {
    /// One figure in both runs.
    struct Change: Sendable, Hashable {
        /// The name of the figure.
        var name: String
        /// The median of the first run, in milliseconds or the figure's own unit.
        var before: Double
        /// The median of the second run.
        var after: Double
        /// The ratio of the second to the first, corrected for ``Comparison/drift``.
        var ratio: Double
        /// The relative noise of both figures; `nil` if a run has only one round.
        var noise: Double?
        /// The verdict.
        var verdict: Verdict
    }

    /// The verdict on a change.
    enum Verdict: String, Sendable, Hashable {
        /// More time, beyond the noise.
        case slower
        /// Less time, beyond the noise.
        case faster
        /// No change beyond the noise.
        case unchanged
    }

    /// A change of the decoding results, which have no noise.
    struct Detection: Sendable, Hashable {
        /// The name of the reader and the set.
        var name: String
        /// The score of the first run.
        var before: Score
        /// The score of the second run.
        var after: Score
    }

    /// The smallest relative change that is reported, whatever the rounds say.
    static let leastChange = 0.02
    /// The smallest time that is compared, in milliseconds; below it, the clock's own share is too large.
    static let leastTime = 0.001

    /// The ratio of the second machine's speed to the first's, for work that no change affects: the median ratio of
    /// the floors of the files that both runs have.
    let drift: Double
    /// The figures that both runs have.
    let changes: [Change]
    /// The decoding results that differ.
    let detections: [Detection]
    /// The number of figures that only one of the runs has.
    let unmatched: Int

    /// Compares two runs.
    init(_ before: Results, _ after: Results) {
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
            // Results for another selection of pictures cannot be compared.
            guard let (pictures, score) = scores[name], pictures == reader.pictures,
                let old = reader.score, let new = score, old.expected == new.expected, old != new
            else { return nil }
            return Detection(name: name, before: old, after: new)
        }
    }

    /// Indicates whether a figure got slower, or a reader decodes less or misreads more.
    var isWorse: Bool {
        changes.contains { $0.verdict == .slower }
            || detections.contains { $0.after.found < $0.before.found || $0.after.misread > $0.before.misread }
    }

    /// Returns the figures for which less is better, by round: the processor time, if known, and the wall-clock time.
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
    /// A change counts if all rounds of one run lie on the same side of all rounds of the other, which happens by
    /// chance once in 126 times with five rounds each, and if it exceeds twice the combined spread. A run has a
    /// hundred figures, and none should give a false alarm. The change must hold with and without the correction for
    /// the machine's drift.
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
            // The drift is only an estimate: a change must hold with and without it.
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
