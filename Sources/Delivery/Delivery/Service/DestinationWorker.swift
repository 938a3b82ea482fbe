internal import DequeModule
internal import FoundationEssentials
internal import Logging
internal import ScanEvents
internal import ScanOutbox
internal import Synchronization

/// Delivers the due events of one destination.
///
/// Each destination has its own worker, so that none waits for another.
final class DestinationWorker: Sendable {
    private struct State {
        /// The claims that have not been attempted yet.
        var claimed: Deque<Claim> = []
        /// The events of claims that are not settled or released yet.
        ///
        /// A lease expires by a clock that may jump, so the worker does not attempt again what it still holds.
        var held: Set<Int64> = []
        var isClaiming = false
        /// Attempts that wait for their answer, and attempts whose result is not stored yet.
        var inFlight = 0
        var unsettled = 0
        var isIdle = false
        /// The end of the pause that the destination asked for, by the monotonic clock.
        var pausedUntil: Duration?
        var isDisabled = false
        /// The time to retry after the outbox failed or this machine lacked a resource, by the monotonic clock.
        var retryAt: Duration?
        /// Tracks the time for which the receiver is unreachable.
        var absence = ReceiverAbsence()
        /// Decides which log lines to write about failed attempts.
        var outage = OutageReport()
        /// The number of consecutive failures to claim due deliveries.
        var failures = 0
        /// The error because of which deliveries have stopped: the outbox is damaged.
        var fault: OutboxError?
        /// The number of attempts postponed since this machine began to lack a resource; `nil` while it lacks none.
        var postponed: Int?

        /// Removes the claims that have not been attempted, for the caller to release.
        mutating func dropClaimed() {
            held.subtract(claimed.map(\.event))
            claimed = []
        }
    }

    private static let waitAfterFailure: Duration = .seconds(5)
    /// The wait after this machine lacked a resource for an attempt.
    private static let waitAfterShortage: Duration = .seconds(1)

    let destination: Destination
    private let sink: any Sink
    private let outbox: Outbox
    private let time: TimeSource
    private let logger: Logger
    private let endsAfterFailures: Int?
    private let metrics: DeliveryMetrics
    private let state = Mutex(State())
    private let wakes: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation

