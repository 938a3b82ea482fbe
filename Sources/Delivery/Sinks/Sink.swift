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

    /// A message for one attempt.
    public init(id: String, body: Data, mediaType: String, attemptedAt: Date) {
        self.id = id
        self.body = body
        self.mediaType = mediaType
        self.attemptedAt = attemptedAt
    }

    /// The message of an event in the shape that a destination wants, for an attempt now.
    public init(_ event: ScanEvent, to destination: Destination) throws {
        self.init(
            id: event.id.description, body: try destination.body(for: event),
            mediaType: destination.form.mediaType, attemptedAt: Date())
    }
}

/// A way to hand events over: HTTP, standard output, a command, or one that a program adds.
public protocol Sink: Sendable {
    /// Tries once to hand an event over; says what came of it, and throws nothing.
    ///
    /// It returns soon after its task was cancelled, and ends by itself within the destination's timeout.
    func deliver(_ message: OutgoingMessage) async -> DeliveryOutcome

    /// Lets go of connections; called once, after the last delivery.
    func close() async
}

extension Sink {
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
