public import FoundationEssentials

/// The clocks of a delivery, injected so that tests can set them and need not wait.
public struct TimeSource: Sendable {
    /// The wall clock, which may jump.
    public var now: @Sendable () -> Date
    /// The monotonic clock: the time since an arbitrary moment.
    public var uptime: @Sendable () -> Duration
    /// A random number from 0 to 1, for the jitter of retries.
    public var random: @Sendable () -> Double

    /// Creates a time source from closures.
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
