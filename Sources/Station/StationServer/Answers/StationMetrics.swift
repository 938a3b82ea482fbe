internal import Metrics

/// What the server counts, by swift-metrics.
enum StationMetrics {
    /// A request and how long it took to the head of its answer.
    static func answered(status: Int, took: Duration) {
        Counter(label: "scan_station_requests", dimensions: [("status", "\(status)")]).increment()
        Metrics.Timer(label: "scan_station_request_duration").recordNanoseconds(took.nanoseconds)
    }

    /// Events without an identifier that somebody was too slow for.
    static func dropped(_ count: Int) {
        Counter(label: "scan_station_events_dropped").increment(by: count)
    }

    /// Changes of deliveries that nobody was told of, because too many came at once.
    static func missed(_ count: Int) {
        Counter(label: "scan_station_delivery_changes_missed").increment(by: count)
    }

    /// A connection that was closed before its time: too slow, idle where others need its place, or one too many.
    static func connectionClosed(because reason: String) {
        Counter(label: "scan_station_connections_closed", dimensions: [("reason", reason)]).increment()
    }

    static func notSaved() { Counter(label: "scan_station_not_saved").increment() }

    static func repeated() { Counter(label: "scan_station_repetitions").increment() }
}

extension Duration {
    /// Nanoseconds, rounded down.
    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
