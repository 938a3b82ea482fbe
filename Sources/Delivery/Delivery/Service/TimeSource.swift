public import FoundationEssentials

/// The clocks of a delivery: handed in, so that tests need not wait and can set them.
public struct TimeSource: Sendable {
    /// The time of day, which may jump.
    public var now: @Sendable () -> Date
    /// The time since some moment, which does not jump.
    public var uptime: @Sendable () -> Duration
    /// A number from 0 to 1, for the jitter of retries.
    public var random: @Sendable () -> Double

    /// Clocks that are given.
    public init(
        now: @escaping @Sendable () -> Date, uptime: @escaping @Sendable () -> Duration,
        random: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.uptime = uptime
        self.random = random
    }

    /// The system's clocks.
    public static let system: TimeSource = {
        let start = ContinuousClock.now
        return TimeSource(
            now: { Date() }, uptime: { ContinuousClock.now - start }, random: { Double.random(in: 0...1) })
    }()
}
