public import FoundationEssentials
public import ScanEvents

/// A receiver of events: which it gets, in which shape, and how patiently.
public struct Destination: Sendable {
    /// The name, by which its deliveries are stored.
    public var name: String
    /// Which events it gets.
    public var filter: EventFilter
    /// The shape of an event's body.
    public var form: PayloadFormat
    /// Whether its events say what their messages say, the `content` of an event.
    public var includesContent: Bool
    /// How many attempts run at the same time.
    public var concurrency: Int
    /// How long one attempt may take.
    public var timeout: Duration
    /// When a failed attempt is made again.
    public var schedule: RetrySchedule

    /// What Standard Webhooks recommends: an attempt takes 15 s at most.
    public static let standardTimeout: Duration = .seconds(15)

    /// A destination that gets every event.
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

    /// Whether its bodies are those that the outbox keeps of every event.
    var takesStandardBody: Bool { form == .standard && !includesContent }

    /// The exact bytes that it gets for an event.
    ///
    /// - Throws: an encoding error, when the event cannot be written as JSON.
    public func body(for event: ScanEvent) throws -> Data {
        try form.body(for: includesContent ? event.withContent() : event)
    }
}
