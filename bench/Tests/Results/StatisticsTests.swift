import Testing

@testable import bench

@Suite("Statistics")
struct StatisticsTests {
    struct QuantileCase: CustomTestStringConvertible, Sendable {
        var values: [Double]
        var fraction: Double
        var expected: Double?
        var testDescription: String { "\(fraction) of \(values)" }
    }

    static let quantileCases = [
        QuantileCase(values: [], fraction: 0.5, expected: nil),
        QuantileCase(values: [7], fraction: 0.9, expected: 7),
        QuantileCase(values: [3, 1, 2], fraction: 0.5, expected: 2),
        QuantileCase(values: [4, 1, 3, 2], fraction: 0.5, expected: 2.5),
        QuantileCase(values: [0, 10], fraction: 0.25, expected: 2.5),
        QuantileCase(values: [0, 10], fraction: 7, expected: 10),
    ]

    @Test("quantiles", arguments: quantileCases)
    func quantile(_ item: QuantileCase) {
        #expect(Spread.quantile(item.values, item.fraction) == item.expected)
    }

    @Test("the spread is half of the range, as a share of the median")
    func spread() {
        #expect(Spread.relative([90, 100, 110]) == 0.1)
        #expect(Spread.relative([100]) == nil)
        #expect(Spread.relative([0, 0]) == nil)
    }

    @Test("percentiles of 1 to 1000 microseconds in two rounds")
    func latency() throws {
        var recorder = LatencyRecorder()
        #expect(recorder.latency == nil)
        for microseconds in 1...1000 {
            recorder.record(nanoseconds: UInt64(microseconds) * 1000, round: microseconds % 2)
        }
        let latency = try #require(recorder.latency)
        #expect(latency.count == 1000)
        // The histogram keeps three digits.
        for (value, expected) in [
            (latency.min, 0.001), (latency.p50, 0.5), (latency.p90, 0.9), (latency.p99, 0.99), (latency.max, 1.0),
        ] {
            #expect(abs(value - expected) <= 0.002 * expected)
        }
        #expect(latency.rounds == [0.501, 0.5])
        #expect(recorder.quantiles.count == 41)
        #expect(recorder.quantiles == recorder.quantiles.sorted())
    }

    @Test("a pair without two times does not count")
    func pairs() throws {
        let ratio = try #require(PairedRatio([(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (0, 2), (2, 0)]))
        #expect(ratio.count == 5)
        #expect(ratio.median == 1.5)
        #expect(ratio.lowerQuartile == 1)
        #expect(ratio.upperQuartile == 2)
        #expect(PairedRatio([(1, 0)]) == nil)
    }
}
