internal import FoundationEssentials
internal import ScanOutbox

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
        case .delivered, .skipped: state = .delivered
        case .refused: state = .dead
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

extension Settlement {
    /// What an attempt changes that has come to a decision.
    init(_ claim: Claim, _ outcome: DeliveryOutcome, _ decision: DeliveryDecision, at time: Date) {
        self.init(
            claim, state: decision.state, delay: decision.delay, pause: decision.pause, status: outcome.status,
            reason: outcome.reason, attemptedAt: time)
    }
}
