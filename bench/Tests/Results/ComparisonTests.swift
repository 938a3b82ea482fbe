import Testing

@testable import bench

@Suite("Comparison of two runs")
struct ComparisonTests {
    struct ChangeCase: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var before: [Double]
        var after: [Double]
        var drift = 1.0
        var verdict: Comparison.Verdict
    }

    static let changeCases = [
        ChangeCase(testDescription: "the same", before: [10, 11, 10], after: [10, 11, 10], verdict: .unchanged),
        ChangeCase(
            testDescription: "a tenth more", before: [10, 10.1, 10.2], after: [11.1, 11, 11.2], verdict: .slower),
        ChangeCase(
            testDescription: "a tenth less", before: [11.1, 11, 11.2], after: [10, 10.1, 10.2], verdict: .faster),
        ChangeCase(
            testDescription: "a tenth more, in the noise", before: [9, 10, 11.5], after: [10.5, 11, 12],
            verdict: .unchanged),
        ChangeCase(
            testDescription: "clear of each other but by less than both spreads", before: [8, 10, 11],
            after: [11.1, 11.5, 14], verdict: .unchanged),
        ChangeCase(
            testDescription: "too little to be claimed, however quiet", before: [10, 10.001], after: [10.1, 10.101],
            verdict: .unchanged),
        ChangeCase(testDescription: "one round says nothing", before: [10], after: [20], verdict: .unchanged),
        ChangeCase(
            testDescription: "the machine is slower, not the code", before: [10, 10.1], after: [12, 12.1], drift: 1.2,
            verdict: .unchanged),
        ChangeCase(
            testDescription: "the machine alone would be the change", before: [10, 10.1], after: [10, 10.1], drift: 0.8,
            verdict: .unchanged),
        ChangeCase(
            testDescription: "slower with the machine's change and without", before: [10, 10.1], after: [15, 15.1],
            drift: 1.2, verdict: .slower),
        ChangeCase(
            testDescription: "too short for the clock", before: [0.0001, 0.00011], after: [0.0002, 0.00021],
            verdict: .unchanged),
    ]

    @Test("verdicts", arguments: changeCases)
    func verdict(_ item: ChangeCase) throws {
        let change = try #require(Comparison.change("x", item.before, item.after, drift: item.drift))
        #expect(change.verdict == item.verdict)
    }

    @Test("two runs of the same code with noise: hardly ever a claim")
    func noise() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(state: seed)
        var claims = 0
        for _ in 0..<2000 {
            func rounds() -> [Double] { (0..<5).map { _ in 10 * Double.random(in: 0.9...1.1, using: &random) } }
            let change = try #require(Comparison.change("x", rounds(), rounds(), drift: 1))
            if change.verdict != .unchanged { claims += 1 }
        }
        // The order of the rounds alone would give 16; that the change must outdo the spreads leaves about 4.
        #expect(claims < 16, "seed \(seed)")
    }

    @Test("whole runs: the slowed stage is named, the machine's drift is not, detection is exact")
    func runs() {
        let before = Results.example(stage: [10, 10.1, 10.2], floor: 1, found: 9)
        let after = Results.example(stage: [15, 15.1, 15.2], floor: 1.25, found: 8)
        let comparison = Comparison(before, after)
        #expect(comparison.drift == 1.25)
        #expect(comparison.changes.map(\.name) == ["reader quietzone, samples", "stage find_qr, a.png, warm"])
        #expect(comparison.changes.map(\.verdict) == [.unchanged, .slower])
        #expect(
            comparison.detections == [
                Comparison.Detection(
                    name: "quietzone on samples, all", before: Score(expected: 10, found: 9, misread: 0),
                    after: Score(expected: 10, found: 8, misread: 0))
            ])
        #expect(comparison.isWorse)
        #expect(comparison.unmatched == 0)
        #expect(!Comparison(before, before).isWorse)
    }
}

/// Vigna's SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension Results {
    /// A run with one of each kind of figure.
    static func example(stage: [Double], floor: Double, found: Int) -> Results {
        func latency(_ rounds: [Double]) -> Latency {
            let middle = Spread.median(rounds) ?? 0
            return Latency(
                count: rounds.count, min: rounds.min() ?? 0, p50: middle, p90: middle, p99: middle,
                max: rounds.max() ?? 0, rounds: rounds)
        }
        var results = Results(
            started: "2026-01-02T03:04:05Z", seconds: 6, commit: Commit(name: "abc", isModified: false),
            machine: Machine(
                processor: "P", architecture: "x86_64", processors: 2, memoryMegabytes: 8000, system: "Debian"),
            versions: ["zbar": "0.23"], arguments: ["run"], roundCount: 3)
        results.floors = ["a.png": latency([floor, floor])]
        results.measurements = [
            Measurement(
                measure: "stage", name: "find_qr", subject: "a.png", state: "warm", megapixels: 1,
                latency: latency(stage), floor: floor, complete: 1, outOf: 2)
        ]
        let score = Score(expected: 10, found: found, misread: 0)
        results.readers = [
            ReaderResult(
                reader: "quietzone", set: "samples", group: "all", pictures: 3, score: score,
                latency: latency([20, 20]), load: 1, totals: [60, 60], floorTotal: 3, quantiles: [1, 2])
        ]
        results.pictures = [
            PictureResult(
                reader: "quietzone", set: "samples", picture: "a.png", megapixels: 1, milliseconds: 20, score: score)
        ]
        results.pairs = PairedRatio([(1, 2)]).map {
            [PairResult(reader: "quietzone", peer: "zbar", set: "samples", part: "decode", ratio: $0)]
        }!
        results.throughput = []
        results.memory = [Memory(program: "decode-image", subject: "a.png", peakMegabytes: 12)]
        results.costs = [Cost(name: "one / other", ratios: [1.5], limit: 2)]
        results.notes = ["something was left out"]
        return results
    }
}
