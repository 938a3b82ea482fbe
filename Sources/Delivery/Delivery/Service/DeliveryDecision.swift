internal import FoundationEssentials
internal import ScanOutbox

/// The consequence of a delivery attempt.
///
/// A pure function of the outcome, so it can be tested without a network.
struct DeliveryDecision: Sendable, Hashable {
    /// The new state of the delivery.
    var state: DeliveryState
    /// The delay before the next attempt; `nil` in a final state.
    var delay: Duration?
    /// The pause of the whole destination; `nil` for none.
    var pause: Duration?

    /// The maximum of `Retry-After` (one day), which limits the harm of a wrong value.
    static let maximumRetryAfter: Duration = .seconds(86_400)
    /// The pause of a destination that is throttled but sends no `Retry-After`.
    static let standardPause: Duration = .seconds(5)

    /// Decides what follows attempt number `attempt`, counted from 1.
    ///
    /// - Parameter random: a number from 0 to 1 that picks the delay within the jitter of the schedule.
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
    /// Creates the update for an attempt and its decision.
    init(_ claim: Claim, _ outcome: DeliveryOutcome, _ decision: DeliveryDecision, at time: Date) {
        self.init(
            claim, state: decision.state, delay: decision.delay, pause: decision.pause, status: outcome.status,
            reason: outcome.reason, attemptedAt: time)
    }
}
