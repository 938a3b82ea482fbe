import ArgumentParser
import BarcodeCore
import BarcodeDecoding
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

        let lock: FolderLock
        do {
            lock = try await common.waiting(for: { $0 is FolderLock.InUse }) { try self.lock(folder) }
        } catch let error as FolderLock.InUse {
            throw Failure(message: error.description, status: Failure.inUse)
        }
        let clients = SharedClients()
        let sinks = try configuration.makeSinks(clients)
        let outbox = try await common.open(configuration, mayCreate: true)
        let pool = WorkerPool(
            settings: WorkerMode.pool(
                workers: settings.jobs, memoryMegabytes: watching.workerMegabytes, timeout: timeout),
            logger: logger)
        let intake = ScanIntake(
            outbox: outbox, station: configuration.station, destinations: configuration.destinations,
            policy: configuration.deduplication)
        let manager = ServiceNotifier()
        let health = HealthReporter(
            interval: manager.watchdog.map { $0 / 2 }, ready: { manager.ready() }, alive: { manager.alive() })
        let drop = DropFolder(
            settings, intake: intake, outbox: outbox, lock: consume lock, logger: logger, health: health
        ) { await pool.decode($0) }
        var status: StatusSocket?
        do {
            status = try StatusSocket(database: configuration.database) {
                WatchReport(folder: settings.folder, files: drop.status, outbox: try? await outbox.status())
            }
        } catch {
            logger.warning("The status socket is not available", metadata: ["reason": "\(error)"])
        }
        defer { status?.close() }
        var options = DeliveryService.Options()
        options.retention = configuration.retention
        options.endsWithDamage = true
        if settings.once {
            options.stopsWhenIdle = { !drop.status.isRunning }
            // The end is seen at a tick: a quarter of a second is long for a small folder.
            options.tick = .milliseconds(25)
        }
        let delivery = DeliveryService(outbox: outbox, destinations: sinks, options: options, logger: logger)

        // They are stopped from the last to the first: what is in flight still needs the workers and the outbox.
        var group = ServiceGroupConfiguration(
            services: [
                .init(service: PoolService(pool), successTerminationBehavior: .gracefullyShutdownGroup),
                .init(
                    service: delivery, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup),
                .init(
                    service: UntilShutdown(drop), successTerminationBehavior: .ignore,
                    failureTerminationBehavior: .gracefullyShutdownGroup),
                .init(service: StatusReporter(drop: drop, manager: manager), successTerminationBehavior: .ignore),
            ], logger: logger)
        if let metricsFile {
            group.services.append(.init(service: metricsFile, successTerminationBehavior: .ignore))
        }
        // A picture that hangs is given up twice, and an attempt to deliver ends within its timeout.
        let attempt: Duration = configuration.destinations.map(\.timeout).max() ?? .zero
        group.maximumGracefulShutdownDuration = attempt + timeout * 2 + settings.hookTimeout * 2 + .seconds(10)
        logger.info(
            "Watching",
            metadata: ["folder": "\(inbox)", "outbox": "\(configuration.database)", "jobs": "\(settings.jobs)"])
        var fault: (any Error)?
        do {
            try await group.runToEnd(writesOutput: configuration.writesStandardOutput)
        } catch let error as FolderMoved {
            // What starts services starts it again, and it watches the other one.
            fault = Failure(message: error.description, status: Failure.inUse)
        } catch {
            fault = error
        }
        await clients.close()
        var undelivered: Failure?
        do {
            undelivered = settings.once ? try await Failure.undelivered(in: outbox, configuration) : nil
        } catch {
            fault = fault ?? error
        }
        do { try outbox.close() } catch { fault = fault ?? error }
        if let fault { throw fault }
        if let failure = Failure(damageOf: outbox) { throw failure }
        let left = drop.status.waiting + drop.status.movesPending
        if settings.once && left > 0 {
            throw Failure(
                message: "\(left) \(left == 1 ? "file stays" : "files stay") behind in \(inbox): the log says why; "
                    + "run it again once that is mended")
        }
        if let undelivered { throw undelivered }
    }
}

extension Run {
    /// The right to the folder.
    private func lock(_ folder: Inbox) throws -> FolderLock {
        do {
            return try FolderLock(folder: folder.path)
        } catch let error as FolderLock.InUse {
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
