/// What is to be said of a destination at which deliveries fail: a line at the start, one a minute at the most while it
/// lasts, an alert once when it lasts long, and one at its end.
///
/// A value without a clock and a log: thousands of events that wait for a dead receiver would else make as many lines.
struct OutageReport: Sendable {
    /// What is to be said.
    enum Line: Sendable, Hashable {
        /// Deliveries begin to fail.
        case began(Failure)
        /// They fail still: how many attempts since the last line, how many events were given up, for how long.
        case continues(Failure, attempts: Int, givenUp: Int, duration: Duration)
        /// They have failed for so long that somebody must look.
        case alert(Failure, duration: Duration)
        /// They arrive again; how many attempts failed, how many events were given up.
        case ended(attempts: Int, givenUp: Int, duration: Duration)
    }

    /// What came of the last attempt.
    struct Failure: Sendable, Hashable {
        /// Why.
        var reason: String
        /// The status that the receiver answered; nil where there was none.
        var status: Int?
        /// When it is tried again; nil where the event was given up.
        var retryIn: Duration?
    }

    /// The least time between two lines that say that deliveries fail.
    static let interval: Duration = .seconds(60)
    /// How long nothing arrives before it is an alert.
    static let alertAfter: Duration = .seconds(900)

    /// When the first attempt failed after which none succeeded; nil where the last one did.
    private var since: Duration?
    /// When it was last said that deliveries fail.
    private var saidAt: Duration?
    /// Whether anything was said of this outage.
    private var isSaid = false
    private var isAlerted = false
    private var last: Failure?
    /// Since the last line, and since the outage began.
    private var fresh = (attempts: 0, givenUp: 0)
    private var total = (attempts: 0, givenUp: 0)

    /// An attempt failed; what is to be said at once.
    mutating func failed(_ failure: Failure, at now: Duration) -> [Line] {
        since = since ?? now
        last = failure
        fresh.attempts += 1
        total.attempts += 1
        if failure.retryIn == nil {
            fresh.givenUp += 1
            total.givenUp += 1
        }
        return due(at: now)
    }

    /// An event arrived; what is to be said at once.
    mutating func delivered(at now: Duration) -> [Line] {
        guard let since else { return [] }
        defer {
            // When it was last said stays: what fails now and then says so once a minute too.
            let saidAt = saidAt
            self = OutageReport()
            self.saidAt = saidAt
        }
        return isSaid ? [.ended(attempts: total.attempts, givenUp: total.givenUp, duration: now - since)] : []
    }

    /// What has become due; to be asked now and then.
    mutating func due(at now: Duration) -> [Line] {
        guard let since, let last else { return [] }
        var lines: [Line] = []
        if fresh.attempts > 0, saidAt.map({ now - $0 >= Self.interval }) ?? true { lines += say(last, since, now) }
        if !isAlerted, now - since >= Self.alertAfter {
            isAlerted = true
            isSaid = true
            lines.append(.alert(last, duration: now - since))
        }
        return lines
    }

    /// What is left to say when nobody will ask any more.
    mutating func end(at now: Duration) -> [Line] {
        guard let since, let last, fresh.attempts > 0 else { return [] }
        return say(last, since, now)
    }

    private mutating func say(_ last: Failure, _ since: Duration, _ now: Duration) -> [Line] {
        defer {
            saidAt = now
            isSaid = true
            fresh = (0, 0)
        }
        if !isSaid && fresh.attempts == 1 { return [.began(last)] }
        return [.continues(last, attempts: fresh.attempts, givenUp: fresh.givenUp, duration: now - since)]
    }
}
