internal import Histogram

/// How long something took, over all of its repetitions.
public struct Latency: Codable, Sendable, Hashable {
    /// The number of repetitions.
    public var count: Int
    /// The shortest, in milliseconds.
    public var min: Double
    /// The time that half of the repetitions kept to, in milliseconds.
    public var p50: Double
    /// The time that nine of ten kept to, in milliseconds.
    public var p90: Double
    /// The time that 99 of 100 kept to, in milliseconds.
    public var p99: Double
    /// The longest, in milliseconds.
    public var max: Double
    /// The median of each round, in milliseconds: how far they lie apart is the noise.
    public var rounds: [Double]
    /// The same of the time for which it had a processor; nil where that is not known.
    ///
    /// Where other programs want the processors too, this is what can still be compared.
    public var processorRounds: [Double]?

    /// The given figures.
    public init(
        count: Int, min: Double, p50: Double, p90: Double, p99: Double, max: Double, rounds: [Double],
        processorRounds: [Double]? = nil
    ) {
        self.count = count
        self.min = min
        self.p50 = p50
        self.p90 = p90
        self.p99 = p99
        self.max = max
        self.rounds = rounds
        self.processorRounds = processorRounds
    }

    /// How far the rounds lie apart, as a share of their median; nil for a single round.
    public var noise: Double? { Spread.relative(rounds) }
}

/// Gathers the times of one measurement, round by round, in an HDR histogram.
public struct LatencyRecorder: Sendable {
    // From a nanosecond to ten minutes, to three digits.
    private var histogram = Histogram<UInt32>(
        highestTrackableValue: 600_000_000_000, numberOfSignificantValueDigits: .three)
    private var rounds: [[Double]] = []
    private var processorRounds: [[Double]] = []

    /// A recorder without a time.
    public init() {}

    /// Whether no time was recorded.
    public var isEmpty: Bool { histogram.totalCount == 0 }

    /// Notes a time in nanoseconds that belongs to a round, counted from 0, and where it is known that of the processor.
    public mutating func record(nanoseconds: UInt64, processor: UInt64? = nil, round: Int) {
        // A time beyond ten minutes counts as ten minutes, as it would not be counted at all.
        histogram.record(Swift.min(Swift.max(nanoseconds, 1), 600_000_000_000))
        while rounds.count <= round { rounds.append([]) }
        rounds[round].append(Double(nanoseconds) / 1e6)
        guard let processor else { return }
        while processorRounds.count <= round { processorRounds.append([]) }
        processorRounds[round].append(Double(processor) / 1e6)
    }

    /// What was recorded; nil where nothing was.
    public var latency: Latency? {
        guard !isEmpty else { return nil }
        func milliseconds(_ nanoseconds: UInt64) -> Double { Double(nanoseconds) / 1e6 }
        return Latency(
            count: Int(histogram.totalCount), min: milliseconds(histogram.min),
            p50: milliseconds(histogram.valueAtPercentile(50)), p90: milliseconds(histogram.valueAtPercentile(90)),
            p99: milliseconds(histogram.valueAtPercentile(99)), max: milliseconds(histogram.max),
            rounds: rounds.compactMap(Spread.median),
            processorRounds: processorRounds.isEmpty ? nil : processorRounds.compactMap(Spread.median))
    }

    /// The times that 0 to 100 per cent kept to, in steps of 2.5, in milliseconds: a plot of the distribution.
    public var quantiles: [Double] {
        isEmpty ? [] : (0...40).map { Double(histogram.valueAtPercentile(Double($0) * 2.5)) / 1e6 }
    }
}
