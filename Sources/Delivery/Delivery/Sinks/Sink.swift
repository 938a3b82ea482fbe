public import FoundationEssentials
public import ScanEvents
public import ScanOutbox

/// The content of one delivery attempt.
public struct OutgoingMessage: Sendable, Hashable {
    /// The event's identifier, the same in every attempt; receivers can use it for idempotency.
    public var id: String
    /// The exact bytes to send, the same in every attempt.
    public var body: Data
    /// The media type of the bytes, such as `application/json`.
    public var mediaType: String
    /// The time of this attempt.
    public var attemptedAt: Date
    /// The source of the event, for sinks that build names, rows or keys from its fields.
    private let source: Source

    private enum Source: Sendable, Hashable {
        case none
        case event(ScanEvent)
        case claim(Claim)
    }

    /// Creates a message for one attempt, without its event.
    public init(id: String, body: Data, mediaType: String, attemptedAt: Date) {
        self.init(id: id, body: body, mediaType: mediaType, attemptedAt: attemptedAt, source: .none)
    }

    private init(id: String, body: Data, mediaType: String, attemptedAt: Date, source: Source) {
        self.id = id
        self.body = body
        self.mediaType = mediaType
        self.attemptedAt = attemptedAt
        self.source = source
    }

    /// Creates the message of a claimed delivery.
    init(_ claim: Claim, attemptedAt: Date) {
        self.init(
            id: claim.id, body: claim.body, mediaType: claim.mediaType, attemptedAt: attemptedAt,
            source: .claim(claim))
    }

    /// The scan event; `nil` if it is not known or the outbox's row is damaged.
    public var event: ScanEvent? {
        switch source {
        case .none: nil
        case .event(let event): event
        case .claim(let claim): try? claim.storedEvent()
        }
    }

    /// Creates the message of an event in the format of a destination, for an attempt now.
    public init(_ event: ScanEvent, to destination: Destination) throws {
        self.init(
            id: event.id.description, body: try destination.body(for: event),
            mediaType: destination.form.mediaType, attemptedAt: Date(), source: .event(event))
    }
}

/// A way to deliver events: HTTP, standard output, a command, or one that a program adds.
public protocol Sink: Sendable {
    /// Attempts to deliver an event once and returns the outcome. Failures are outcomes, not errors.
    ///
    /// Returns soon after its task is canceled, and by itself within the destination's timeout.
    func deliver(_ message: OutgoingMessage) async -> DeliveryOutcome

    /// Prepares the sink, such as its connection. Called once, before the first delivery.
    func open() async

    /// Releases connections. Called once, after the last delivery.
    func close() async
}

extension Sink {
    /// Does nothing.
    public func open() async {}

    /// Does nothing.
    public func close() async {}
}

/// Runs an operation and cancels it after a timeout; `nil` in that case.
func withTimeout<Value: Sendable>(
    _ timeout: Duration, _ operation: @escaping @Sendable () async -> Value
) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
        group.addTask { await operation() }
        group.addTask {
            try? await Task.sleep(for: timeout)
            return nil
        }
        defer { group.cancelAll() }
        return await group.next() ?? nil
    }
}
