import ArgumentParser
import BarcodeCore
import DecodeReports
import DecodeWorkers
import Delivery
import DropFolder
import Glibc
import Logging
import ProgramSupport
import ScanOutbox
import ServiceLifecycle

/// `watch-folder run`: watches a folder until it is told to stop.
struct RunWatchFolder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Watch a folder until SIGTERM or Ctrl-C; files in progress are finished first.")

    @Argument(help: "The folder.", completion: .directory)
    var inbox: String

    @OptionGroup var common: OutboxOptions
    @OptionGroup(title: "Watching") var watching: WatchOptions
    @OptionGroup var metrics: MetricsOptions
    @OptionGroup var check: CheckOption

    func run() async throws {
        let folder = try WatchedFolderPath(inbox)
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
                policy: configuration.deduplication, signingKeys: configuration.signingKeys),
            outbox: session.outbox, lock: consume lock, logger: logger,
            health: HealthReporter(
                interval: manager.watchdog.map { $0 / 2 }, ready: { manager.ready() }, alive: { manager.alive() })
        ) { await pool.decode($0) }
        let status = statusSocket(session, settings, drop, logger)
        defer { status?.close() }
        let delivery = session.delivery { options in
            guard settings.once else { return }
            options.stopsWhenIdle = { !drop.status.isRunning }
            // The end is noticed at a tick, and a quarter of a second would be long for a small folder.
            options.tick = .milliseconds(25)
        }
        // Files in flight still need the workers and the outbox.
        var services = [
            ServiceGroupConfiguration.ServiceConfiguration(
                service: PoolService(pool), successTerminationBehavior: .gracefullyShutdownGroup),
            .essential(delivery), .finite(drop),
            .auxiliary(StatusReporter(drop: drop, manager: manager)),
        ]
        if let metricsFile { services.append(.auxiliary(metricsFile)) }
        logger.info(
            "Watching",
            metadata: [
                "folder": "\(folder.name.display)", "outbox": "\(configuration.database)", "jobs": "\(settings.jobs)",
            ])
        do {
            // An image that hangs is retried once.
            try await session.run(services, shutdown: timeout * 2 + settings.hookTimeout * 2 + .seconds(10)) {
                guard settings.once else { return nil }
                let undelivered = try await Failure.undelivered(in: session.outbox, configuration)
                return filesLeft(drop, folder) ?? undelivered
            }
        } catch let error as FolderMoved {
            // The service manager restarts it, and it then watches the other folder.
            throw Failure(message: error.description, status: Failure.inUse)
        }
    }
}

extension RunWatchFolder {
    /// Opens the socket for `watch-folder status`; `nil` on failure, which is logged.
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

    /// The failure that files are left after `--once`; `nil` if there are none.
    private func filesLeft(_ drop: DropFolder, _ folder: WatchedFolderPath) -> Failure? {
        let left = drop.status.waiting + drop.status.movesPending
        guard left > 0 else { return nil }
        return Failure(
            message:
                "\(left) \(left == 1 ? "file stays" : "files stay") behind in \(folder.name.display): the log says why; "
                + "fix that, then run it again")
    }

    /// Locks the folder, waiting for another watcher as long as `--wait` allows.
    private func lock(_ folder: WatchedFolderPath) async throws -> FolderLock {
        do {
            return try await common.waiting(for: { $0 is FolderLock.InUse }) { try FolderLock(folder: folder.path) }
        } catch let error as FolderLock.InUse {
            throw Failure(message: error.description, status: Failure.inUse)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw Failure(
                message: "the folder \(folder.name.display) cannot be opened: \(error)", status: Failure.noInput)
        }
    }

    /// Warns if the limit of open files is lower than the settings may need.
    private func checkDescriptors(
        _ configuration: DeliveryConfiguration, _ settings: DropFolderSettings, _ logger: Logger
    ) throws {
        // Four for each worker, and six for each of the four files in flight for it, including the folders on its
        // path. The rest is for the outbox, the log, inotify and folder scans.
        let needed = 128 + settings.jobs * (4 + 4 * 6) + configuration.descriptorsNeeded
        try DescriptorCheck.run(needed: needed, logger)
    }
}
