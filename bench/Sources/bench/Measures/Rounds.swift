internal import BenchCore

/// Something that is timed a while in each round.
final class TimedTask {
    private let run: () throws -> Void
    private(set) var recorder = LatencyRecorder()

    /// A task whose first run, which nothing is prepared for, is not counted.
    init(_ run: @escaping () throws -> Void) throws {
        self.run = run
        try run()
    }

    /// Runs the task until `nanoseconds` are spent, and three times at least.
    func spend(nanoseconds: UInt64, round: Int) throws {
        let start = Timing.now()
        var count = 0
        while count < 3 || (Timing.now() - start < nanoseconds && count < 1000) {
            let time = try Timing.measure(run)
            recorder.record(nanoseconds: time.nanoseconds, processor: time.processor, round: round)
            count += 1
        }
    }
}

/// A kind of measurement: prepares, takes part in every round, and reports.
///
/// Everything is measured in every round, so that whatever slows the machine down for a while meets all alike.
protocol Measure: AnyObject {
    /// What the progress says while it runs.
    var title: String { get }
    /// Measures everything once more.
    func measure(round: Int) throws
    /// Adds what was measured.
    func report(to results: inout Results)
}
