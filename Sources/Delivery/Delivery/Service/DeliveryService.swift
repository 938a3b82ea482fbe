internal import FoundationEssentials
public import Logging
internal import ScanEvents
public import ScanOutbox
public import ServiceLifecycle
internal import Synchronization

/// Delivers what an outbox holds until it is told to stop; then attempts that are under way end, and nothing is begun.
public final class DeliveryService: Service {
    /// What a service does besides delivering.
    public struct Options: Sendable {
        /// How often each destination looks for what has become due; new events are seen at once.
        public var tick: Duration = .milliseconds(250)
        /// How often the backlog is reported.
        public var reporting: Duration = .seconds(30)
        /// How often old events are deleted; looking for them takes a second where there are millions.
        public var pruning: Duration = .seconds(600)
        /// How often personal messages are taken out of events that need nothing more, at most.
        public var withholding: Duration = .seconds(5)
        /// What is kept of events that are done with.
        public var retention = Retention.standard
        /// Asked at each tick that finds nothing due: whether to return then.
        ///
        /// Nil is never.
        public var stopsWhenIdle: (@Sendable () -> Bool)?
        /// Whether to end, with the error, when the outbox turns out to be damaged.
        ///
        /// Otherwise it is tried again and again.
        public var endsWithDamage = false
        /// How often in a row the outbox may fail to say what is due, for whatever reason, before that is an error too.
        ///
        /// Nil is for ever: a disk that is full may have room again.
        public var endsAfterFailures: Int?

        /// The standard values.
        public init() {}
    }

    private let outbox: Outbox
    private let workers: [DestinationWorker]
    private let options: Options
    private let time: TimeSource
    private let logger: Logger
    private let pruningFault = Mutex<OutboxError?>(nil)

    /// A service for destinations and the sinks that reach them.
    public init(
        outbox: Outbox, destinations: [(Destination, any Sink)], options: Options = Options(),
        time: TimeSource = .system, logger: Logger
    ) {
        self.outbox = outbox
        self.options = options
        self.time = time
        self.logger = logger
        workers = destinations.map {
            DestinationWorker(
                $0.0, sink: $0.1, outbox: outbox, time: time, logger: logger,
                endsAfterFailures: options.endsAfterFailures)
        }
    }

