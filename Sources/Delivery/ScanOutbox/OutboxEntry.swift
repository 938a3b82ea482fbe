public import FoundationEssentials
public import ScanEvents

/// An event as the outbox stores it: the event, its bytes, and a delivery for each destination.
public struct OutboxEntry: Sendable {
    package let event: ScanEvent
    let acceptedAt: Date
    let body: Data
    let deliveries: [Delivery]
    /// Whether a part of the message is personal.
    let isPersonal: Bool

    struct Delivery: Sendable {
        var destination: String
        /// The exact bytes; nil where they are those of the entry.
        var body: Data?
        var mediaType: String?
    }

    /// The entry for an event and those of the destinations whose filter lets it pass.
    ///
    /// - Parameters:
    ///   - event: what was read.
    ///   - destinations: those that are asked whether they want it.
    ///   - now: the time of acceptance; the first attempts are due then.
    /// - Throws: an encoding error, when the event cannot be written as JSON, such as a corner that is no number.
    public init(_ event: ScanEvent, for destinations: [Destination], now: Date = Date()) throws {
        self.event = event
        acceptedAt = now
        body = try PayloadFormat.standard.body(for: event)
        isPersonal = event.personalContent != nil
        deliveries = try destinations.filter { $0.filter.admits(event) }.map { try Self.delivery(of: event, to: $0) }
    }

    static func delivery(of event: ScanEvent, to destination: Destination) throws -> Delivery {
        Delivery(
            destination: destination.name,
            body: destination.takesStandardBody ? nil : try destination.body(for: event),
            mediaType: destination.takesStandardBody ? nil : destination.form.mediaType)
    }
}
