/// When an event is tried again, and when it is given up.
///
/// The delays that are the default are those of Standard Webhooks 1.0.0.
public struct RetrySchedule: Sendable, Hashable {
    /// The wait after the first failed attempt, the second, and so on; after one more the event is dead.
    public var delays: [Duration]
    /// The share of a delay by which it is lengthened at random, at most.
    ///
    /// Only lengthened, so that a receiver never gets a second attempt sooner than it was told.
    public var jitter: Double

    /// The delays 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h.
    public static let standard = RetrySchedule(
        delays: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map { .seconds($0) })

    /// A schedule of delays that are lengthened by up to a tenth.
    public init(delays: [Duration], jitter: Double = 0.1) {
        self.delays = delays
        self.jitter = jitter
    }

    /// The wait after failed attempt number `attempt`, counted from 1; nil when that was the last one.
    ///
    /// - Parameter random: where in the jitter the delay lies, 0 to 1.
    package func delay(afterAttempt attempt: Int, random: Double) -> Duration? {
        guard attempt >= 1, attempt <= delays.count else { return nil }
        return delays[attempt - 1] * (1 + jitter * random)
    }
}
