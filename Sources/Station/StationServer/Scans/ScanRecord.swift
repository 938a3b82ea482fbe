internal import FoundationEssentials
internal import ScanEvents
internal import ScanOutbox

/// An event and its deliveries, as sent to clients.
struct ScanRecord: Encodable, Sendable {
    struct Delivery: Encodable, Sendable {
        var destination: String
        var state: String
        var attempts: Int
        var nextAttempt: String?
        var lastAttempt: String?
        var lastStatus: Int?
        var lastError: String?

        init(_ delivery: HistoryRecord.Delivery) {
            destination = delivery.destination
            state = delivery.state.description
            attempts = delivery.attempts
            nextAttempt = delivery.nextAttempt?.rfc3339
            lastAttempt = delivery.lastAttempt?.rfc3339
            lastStatus = delivery.lastStatus
            lastError = delivery.lastError
        }
    }

    var event: ScanEvent
    var deliveries: [Delivery]

    init(_ record: HistoryRecord) {
        event = record.event.withContent()
        deliveries = record.deliveries.map(Delivery.init)
    }
}

/// A scan, as sent in its server-sent event.
struct ScanMessage: Encodable {
    var event: ScanEvent
    var deliveries: [ScanRecord.Delivery]
    /// The request of a page that it answers.
    var request: OrNull<String>

    init(_ record: HistoryRecord) {
        event = record.event.withContent()
        deliveries = record.deliveries.map(ScanRecord.Delivery.init)
        request = OrNull(record.event.source.details?[ScanService.requestKey])
    }
}

/// The deliveries of an event, as sent in a server-sent event.
struct DeliveryMessage: Encodable {
    var id: EventID
    var deliveries: [ScanRecord.Delivery]

    init(_ record: HistoryRecord) {
        id = record.event.id
        deliveries = record.deliveries.map(ScanRecord.Delivery.init)
    }
}
