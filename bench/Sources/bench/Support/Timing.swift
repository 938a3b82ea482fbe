internal import Glibc

/// The clock that every figure is taken by.
enum Timing {
    /// Nanoseconds of the monotonic clock.
    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Nanoseconds that this thread has had a processor for.
    static func processorTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// How long `body` takes, by the clock and of the processor, in nanoseconds, and what it returns.
    static func measure<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> (nanoseconds: UInt64, processor: UInt64, result: Result) {
        let processor = processorTime()
        let start = now()
        let result = try body()
        let nanoseconds = now() - start
        return (nanoseconds, processorTime() - processor, result)
    }

    /// The time of day as ISO 8601 in UTC.
    static func timestamp() -> String {
        var seconds = time(nil)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
            + "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
    }
}

/// Keeps a result from being thrown away by the optimiser together with the work that made it.
@inline(never)
func keep<Value>(_ value: Value) {}
