public import FoundationEssentials
public import ScanEvents
public import SymbolContent

/// An event as stored in the outbox: the event, its bytes, and a delivery for each destination.
public struct OutboxEntry: Sendable {
    package let event: ScanEvent
    let acceptedAt: Date
    let body: Data
    let deliveries: [Delivery]
    /// The candidate destinations, for the message that its symbol may complete.
    let destinations: [Destination]
    /// The keys to check the signature of that message with; `nil` to check none.
    let signingKeys: SigningKeys?
    /// Indicates whether the message contains personal data.
    let isPersonal: Bool

    struct Delivery: Sendable {
        var destination: String
        /// The exact bytes; `nil` if they are the same as those of the entry.
        var body: Data?
        var mediaType: String?
    }

    /// Creates the entry for an event, with deliveries to the destinations whose filters accept it.
    ///
    /// - Parameters:
    ///   - event: the scan event.
    ///   - destinations: the candidate destinations.
    ///   - signingKeys: the keys to check the signature of a message with that the event completes; `nil` to check none.
    ///   - now: the time of acceptance, when the first attempts are due.
    /// - Throws: an encoding error if the event cannot be written as JSON, such as with a corner that is not a
    ///   number.
    public init(
        _ event: ScanEvent, for destinations: [Destination], signingKeys: SigningKeys? = nil, now: Date = Date()
    ) throws {
        self.event = event
        self.signingKeys = signingKeys
        acceptedAt = now
        self.destinations = destinations
        body = try PayloadFormat.standard.body(for: event)
        isPersonal = event.personalKind != nil
        deliveries = try destinations.filter { $0.filter.admits(event) }.map { try Self.delivery(of: event, to: $0) }
    }

    static func delivery(of event: ScanEvent, to destination: Destination) throws -> Delivery {
        Delivery(
            destination: destination.name,
            body: destination.takesStandardBody ? nil : try destination.body(for: event),
            mediaType: destination.takesStandardBody ? nil : destination.form.mediaType)
    }
}