    /// Creates a worker for a destination.
    ///
    /// - Parameter endsAfterFailures: the allowed number of consecutive outbox failures; `nil` for no limit.
    init(
        _ destination: Destination, sink: any Sink, outbox: Outbox, time: TimeSource, logger: Logger,
        endsAfterFailures: Int? = nil
    ) {
        self.destination = destination
        self.endsAfterFailures = endsAfterFailures
        self.sink = sink
        self.outbox = outbox
        self.time = time
        var logger = logger
        logger[metadataKey: "destination"] = "\(destination.name)"
        self.logger = logger
        metrics = DeliveryMetrics(destination: destination.name)
        // One is enough: a wake-up makes the worker look at all due deliveries.
        (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Makes the worker look for due deliveries.
    func wake() { waker.yield() }

    /// Marks the worker as not idle until it has looked again.
    func forgetIdleness() { state.withLock { $0.isIdle = false } }

    /// Makes ``run()`` return after the running attempts.
    func stop() { waker.finish() }

    /// Indicates whether the last look found nothing due and no attempt is running.
    var isIdle: Bool { state.withLock { $0.isIdle && $0.inFlight + $0.unsettled == 0 && $0.claimed.isEmpty } }

    /// The error because of which deliveries have stopped; `nil` if there is none.
    var fault: OutboxError? { state.withLock { $0.fault } }

    /// Delivers until it is stopped.
    func run() async {
        await sink.open()
        do {
            // A pause that the destination asked an earlier process for.
            if let pause = try await outbox.pause(of: destination.name, now: time.now()) {
                state.withLock { $0.pausedUntil = time.uptime() + pause }
                log(pause: pause)
            }
        } catch {
            logger.error("Could not read due deliveries from the outbox", metadata: ["error": "\(error)"])
        }
        await withDiscardingTaskGroup { group in
            for await _ in wakes {
                say(state.withLock { $0.outage.due(at: time.uptime()) })
                if mustClaim() { group.addTask { await self.claim() } }
                while let claim = next() { group.addTask { await self.attempt(claim) } }
            }
        }
        await release(
            state.withLock { state in
                defer { state.claimed = [] }
                return Array(state.claimed)
            })
        say(state.withLock { $0.outage.end(at: time.uptime()) })
        await sink.close()
    }

    /// The next delivery to attempt; `nil` if the destination may not have one more now.
    private func next() -> Claim? {
        state.withLock { state in
            if state.isDisabled || isPaused(&state) { return nil }
            if let retryAt = state.retryAt, time.uptime() < retryAt { return nil }
            // The next attempt may begin before the last result is stored, but the backlog of unstored results is
            // limited.
            guard state.inFlight < destination.concurrency, state.unsettled < destination.concurrency * 8,
                let claim = state.claimed.popFirst()
            else { return nil }
            state.inFlight += 1
            state.unsettled += 1
            return claim
        }
    }

    private func isPaused(_ state: inout State) -> Bool {
        guard let end = state.pausedUntil else { return false }
        if time.uptime() < end { return true }
        state.pausedUntil = nil
        return false
    }

    /// Indicates whether to claim more.
    ///
    /// Claims are made ahead, so that one commit serves many attempts and none waits for it.
    private func mustClaim() -> Bool {
        state.withLock { state in
            if state.isClaiming { return false }
            if state.isDisabled || isPaused(&state) {
                // During a pause, waiting deliveries are not due.
                state.isIdle = true
                state.isClaiming = !state.claimed.isEmpty
                return state.isClaiming
            }
            if let retryAt = state.retryAt, time.uptime() < retryAt { return false }
            state.isClaiming = state.claimed.count < destination.concurrency * 2
            return state.isClaiming
        }
    }

    /// Claims due deliveries, few enough that no lease ends before its attempt.
    ///
    /// During a pause, releases them instead.
    private func claim() async {
        defer {
            state.withLock { $0.isClaiming = false }
        }
        let (held, isHeldUp) = state.withLock { state in
            let isHeldUp = state.isDisabled || isPaused(&state)
            defer { if isHeldUp { state.dropClaimed() } }
            return (Array(state.claimed), isHeldUp)
        }
        if isHeldUp {
            await release(held)
            return
        }
        do {
            let claims = try await outbox.claim(
                destination.name, limit: destination.concurrency * Destination.claimedAhead, now: time.now(),
                lease: destination.lease)
            state.withLock { state in
                state.claimed += claims.filter { state.held.insert($0.event).inserted }
                state.isIdle = claims.isEmpty
                state.failures = 0
            }
            if !claims.isEmpty { waker.yield() }
        } catch {
            state.withLock { state in
                // A full disk stays full for a while, and nobody knows if anything is due.
                state.retryAt = time.uptime() + Self.waitAfterFailure
                state.isIdle = false
                state.failures += 1
                if let endsAfterFailures, state.failures >= endsAfterFailures { state.fault = error as? OutboxError }
            }
            noteFault(error)
            logger.error("Could not read due deliveries from the outbox", metadata: ["error": "\(error)"])
        }
    }

    private func release(_ claims: [Claim]) async {
        do {
            try await outbox.release(claims, now: time.now())
        } catch {
            logger.error(
                "Could not release claimed deliveries; they become due when their lease expires",
                metadata: ["error": "\(error)"])
        }
    }

    private func attempt(_ claim: Claim) async {
        let attemptedAt = time.now()
        let start = time.uptime()
        let wasAway = state.withLock { $0.absence.isAway }
        defer {
            state.withLock { $0.unsettled -= 1 }
            waker.yield()
        }
        let outcome = await sink.deliver(OutgoingMessage(claim, attemptedAt: attemptedAt))
        if Task.isCancelled && outcome.kind != .delivered {
            state.withLock { state in
                state.inFlight -= 1
                state.held.remove(claim.event)
            }
            await release([claim])
            return
        }
        if outcome.kind == .postponed {
            await postpone(claim, outcome)
            return
        }
        let decision = DeliveryDecision(
            after: outcome, attempt: claim.attempts + 1, schedule: destination.schedule, random: time.random())
        let (isNews, isBack, isFirst) = note(decision, after: outcome, of: claim, wasAway: wasAway)
        waker.yield()
        let end = time.now()
        // The time in a damaged row may be any number.
        let (latency, isWrong) = end.milliseconds.subtractingReportingOverflow(claim.time)
        log(outcome, decision, of: claim, isNews: isNews)
        metrics.attempt(
            outcome.kind, took: time.uptime() - start,
            latency: outcome.kind == .delivered && !isWrong ? .milliseconds(latency) : nil)
        await record(decision, after: outcome, of: claim, at: end, isBack: isBack, isFirst: isFirst)
    }

    /// Notes a decision in memory.
    ///
    /// - Returns: whether the destination was not disabled before, whether it is back after an absence, and whether
    ///   this process has delivered nothing to it before.
    private func note(
        _ decision: DeliveryDecision, after outcome: DeliveryOutcome, of claim: Claim, wasAway: Bool
    ) -> (isNews: Bool, isBack: Bool, isFirst: Bool) {
        state.withLock { state in
            state.inFlight -= 1
            let isFirst = state.absence.isUnknown
            let isBack = state.absence.isOver(after: outcome, of: claim.event, wasAway: wasAway, at: time.uptime())
            // It may be due again as soon as the result is stored.
            if decision.state == .pending { state.held.remove(claim.event) } else { state.absence.forget(claim.event) }
            state.postponed = nil
            if let pause = decision.pause {
                // Concurrent attempts get the same answer.
                if !isPaused(&state), outcome.retryAfter != nil { log(pause: pause) }
                state.pausedUntil = max(state.pausedUntil ?? .zero, time.uptime() + pause)
            }
            defer { if decision.state == .disabled { state.isDisabled = true } }
            return (!state.isDisabled, isBack, isFirst)
        }
    }

    /// Records a decision in the outbox.
    private func record(
        _ decision: DeliveryDecision, after outcome: DeliveryOutcome, of claim: Claim, at end: Date, isBack: Bool,
        isFirst: Bool
    ) async {
        do {
            try await outbox.settle([Settlement(claim, outcome, decision, at: end)])
            if decision.state == .disabled {
                try await outbox.disable(destination.name, reason: outcome.reason ?? "", now: end)
            }
            if isBack {
                let refused = state.withLock { $0.absence.refusedEvents }
                // A process does not know how often earlier ones have tried an event in vain while the receiver took
                // others: with a new process each minute, none would ever be given up.
                try await outbox.retryUnreached(
                    destination.name, besides: refused, isCounted: isFirst, now: time.now())
            }
        } catch {
            noteFault(error)
            // The lease expires, and the event is delivered again with the same identifier.
            logger.error(
                "Could not record the delivery result",
                metadata: ["event": "\(claim.id)", "error": "\(error)"])
        }
        // A pending one may have been claimed again.
        if decision.state != .pending { state.withLock { _ = $0.held.remove(claim.event) } }
    }

    /// Records an error that waiting does not fix.
    private func noteFault(_ error: any Error) {
        guard let error = error as? OutboxError, OutboxError.lasting.contains(error.code) else { return }
        state.withLock { $0.fault = error }
    }

    /// Releases a claim that could not be attempted and all that were claimed with it.
    ///
    /// This counts neither as a failure of the receiver nor as an attempt.
    private func postpone(_ claim: Claim, _ outcome: DeliveryOutcome) async {
        metrics.postponed()
        let (claims, isFirst) = state.withLock { state in
            state.inFlight -= 1
            state.retryAt = time.uptime() + Self.waitAfterShortage
            // Due deliveries are still waiting.
            state.isIdle = false
            state.postponed = (state.postponed ?? 0) + 1
            state.held.remove(claim.event)
            defer { state.dropClaimed() }
            return ([claim] + state.claimed, state.postponed == 1)
        }
        if isFirst {
            logger.warning(
                "Deliveries postponed",
                metadata: ["reason": "\(outcome.reason ?? "")"])
        }
        await release(claims)
    }

    private func log(_ outcome: DeliveryOutcome, _ decision: DeliveryDecision, of claim: Claim, isNews: Bool) {
        var metadata: Logger.Metadata = ["event": "\(claim.id)", "attempt": "\(claim.attempts + 1)"]
        if let status = outcome.status { metadata["status"] = "\(status)" }
        if let reason = outcome.reason { metadata["reason"] = "\(reason)" }
        let now = time.uptime()
        switch decision.state {
        case .delivered:
            // A skipped event is no sign of life from a failing receiver.
            if outcome.kind == .skipped { return logger.notice("Not delivered, as configured", metadata: metadata) }
            logger.debug("Delivered", metadata: metadata)
            say(state.withLock { $0.outage.delivered(at: now) })
        case .pending, .dead:
            let failure = OutageReport.Failure(
                reason: outcome.reason ?? "", status: outcome.status, retryIn: decision.delay)
            logger.debug(failure.message, metadata: metadata)
            say(state.withLock { $0.outage.failed(failure, at: now) })
        case .disabled:
            // Concurrent attempts get the same answer.
            logger.log(
                level: isNews ? .error : .debug, "Destination disabled: the receiver refuses further events",
                metadata: metadata)
        }
    }

    private func log(pause: Duration) {
        logger.notice(
            "Destination paused: the receiver asked to retry later",
            metadata: ["until": "\((time.now() + Double(pause.milliseconds) / 1000).rfc3339)", "for": "\(pause.words)"])
    }

    private func say(_ lines: [OutageReport.Line]) {
        for line in lines { line.log(to: logger) }
    }

    /// Reports the backlog.
    func report() async {
        if let backlog = try? await outbox.backlog(destination.name) { metrics.report(backlog, now: time.now()) }
    }
}

extension Destination {
    /// The duration of a claim: an attempt, the attempts claimed ahead of it, and a margin.
    var lease: Duration { timeout * (Self.claimedAhead + 2) + .seconds(30) }

    /// The number of deliveries claimed ahead for each running attempt.
    static let claimedAhead = 4
}
