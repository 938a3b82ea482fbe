/// The state of an event at one destination.
public enum DeliveryState: Int, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// Still to be delivered, for the first time or again.
    case pending = 0
    /// The destination has it; final.
    case delivered = 1
    /// Given up after the last attempt; final until it is replayed.
    case dead = 2
    /// Not delivered, because the destination wants no more; final until it is replayed.
    case disabled = 3

    /// The name in lower case.
    public var description: String {
        switch self {
        case .pending: "pending"
        case .delivered: "delivered"
        case .dead: "dead"
        case .disabled: "disabled"
        }
    }

    /// The state of a name.
    public init?(name: String) {
        guard let state = DeliveryState.allCases.first(where: { $0.description == name }) else { return nil }
        self = state
    }
}

/// What follows from an attempt: a pure function of what came of it, so that it is tested without a network.
struct DeliveryDecision: Sendable, Hashable {
    /// The state from now on.
    var state: DeliveryState
    /// The wait before the next attempt; nil in a final state.
    var delay: Duration?
    /// How long the whole destination is left alone; nil where it is not.
    var pause: Duration?

    /// The longest that a receiver may put things off: what a wrong `Retry-After` can do at most.
    static let maximumRetryAfter: Duration = .seconds(86_400)
    /// How long a destination is left alone that wants to be but does not say for how long.
    static let standardPause: Duration = .seconds(5)

    /// The decision after attempt number `attempt`, counted from 1.
    ///
    /// - Parameter random: where in the schedule's jitter the delay lies, 0 to 1.
    init(after outcome: DeliveryOutcome, attempt: Int, schedule: RetrySchedule, random: Double) {
        switch outcome.kind {
        case .delivered: state = .delivered
        case .gone: state = .disabled
        case .postponed:
            state = .pending
            delay = .zero
        case .failed, .throttled:
            if outcome.kind == .throttled {
                pause = min(outcome.retryAfter ?? Self.standardPause, Self.maximumRetryAfter)
            }
            guard let scheduled = schedule.delay(afterAttempt: attempt, random: random) else {
                state = .dead
                return
            }
            state = .pending
            delay = max(scheduled, pause ?? .zero)
        }
    }
}
