internal import Metrics

/// What the intake counts, by swift-metrics.
enum IntakeMetrics {
    /// Events that were stored, and readings that were dropped as repetitions.
    static func count(stored: Int, dropped: Int) {
        if stored > 0 { Counter(label: "scan_outbox_events").increment(by: stored) }
        if dropped > 0 { Counter(label: "scan_outbox_repetitions_dropped").increment(by: dropped) }
    }
}
