public import FoundationEssentials
public import ScanEvents
public import ScanOutbox

/// One attempt to deliver an event: what goes over the wire.
public struct OutgoingMessage: Sendable, Hashable {
    /// The event's identifier, the same in every attempt.
    public var id: String
    /// The exact bytes, the same in every attempt.
    public var body: Data
    /// What the bytes are, such as `application/json`.
    public var mediaType: String
    /// The time of this attempt.
    public var attemptedAt: Date
    /// Where the event itself is read from: a sink that makes names, rows or keys of its fields needs it.
    private let source: Source

    private enum Source: Sendable, Hashable {
        case none
        case event(ScanEvent)
        case claim(Claim)
    }

    /// A message for one attempt, whose event is not known.
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

    /// The message of a claimed delivery.
    init(_ claim: Claim, attemptedAt: Date) {
        self.init(
            id: claim.id, body: claim.body, mediaType: claim.mediaType, attemptedAt: attemptedAt,
            source: .claim(claim))
    }

    /// What was read; nil where it is not known, or the outbox's row is damaged.
    public var event: ScanEvent? {
        switch source {
        case .none: nil
        case .event(let event): event
        case .claim(let claim): try? claim.storedEvent()
        }
    }

    /// The message of an event in the shape that a destination wants, for an attempt now.
    public init(_ event: ScanEvent, to destination: Destination) throws {
        self.init(
            id: event.id.description, body: try destination.body(for: event),
            mediaType: destination.form.mediaType, attemptedAt: Date(), source: .event(event))
    }
}

/// A way to hand events over: HTTP, standard output, a command, or one that a program adds.
public protocol Sink: Sendable {
    /// Tries once to hand an event over; says what came of it, and throws nothing.
    ///
    /// It returns soon after its task was cancelled, and ends by itself within the destination's timeout.
    func deliver(_ message: OutgoingMessage) async -> DeliveryOutcome

    /// Makes what has to be there before the first event, such as a connection; called once, before the first delivery.
    func open() async

    /// Lets go of connections; called once, after the last delivery.
    func close() async
}

extension Sink {
    /// Nothing to be made before.
    public func open() async {}

    /// Nothing to let go of.
    public func close() async {}
}

/// Runs an operation, and cancels it when it takes longer than it may; nil in that case.
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
