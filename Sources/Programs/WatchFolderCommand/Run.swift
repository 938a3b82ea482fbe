import ArgumentParser
import BarcodeCore
import DecodeWorkers
import Delivery
import DropFolder
import Glibc
import Logging
import ProgramSupport
import ScanOutbox
import ServiceLifecycle
import ServiceSupport

/// Watches.
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Watch a folder until SIGTERM or Ctrl-C; files in progress are finished first.")

    @Argument(help: "The folder.", completion: .directory)
    var inbox: String

    @OptionGroup var common: OutboxOptions
    @OptionGroup(title: "Watching") var watching: WatchOptions
    @OptionGroup var metrics: MetricsOptions
    @OptionGroup var check: CheckOption

    func run() async throws {
        let folder = try Inbox(inbox)
        let (configuration, settings, timeout) = try await watching.load(common, inbox: folder)
        if try await check.run("watch-folder", common, configuration) { return }
        var logger = Logger(label: "watch-folder") { label -> any LogHandler in
            isatty(STDERR_FILENO) == 1 ? TerminalLog(label: label) : PrintableLog(label: label)
        }
        logger.logLevel = watching.logLevel
        let metricsFile = metrics.start(logger: logger)
        try checkDescriptors(configuration, settings, logger)
        let lock = try await self.lock(folder)
        let session = try await OutboxSession(common, configuration, logger: logger)
        let pool = WorkerPool(
            settings: WorkerMode.pool(
                workers: settings.jobs, memoryMegabytes: watching.workerMegabytes, timeout: timeout),
            logger: logger)
        let manager = ServiceNotifier()
        let drop = DropFolder(
            settings,
            intake: ScanIntake(
                outbox: session.outbox, station: configuration.station, destinations: configuration.destinations,
                policy: configuration.deduplication),
            outbox: session.outbox, lock: consume lock, logger: logger,
            health: HealthReporter(
                interval: manager.watchdog.map { $0 / 2 }, ready: { manager.ready() }, alive: { manager.alive() })
        ) { await pool.decode($0) }
        let status = statusSocket(session, settings, drop, logger)
        defer { status?.close() }
        let delivery = session.delivery { options in
            guard settings.once else { return }
            options.stopsWhenIdle = { !drop.status.isRunning }
            // The end is seen at a tick: a quarter of a second is long for a small folder.
            options.tick = .milliseconds(25)
        }
        // What is in flight still needs the workers and the outbox.
        var services = [
            ServiceGroupConfiguration.ServiceConfiguration(
                service: PoolService(pool), successTerminationBehavior: .gracefullyShutdownGroup),
            .essential(delivery), .finite(UntilShutdown(drop)),
            .auxiliary(StatusReporter(drop: drop, manager: manager)),
        ]
        if let metricsFile { services.append(.auxiliary(metricsFile)) }
        logger.info(
            "Watching",
            metadata: ["folder": "\(inbox)", "outbox": "\(configuration.database)", "jobs": "\(settings.jobs)"])
        do {
            // A picture that hangs is given up twice.
            try await session.run(services, shutdown: timeout * 2 + settings.hookTimeout * 2 + .seconds(10)) {
                guard settings.once else { return nil }
                let undelivered = try await Failure.undelivered(in: session.outbox, configuration)
                return filesLeft(drop) ?? undelivered
            }
        } catch let error as FolderMoved {
            // What starts services starts it again, and it watches the other one.
            throw Failure(message: error.description, status: Failure.inUse)
        }
    }
}

extension Run {
    /// The socket at which `watch-folder status` asks, or `nil` if there is none, which is logged.
    private func statusSocket(
        _ session: OutboxSession, _ settings: DropFolderSettings, _ drop: DropFolder, _ logger: Logger
    ) -> StatusSocket? {
        do {
            let outbox = session.outbox
            return try StatusSocket(database: session.configuration.database) {
                WatchReport(folder: settings.folder, files: drop.status, outbox: try? await outbox.status())
            }
        } catch {
            logger.warning("The status socket is not available", metadata: ["reason": "\(error)"])
            return nil
        }
    }

    /// The failure that files stay behind after `--once`.
    private func filesLeft(_ drop: DropFolder) -> Failure? {
        let left = drop.status.waiting + drop.status.movesPending
        guard left > 0 else { return nil }
        return Failure(
            message: "\(left) \(left == 1 ? "file stays" : "files stay") behind in \(inbox): the log says why; "
                + "run it again once that is mended")
    }

    /// The right to the folder, for which another watcher is waited as long as `--wait` says.
    private func lock(_ folder: Inbox) async throws -> FolderLock {
        do {
            return try await common.waiting(for: { $0 is FolderLock.InUse }) { try FolderLock(folder: folder.path) }
        } catch let error as FolderLock.InUse {
            throw Failure(message: error.description, status: Failure.inUse)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw Failure(message: "the folder \(inbox) cannot be opened: \(error)", status: Failure.noInput)
        }
    }

    /// Says when fewer files may be open than the settings can take.
    private func checkDescriptors(
        _ configuration: DeliveryConfiguration, _ settings: DropFolderSettings, _ logger: Logger
    ) throws {
        // A worker has four; each of the files in flight, four times as many, is open, and so are the folders on its
        // way; the rest is the outbox, the log, inotify, and looking through folders.
        let needed = 128 + settings.jobs * (4 + 4 * 6) + configuration.descriptorsNeeded
        try DescriptorCheck.run(needed: needed, logger)
    }
}
