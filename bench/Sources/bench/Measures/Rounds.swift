/// A task that is timed for a while in each round.
final class TimedTask {
    private let run: () throws -> Void
    private(set) var recorder = LatencyRecorder()

    /// Creates a task; its first run, which is cold, is not counted.
    init(_ run: @escaping () throws -> Void) throws {
        self.run = run
        try run()
    }

    /// Runs the task until `nanoseconds` have passed, and at least three times.
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

/// A kind of measurement: it prepares, takes part in every round, and reports.
///
/// Every round measures everything, so that a temporary slowdown of the machine affects all alike.
protocol Measure: AnyObject {
    /// The name in progress messages.
    var title: String { get }
    /// Measures everything once.
    func measure(round: Int) throws
    /// Adds the measurements to the results.
    func report(to results: inout Results)
}
