internal import Glibc

/// The clock for all figures.
enum Timing {
    /// Returns the time of the monotonic clock, in nanoseconds.
    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Returns the processor time of this thread, in nanoseconds.
    static func processorTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Measures `body` in nanoseconds, by wall-clock time and processor time, and returns its result.
    static func measure<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> (nanoseconds: UInt64, processor: UInt64, result: Result) {
        let processor = processorTime()
        let start = now()
        let result = try body()
        let nanoseconds = now() - start
        return (nanoseconds, processorTime() - processor, result)
    }

    /// Returns the current time as ISO 8601 in UTC.
    static func timestamp() -> String {
        var seconds = time(nil)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
            + "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
    }
}

/// Prevents the optimizer from removing a result together with the work for it.
@inline(never)
func keep<Value>(_ value: Value) {}
