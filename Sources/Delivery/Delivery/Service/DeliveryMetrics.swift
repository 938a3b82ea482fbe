internal import FoundationEssentials
internal import Metrics
internal import ScanEvents

/// The metrics of the outbox (swift-metrics), with the destination as a dimension.
struct DeliveryMetrics: Sendable {
    private let outcomes: [DeliveryOutcome.Kind: Counter]
    private let depth: Gauge
    private let oldest: Gauge
    private let latency: Metrics.Timer
    private let attemptTime: Metrics.Timer

    init(destination name: String) {
        let destination = [("destination", name)]
        outcomes = Dictionary(
            uniqueKeysWithValues: [
                DeliveryOutcome.Kind.delivered, .failed, .throttled, .gone, .postponed, .refused, .skipped,
            ].map {
                ($0, Counter(label: "scan_outbox_attempts", dimensions: destination + [("outcome", "\($0)")]))
            })
        depth = Gauge(label: "scan_outbox_queue_depth", dimensions: destination)
        oldest = Gauge(label: "scan_outbox_oldest_undelivered_seconds", dimensions: destination)
        latency = Metrics.Timer(label: "scan_outbox_delivery_latency", dimensions: destination)
        attemptTime = Metrics.Timer(label: "scan_outbox_attempt_duration", dimensions: destination)
    }

    /// Reports the number of waiting deliveries and the scan time of the oldest one.
    func report(_ backlog: (depth: Int, oldest: Date?), now: Date) {
        depth.record(backlog.depth)
        oldest.record(backlog.oldest.map { now.timeIntervalSince($0) } ?? 0)
    }

    /// Records an attempt and its duration.
    ///
    /// `latency` is the time from scan to delivery; `nil` if it was not delivered.
    func attempt(_ outcome: DeliveryOutcome.Kind, took: Duration, latency: Duration?) {
        outcomes[outcome]?.increment()
        attemptTime.record(duration: took)
        if let latency { self.latency.record(duration: max(.zero, latency)) }
    }

    /// Counts a postponed attempt.
    func postponed() { outcomes[.postponed]?.increment() }
}
