/// The log lines about a destination at which deliveries fail: one at the start, at most one a minute while the
/// outage lasts, one alert if it lasts long, and one at its end.
///
/// This rate limit keeps thousands of events that wait for a dead receiver from filling the log. A value without a
/// clock and a log.
struct OutageReport: Sendable {
    /// A line to log.
    enum Line: Sendable, Hashable {
        /// Deliveries have begun to fail.
        case began(Failure)
        /// Deliveries still fail: the attempts and dead letters since the last line, and the duration of the
        /// outage.
        case continues(Failure, attempts: Int, givenUp: Int, duration: Duration)
        /// Deliveries have failed for so long that an operator must look.
        case alert(Failure, duration: Duration)
        /// Events were given up in between deliveries that succeeded, too soon after the last line to be named then.
        case lost(Failure, givenUp: Int)
        /// Deliveries succeed again: the failed attempts, dead letters and duration of the outage.
        case ended(attempts: Int, givenUp: Int, duration: Duration)
    }

    /// The failure of the last attempt.
    struct Failure: Sendable, Hashable {
        /// The reason.
        var reason: String
        /// The status of the response; `nil` if there was none.
        var status: Int?
        /// The delay before the next attempt; `nil` if the event was given up.
        var retryIn: Duration?
    }

    /// The minimum interval between two lines about failing deliveries.
    static let interval: Duration = .seconds(60)
    /// The duration of an outage after which it is an alert.
    static let alertAfter: Duration = .seconds(900)

    /// The time of the first failure since the last success; `nil` if the last attempt succeeded.
    private var since: Duration?
    /// The time of the last line about failing deliveries.
    private var saidAt: Duration?
    /// Indicates whether this outage has been reported.
    private var isSaid = false
    private var isAlerted = false
    private var last: Failure?
    /// The counts since the last line, and since the outage began.
    private var fresh = (attempts: 0, givenUp: 0)
    private var total = (attempts: 0, givenUp: 0)
    /// The last failure and the number of the events that were given up and are in no line.
    private var unsaid: (failure: Failure, count: Int)?

    /// Records a failed attempt; returns the lines to log now.
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

    /// Records a delivery; returns the lines to log now.
    mutating func delivered(at now: Duration) -> [Line] {
        guard let since else { return [] }
        defer {
            // Keep the time of the last line, so that a destination that fails now and then is also limited to one
            // line a minute.
            let saidAt = saidAt
            var unsaid = unsaid
            // Otherwise the line about the end has their number.
            if !isSaid, fresh.givenUp > 0, let last { unsaid = (last, (unsaid?.count ?? 0) + fresh.givenUp) }
            self = OutageReport()
            self.saidAt = saidAt
            self.unsaid = unsaid
        }
        return isSaid ? [.ended(attempts: total.attempts, givenUp: total.givenUp, duration: now - since)] : []
    }

    /// The lines that have become due.
    ///
    /// Call it periodically.
    mutating func due(at now: Duration) -> [Line] {
        var lines: [Line] = []
        if let unsaid, saidAt.map({ now - $0 >= Self.interval }) ?? true { lines += say(unsaid, now) }
        guard let since, let last else { return lines }
        if fresh.attempts > 0, saidAt.map({ now - $0 >= Self.interval }) ?? true { lines += say(last, since, now) }
        if !isAlerted, now - since >= Self.alertAfter {
            isAlerted = true
            isSaid = true
            lines.append(.alert(last, duration: now - since))
        }
        return lines
    }

    /// The final lines, for a worker that stops.
    mutating func end(at now: Duration) -> [Line] {
        let lines = unsaid.map { say($0, now) } ?? []
        guard let since, let last, fresh.attempts > 0 else { return lines }
        return lines + say(last, since, now)
    }

    private mutating func say(_ lost: (failure: Failure, count: Int), _ now: Duration) -> [Line] {
        unsaid = nil
        saidAt = now
        return [.lost(lost.failure, givenUp: lost.count)]
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
