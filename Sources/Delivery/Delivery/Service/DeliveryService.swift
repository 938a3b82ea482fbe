internal import FoundationEssentials
public import Logging
internal import ScanEvents
public import ScanOutbox
public import ServiceLifecycle
internal import Synchronization

/// Delivers the events of an outbox until it is told to stop.
///
/// Then it starts no new attempts and lets running ones end.
///
/// ```swift
/// let service = DeliveryService(
///     outbox: outbox, destinations: [(records, try HTTPCallbackSink(receiver, connections: connections))],
///     logger: Logger(label: "delivery"))
/// try await service.run()
/// ```
public final class DeliveryService: Service {
    /// The settings of a service.
    public struct Options: Sendable {
        /// The interval at which each destination looks for due deliveries; new events are noticed at once.
        public var tick: Duration = .milliseconds(250)
        /// The interval at which the backlog is reported.
        public var reporting: Duration = .seconds(30)
        /// The interval at which old events are deleted; finding them takes a second among millions.
        public var pruning: Duration = .seconds(600)
        /// The minimum interval for removing personal messages from events that need no further attempts.
        public var withholding: Duration = .seconds(5)
        /// The retention of events that are done with.
        public var retention = Retention.standard
        /// Called at each tick with nothing due; the service returns if it returns true.
        ///
        /// `nil` to run until a shutdown.
        public var stopsWhenIdle: (@Sendable () -> Bool)?
        /// Indicates whether to end with the error if the outbox is damaged.
        ///
        /// Otherwise it retries again and again.
        public var endsWithDamage = false
        /// The number of consecutive failures to claim due deliveries after which the service ends with the error.
        ///
        /// `nil` for no limit: a full disk may have space again.
        public var endsAfterFailures: Int?

        /// Creates the default options.
        public init() {}
    }

    private let outbox: Outbox
    private let workers: [DestinationWorker]
    private let options: Options
    private let time: TimeSource
    private let logger: Logger
    private let pruningFault = Mutex<OutboxError?>(nil)

    /// Creates a service for destinations and their sinks.
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

    /// Delivers until a graceful shutdown, or until nothing is due if ``Options/stopsWhenIdle`` asks for that.
    ///
    /// - Throws: `OutboxError` if the outbox cannot be used, and later if ``Options/endsWithDamage`` is set.
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
                // Ends on its own when the shutdown begins or nothing is left to do.
                await cancelWhenGracefulShutdown { await self.supervise(active, unknown) }
                for worker in active { worker.stop() }
            }
            for worker in active { group.addTask { await worker.run() } }
            await group.waitForAll()
        }
        // For the last deliveries.
        if fault?.code != .corrupt { await withholdPersonal() }
        logDamage()
        if let fault, options.endsWithDamage { throw fault }
    }

    /// Warns about events that wait for an unknown destination; returns the names of such destinations.
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

    /// The error because of which deliveries or the deletion of old events have stopped; `nil` if there is none.
    private var fault: OutboxError? { workers.lazy.compactMap(\.fault).first ?? pruningFault.withLock { $0 } }

    private func logDamage() {
        for row in outbox.damage.takeNew() {
            logger.error(
                "Skipped a damaged row of the outbox; see \"A damaged file\" in docs/how-to/deliver.md",
                metadata: ["outbox": "\(outbox.path)", "row": "\(row)"])
        }
    }

    /// Wakes the workers at each tick and each new event, and runs the maintenance tasks.
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
                    // If many events wait for a receiver, checking them must not take all the time.
                    pause = max(self.options.withholding, (self.time.uptime() - start) * 10)
                } while (try? await Task.sleep(for: pause)) != nil
            }
            group.addTask { await self.report(workers, unknown) }
            group.addTask { await self.tick(workers) }
            // The first task to end found nothing left to do, or all of them were canceled.
            await group.next()
            group.cancelAll()
        }
    }

    private func tick(_ workers: [DestinationWorker]) async {
        var offset = time.now().milliseconds - time.uptime().milliseconds
        var mayEnd = false
        repeat {
            let newOffset = time.now().milliseconds - time.uptime().milliseconds
            // A second is more than a clock is slewed between two ticks.
            if newOffset < offset - 1000 {
                logger.warning(
                    "The system clock was set back", metadata: ["milliseconds": "\(offset - newOffset)"])
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
                // The last stored event may be newer than the workers have seen.
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
                // The next start will do it.
                return
            } catch {
                // New events are delivered nevertheless.
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
            // Done when the service ends.
        } catch {
            logger.error("Could not withhold personal messages", metadata: ["error": "\(error)"])
        }
    }

    private func repairClock() async throws {
        try await outbox.repairAfterClockJump(now: time.now())
    }
}
