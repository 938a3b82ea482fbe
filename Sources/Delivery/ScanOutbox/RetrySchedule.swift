/// The schedule of retries (backoff with jitter) and their limit.
///
/// The default delays are those of Standard Webhooks 1.0.0.
public struct RetrySchedule: Sendable, Hashable {
    /// The delays after the first failed attempt, the second, and so on; after one more failure the event is a dead
    /// letter.
    public var delays: [Duration]
    /// The maximum share of a delay by which it is randomly lengthened.
    ///
    /// Delays are never shortened, so that a receiver never gets a retry earlier than announced.
    public var jitter: Double

    /// The delays 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h.
    public static let standard = RetrySchedule(
        delays: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map { .seconds($0) })

    /// Creates a schedule; by default the jitter lengthens a delay by up to a tenth.
    public init(delays: [Duration], jitter: Double = 0.1) {
        self.delays = delays
        self.jitter = jitter
    }

    /// The delay after failed attempt number `attempt`, counted from 1; `nil` if it was the last one.
    ///
    /// - Parameter random: a number from 0 to 1 that picks the delay within the jitter.
    package func delay(afterAttempt attempt: Int, random: Double) -> Duration? {
        guard attempt >= 1, attempt <= delays.count else { return nil }
        return delays[attempt - 1] * (1 + jitter * random)
    }
}
