internal import Histogram

/// The distribution of a measured time over all repetitions.
struct Latency: Codable, Sendable, Hashable {
    /// The number of repetitions.
    var count: Int
    /// The minimum, in milliseconds.
    var min: Double
    /// The median, in milliseconds.
    var p50: Double
    /// The 90th percentile, in milliseconds.
    var p90: Double
    /// The 99th percentile, in milliseconds.
    var p99: Double
    /// The maximum, in milliseconds.
    var max: Double
    /// The median of each round, in milliseconds; their spread is the noise.
    var rounds: [Double]
    /// The median processor time of each round, in milliseconds; `nil` if unknown.
    ///
    /// If other programs compete for the processors, these times can still be compared.
    var processorRounds: [Double]?

    /// Creates a distribution.
    init(
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

    /// The relative spread of the rounds; `nil` for a single round.
    var noise: Double? { Spread.relative(rounds) }
}

/// Collects the times of one measurement by round, in an HDR histogram.
struct LatencyRecorder: Sendable {
    // From a nanosecond to ten minutes, with three significant digits.
    private var histogram = Histogram<UInt32>(
        highestTrackableValue: 600_000_000_000, numberOfSignificantValueDigits: .three)
    private var rounds: [[Double]] = []
    private var processorRounds: [[Double]] = []

    /// Creates an empty recorder.
    init() {}

    /// Indicates whether no time was recorded.
    var isEmpty: Bool { histogram.totalCount == 0 }

    /// Records a time in nanoseconds, and the processor time if known, for a round that is counted from 0.
    mutating func record(nanoseconds: UInt64, processor: UInt64? = nil, round: Int) {
        // A longer time counts as ten minutes, because the histogram would drop it.
        histogram.record(Swift.min(Swift.max(nanoseconds, 1), 600_000_000_000))
        while rounds.count <= round { rounds.append([]) }
        rounds[round].append(Double(nanoseconds) / 1e6)
        guard let processor else { return }
        while processorRounds.count <= round { processorRounds.append([]) }
        processorRounds[round].append(Double(processor) / 1e6)
    }

    /// The distribution; `nil` if nothing was recorded.
    var latency: Latency? {
        guard !isEmpty else { return nil }
        func milliseconds(_ nanoseconds: UInt64) -> Double { Double(nanoseconds) / 1e6 }
        return Latency(
            count: Int(histogram.totalCount), min: milliseconds(histogram.min),
            p50: milliseconds(histogram.valueAtPercentile(50)), p90: milliseconds(histogram.valueAtPercentile(90)),
            p99: milliseconds(histogram.valueAtPercentile(99)), max: milliseconds(histogram.max),
            rounds: rounds.compactMap(Spread.median),
            processorRounds: processorRounds.isEmpty ? nil : processorRounds.compactMap(Spread.median))
    }

    /// The percentiles from 0 to 100 in steps of 2.5, in milliseconds, for a plot of the distribution.
    var quantiles: [Double] {
        isEmpty ? [] : (0...40).map { Double(histogram.valueAtPercentile(Double($0) * 2.5)) / 1e6 }
    }
}
