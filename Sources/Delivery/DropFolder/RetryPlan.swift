/// How long to wait before something is tried again: twice as long each time, up to a limit.
struct RetryPlan: Sendable, Hashable {
    /// The wait after the first failure.
    var first: Duration
    /// The longest wait.
    var maximum: Duration
    /// How many failures are the end; nil for none.
    var attempts: Int?

    /// For what waits until somebody repairs something: a full disk, a folder that cannot be written.
    static let patient = RetryPlan(first: .milliseconds(500), maximum: .seconds(30), attempts: nil)
    /// For a file that cannot be read: whoever dropped it may still be setting its permissions.
    static let brief = RetryPlan(first: .milliseconds(500), maximum: .seconds(5), attempts: 3)

    /// The wait after failure number `failures`, counted from 1; nil when that was the last one.
    func wait(after failures: Int) -> Duration? {
        if let attempts, failures >= attempts { return nil }
        var wait = first
        for _ in 1..<max(2, min(failures, 64)) where wait < maximum { wait = wait * 2 }
        if failures <= 1 { wait = first }
        return min(wait, maximum)
    }
}
