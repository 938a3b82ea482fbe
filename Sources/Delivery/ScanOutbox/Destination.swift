public import FoundationEssentials
public import ScanEvents

/// A receiver of events, with its filter, payload format and retry settings.
public struct Destination: Sendable {
    /// The name, under which its deliveries are stored.
    public var name: String
    /// The filter for its events.
    public var filter: EventFilter
    /// The format of an event's body.
    public var form: PayloadFormat
    /// Indicates whether its events include the parsed `content` of the message.
    public var includesContent: Bool
    /// The maximum number of concurrent attempts.
    public var concurrency: Int
    /// The timeout of an attempt.
    public var timeout: Duration
    /// The schedule of retries.
    public var schedule: RetrySchedule

    /// The timeout recommended by Standard Webhooks, 15 s.
    public static let standardTimeout: Duration = .seconds(15)

    /// Creates a destination; by default it gets every event.
    public init(
        name: String, filter: EventFilter = EventFilter(), form: PayloadFormat = .standard,
        includesContent: Bool = false, concurrency: Int = 8, timeout: Duration = Destination.standardTimeout,
        schedule: RetrySchedule = .standard
    ) {
        self.name = name
        self.filter = filter
        self.form = form
        self.includesContent = includesContent
        self.concurrency = concurrency
        self.timeout = timeout
        self.schedule = schedule
    }

    /// Indicates whether its bodies are the same as those that the outbox stores for every event.
    var takesStandardBody: Bool { form == .standard && !includesContent }

    /// The exact bytes to send for an event.
    ///
    /// - Throws: an encoding error if the event cannot be written as JSON.
    public func body(for event: ScanEvent) throws -> Data {
        try form.body(for: includesContent ? event.withContent() : event)
    }
}
