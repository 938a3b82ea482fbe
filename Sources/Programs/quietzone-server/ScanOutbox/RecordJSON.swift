import FoundationEssentials
import ScanEvents
import ScanOutbox

/// The JSON of an event and its deliveries, as written by `show` and `export`.
struct RecordJSON: Encodable {
    struct Delivery: Encodable {
        var destination: String
        var state: String
        var attempts: Int
        var nextAttempt: String?
        var lastAttempt: String?
        var lastStatus: Int?
        var lastError: String?
    }

    var event: ScanEvent
    var deliveries: [Delivery]

    init(_ record: HistoryRecord, withholdsPersonal: Bool) {
        event = withholdsPersonal ? record.event.withholdingPersonal() : record.event
        deliveries = record.deliveries.map {
            Delivery(
                destination: $0.destination, state: $0.state.description, attempts: $0.attempts,
                nextAttempt: $0.nextAttempt?.rfc3339, lastAttempt: $0.lastAttempt?.rfc3339,
                lastStatus: $0.lastStatus, lastError: $0.lastError)
        }
    }
}
