internal import Metrics

/// The metrics of the intake (swift-metrics).
enum IntakeMetrics {
    /// Counts stored events and dropped duplicates.
    static func count(stored: Int, dropped: Int) {
        if stored > 0 { Counter(label: "scan_outbox_events").increment(by: stored) }
        if dropped > 0 { Counter(label: "scan_outbox_repetitions_dropped").increment(by: dropped) }
    }
}
