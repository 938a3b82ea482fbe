/// Exponential backoff: each wait before a retry is twice as long, up to a limit.
struct RetryPlan: Sendable, Hashable {
    /// The wait after the first failure.
    var first: Duration
    /// The maximum wait.
    var maximum: Duration
    /// The number of failures after which to give up; `nil` for no limit.
    var attempts: Int?

    /// For failures that last until a repair: a full disk, or a folder that cannot be written.
    static let patient = RetryPlan(first: .milliseconds(500), maximum: .seconds(30), attempts: nil)
    /// For a file that cannot be read: its permissions may still be being set.
    static let brief = RetryPlan(first: .milliseconds(500), maximum: .seconds(5), attempts: 3)

    /// The wait after failure number `failures`, counted from 1; `nil` if it was the last one.
    func wait(after failures: Int) -> Duration? {
        if let attempts, failures >= attempts { return nil }
        var wait = first
        for _ in 1..<max(2, min(failures, 64)) where wait < maximum { wait = wait * 2 }
        if failures <= 1 { wait = first }
        return min(wait, maximum)
    }
}
