internal import Metrics

/// The server's metrics, recorded with swift-metrics.
enum StationMetrics {
    /// Records a request and the time until the head of its response.
    static func answered(status: Int, took: Duration) {
        Counter(label: "scan_station_requests", dimensions: [("status", "\(status)")]).increment()
        Metrics.Timer(label: "scan_station_request_duration").record(duration: took)
    }

    /// Counts events without an identifier that were dropped for a slow client.
    static func dropped(_ count: Int) {
        Counter(label: "scan_station_events_dropped").increment(by: count)
    }

    /// Counts delivery changes that no client was told of, because too many came at once.
    static func missed(_ count: Int) {
        Counter(label: "scan_station_delivery_changes_missed").increment(by: count)
    }

    /// Counts a connection that was closed early: it was too slow, was idle while others needed room, or exceeded a
    /// limit.
    static func connectionClosed(because reason: String) {
        Counter(label: "scan_station_connections_closed", dimensions: [("reason", reason)]).increment()
    }

    /// Counts a lookup by its outcome.
    static func lookedUp(_ state: String) {
        Counter(label: "scan_station_lookups", dimensions: [("state", state)]).increment()
    }

    static func notSaved() { Counter(label: "scan_station_not_saved").increment() }

    static func repeated() { Counter(label: "scan_station_repetitions").increment() }
}