    /// Delivers until a graceful shutdown, or until nothing is due where that was asked for.
    ///
    /// - Throws: `OutboxError`, when the outbox cannot be used, and later where ``Options/endsWithDamage`` is set.
    public func run() async throws {
        if outbox.missingTransactions > 0 {
            logger.error("\(Outbox.sentence(missing: outbox.missingTransactions, path: outbox.path))")
        }
        try await repairClock()
        let unknown = try await warnOfUnknownDestinations()
        let disabled = try await outbox.disabledDestinations()
        let active = workers.filter { disabled[$0.destination.name] == nil }
        for worker in workers where disabled[worker.destination.name] != nil {
            logger.warning(
                "Destination is disabled", metadata: ["destination": "\(worker.destination.name)"])
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                // Ends on its own when the shutdown begins, or when nothing is left to do.
                await cancelWhenGracefulShutdown { await self.supervise(active, unknown) }
                for worker in active { worker.stop() }
            }
            for worker in active { group.addTask { await worker.run() } }
            await group.waitForAll()
        }
        // What was delivered last.
        if fault?.code != .corrupt { await withholdPersonal() }
        logDamage()
        if let fault, options.endsWithDamage { throw fault }
    }

    /// Warns of events that wait for a destination that this service does not have; returns the names.
    private func warnOfUnknownDestinations() async throws -> [String] {
        let known = Set(workers.map(\.destination.name))
        let waiting = try await outbox.waiting(besides: known)
        for (name, count) in waiting {
            logger.warning(
                "Events wait for a destination that is not configured",
                metadata: [
                    "destination": "\(name)", "pending": "\(count)", "remedy": "\(Outbox.remedyOfUnknownDestination)",
                ])
        }
        return waiting.map(\.name)
    }

    /// Why nothing can be delivered any more, or why old events could not be deleted; nil where all is well.
    private var fault: OutboxError? { workers.lazy.compactMap(\.fault).first ?? pruningFault.withLock { $0 } }

    private func logDamage() {
        for row in outbox.damage.takeNew() {
            logger.error(
                "Skipped a damaged row of the outbox; see \"A damaged file\" in docs/how-to/deliver.md",
                metadata: ["outbox": "\(outbox.path)", "row": "\(row)"])
        }
    }

    /// Wakes the workers at each tick and each new event, and keeps house.
    private func supervise(_ workers: [DestinationWorker], _ unknown: [String]) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [outbox] in
                for await _ in outbox.accepted.listen() {
                    for worker in workers { worker.wake() }
                }
            }
            group.addTask { await self.prune() }
            group.addTask {
                var pause: Duration
                repeat {
                    let start = self.time.uptime()
                    await self.withholdPersonal()
                    // Where many wait for a receiver, looking at them must not become all that is done.
                    pause = max(self.options.withholding, (self.time.uptime() - start) * 10)
                } while (try? await Task.sleep(for: pause)) != nil
            }
            group.addTask { await self.report(workers, unknown) }
            group.addTask { await self.tick(workers) }
            // The first to end is the one that found nothing left to do, or all of them were cancelled.
            await group.next()
            group.cancelAll()
        }
    }

    private func tick(_ workers: [DestinationWorker]) async {
        var offset = time.now().milliseconds - time.uptime().milliseconds
        var mayEnd = false
        repeat {
            let newOffset = time.now().milliseconds - time.uptime().milliseconds
            // A second is more than a clock is slewed by between two ticks.
            if newOffset < offset - 1000 {
                logger.warning(
                    "The system clock went backwards", metadata: ["milliseconds": "\(offset - newOffset)"])
                do {
                    try await repairClock()
                } catch {
                    logger.error("Could not correct due times after the clock change", metadata: ["error": "\(error)"])
                    continue
                }
            }
            offset = newOffset
            logDamage()
            if options.endsWithDamage && workers.contains(where: { $0.fault != nil }) { return }
            if mayEnd && workers.allSatisfy(\.isIdle) { return }
            if !mayEnd, let mayStop = options.stopsWhenIdle, mayStop() {
                // What was stored last may be newer than what the workers have seen.
                mayEnd = true
                for worker in workers { worker.forgetIdleness() }
            }
            for worker in workers { worker.wake() }
        } while (try? await Task.sleep(for: options.tick)) != nil
    }

    private func report(_ workers: [DestinationWorker], _ unknown: [String]) async {
        let unknown = unknown.map { ($0, DeliveryMetrics(destination: $0)) }
        repeat {
            for worker in workers { await worker.report() }
            for (name, metrics) in unknown {
                if let backlog = try? await outbox.backlog(name) { metrics.report(backlog, now: time.now()) }
            }
        } while (try? await Task.sleep(for: options.reporting)) != nil
    }

    private func prune() async {
        repeat {
            do {
                let count = try await outbox.prune(options.retention, now: time.now())
                if count > 0 { logger.info("Pruned events", metadata: ["count": "\(count)"]) }
            } catch  where Task.isCancelled && (error as? OutboxError)?.code != .corrupt {
                // The next start does it.
                return
            } catch {
                // What is new is delivered all the same.
                if let error = error as? OutboxError, error.code == .corrupt {
                    pruningFault.withLock { $0 = error }
                }
                logger.error("Could not prune old events", metadata: ["error": "\(error)"])
            }
        } while (try? await Task.sleep(for: options.pruning)) != nil
    }

    private func withholdPersonal() async {
        do {
            let count = try await outbox.withholdPersonal(options.retention, now: time.now())
            if count > 0 { logger.debug("Withheld personal messages", metadata: ["count": "\(count)"]) }
        } catch  where Task.isCancelled && (error as? OutboxError)?.code != .corrupt {
            // The end of the service does it.
        } catch {
            logger.error("Could not withhold personal messages", metadata: ["error": "\(error)"])
        }
    }

    private func repairClock() async throws {
        try await outbox.repairAfterClockJump(now: time.now())
    }
}
