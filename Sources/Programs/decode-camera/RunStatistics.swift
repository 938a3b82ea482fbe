import FrameDecoding
import VideoCapture

/// The output of `--stats`.
struct RunStatistics {
    private let start: Duration
    private var decoded = 0
    private var latencies = LatencyRecord()
    private var lastReported: Duration
    /// The counts of the camera, or of the frames read from a recording.
    var counts = CaptureCounts()

    init(now: Duration) {
        start = now
        lastReported = now
    }

    mutating func add(_ result: FrameResult) {
        decoded += 1
        counts = result.frame.counts
        latencies.add(result.latency)
    }

    /// Indicates whether ten seconds have passed since it last returned true.
    mutating func isDue(at now: Duration) -> Bool {
        guard now - lastReported >= .seconds(10) else { return false }
        lastReported = now
        return true
    }

    func text(at now: Duration) -> String {
        let seconds = max(0.001, (now - start) / .seconds(1))
        func rate(_ count: Int) -> String { "\((Double(count) / seconds * 10).rounded() / 10)" }
        func milliseconds(_ part: Double) -> String {
            latencies.percentile(part).map { "\(($0.milliseconds * 10).rounded() / 10) ms" } ?? "unknown"
        }
        return "captured \(counts.captured) (\(rate(counts.captured))/s), decoded \(decoded) (\(rate(decoded))/s), "
            + "dropped \(counts.dropped), damaged \(counts.flagged + counts.broken), "
            + "skipped \(counts.superseded + counts.overwritten), lost \(counts.lost) times, "
            + "latency p50 \(milliseconds(0.5)), p99 \(milliseconds(0.99))"
    }
}
