internal import BarcodeCore
public import DecodeWorkers
internal import FoundationEssentials
internal import Glibc
public import Logging
public import ScanOutbox
public import ServiceLifecycle
internal import Synchronization
internal import SystemPackage

/// Who is told that a watcher is ready, and that it lives.
public struct HealthReporter: Sendable {
    /// How often ``alive`` is called, by the loop that does the work and by nothing else; nil for never.
    public var interval: Duration?
    /// Called once, after the first look through the folder.
    public var ready: @Sendable () -> Void
    /// Called while the loop goes round.
    public var alive: @Sendable () -> Void

    /// A pulse; without arguments nobody is told.
    public init(
        interval: Duration? = nil, ready: @escaping @Sendable () -> Void = {},
        alive: @escaping @Sendable () -> Void = {}
    ) {
        self.interval = interval
        self.ready = ready
        self.alive = alive
    }
}

/// Watches a folder for months: every picture that lands in it is read once, its codes are stored, and it is put away.
///
/// Files are taken in the order in which they became whole. What has been read is in the outbox, together with a row
/// that says so, before the file is moved: whoever starts after a crash reads nothing twice. It ends at a graceful
/// shutdown, after the files that are in flight.
public final class DropFolder: Service {
    let settings: DropFolderSettings
    let outbox: Outbox
    let logger: Logger
    let fileProcessor: FileProcessor
    let bell = Doorbell()
    /// What the tasks of files have come to; they are as many as are in flight at the most.
    let results = Mutex<[(path: RelativePath, outcome: FileProcessor.Outcome)]>([])
    /// What looks through folders have found: the whole of one, and those of new folders below it.
    let scans = Mutex<[(scan: FolderScan, begin: Duration, isWhole: Bool)]>([])
    let stopping = Mutex(false)
    let board: Mutex<FolderStatus>
    let health: HealthReporter
    /// The right to the folder; nil until it is taken.
    let lock: Mutex<FolderLock?>
    let start = ContinuousClock.now

    /// A watcher for a folder.
    ///
    /// - Parameters:
    ///   - intake: stores the codes.
    ///   - outbox: the outbox of the intake.
    ///   - lock: the right to the folder; without one it is taken at the start.
    ///   - pulse: is told that the watcher is ready, and that it lives.
    ///   - decode: reads a picture; an answer with the error `cancelled` leaves the file where it is.
    public init(
        _ settings: DropFolderSettings, intake: ScanIntake, outbox: Outbox, lock: FolderLock? = nil, logger: Logger,
        health: HealthReporter = HealthReporter(),
        decode: @escaping @Sendable (WorkerRequest) async -> DecodeReport
    ) {
        self.settings = settings
        self.health = health
        self.outbox = outbox
        self.logger = logger
        fileProcessor = FileProcessor(
            settings: settings, folderName: settings.folder, intake: intake, outbox: outbox,
            putting: FileArchiver(
                destination: settings.destination ?? settings.folder,
                noteTarget: { target, record in
                    guard let number = record.number else { return }
                    try await outbox.setTarget(target.bytes, ofIntake: number)
                }),
            decode: decode, logger: logger)
        board = Mutex(FolderStatus())
        self.lock = Mutex(lock)
    }

    /// How things stand.
    public var status: FolderStatus { board.withLock { $0 } }

    /// Watches until a graceful shutdown; with ``DropFolderSettings/once`` until what is there has been taken in.
    ///
    /// - Throws: ``FolderLock/InUse`` when another watcher has the folder, ``FolderMoved`` when its name leads to
    ///   another one, and what the outbox throws at the start.
    public func run() async throws {
        try await withGracefulShutdownHandler {
            try await watch()
        } onGracefulShutdown: {
            self.stopping.withLock { $0 = true }
            self.bell.ring()
        }
    }

    private func watch() async throws {
        if lock.withLock({ $0 == nil }) {
            let folder = settings.folder
            let taken = try await Blocking.run { try FolderLock(folder: folder) }
            lock.withLock { $0 = taken }
        }
        defer { lock.withLock { $0 = nil } }
        let records = try await outbox.openIntakes(folder: settings.folder)
        // Tasks that have ended leave nothing behind.
        let end = await withDiscardingTaskGroup { group in
            var watch = WatchStateMachine(settings: settings)
            for record in records { watch.adopt(record) }
            if let weakness = lock.withLock({ $0?.weakness }) { warn(of: weakness) }
            while true {
                let isStopping = stopping.withLock { $0 } || Task.isCancelled || watch.end != nil
                for (path, outcome) in takeResults() { finish(path, outcome, &watch) }
                watch.now = ContinuousClock.now - start
                acceptScans(&watch)
                if !isStopping { await look(&watch, &group) }
                watch.now = ContinuousClock.now - start
                if let root = watch.root {
                    for job in watch.nextJobs(isStopping: isStopping) {
                        group.addTask { await self.run(job, root) }
                    }
                }
                let isDone = isStopping ? watch.inFlight == 0 : settings.once && watch.isIdle
                await flush(&watch, isForced: isDone)
                await removeEmptied(&watch, isEnd: isDone && !isStopping)
                publish(&watch, isForced: isDone)
                if isDone { return watch.end }
                heartbeat(&watch)
                if watch.now >= watch.nextPruning {
                    watch.nextPruning = watch.now + .seconds(3600)
                    group.addTask { await self.forgetOld() }
                }
                var deadline = watch.nextDeadline(isStopping: isStopping)
                if health.interval != nil { deadline = min(deadline, watch.nextBeat) }
                if watch.hasUnpublished { deadline = min(deadline, max(watch.now, watch.nextPublication)) }
                await bell.wait(until: start + deadline)
            }
        }
        board.withLock { $0.isRunning = false }
        if let end { throw end }
    }

    private func takeResults() -> [(path: RelativePath, outcome: FileProcessor.Outcome)] {
        results.withLock { results in
            defer { results = [] }
            return results
        }
    }

    private func run(_ job: WatchStateMachine.Job, _ root: FolderHandle) async {
        let outcome =
            switch job {
            case .take(let path, let identity, let isOpen, let failures):
                await fileProcessor.take(path, identity, isOpen: isOpen, root: root, failures: failures)
            case .move(let record): await fileProcessor.putAway(record, root: root)
            }
        results.withLock { $0.append((job.path, outcome)) }
        bell.ring()
    }

    /// Notices what has changed in the folder.
    private func look(_ watch: inout WatchStateMachine, _ group: inout DiscardingTaskGroup) async {
        let changes = watch.source.take()
        if changes.rootHasChanged { watch.nextRootCheck = watch.now }
        if watch.now >= watch.nextRootCheck { await checkRoot(&watch) }
        guard let root = watch.root else { return }
        if let failure = watch.source.failure, !watch.isPolling {
            logger.warning(
                "inotify is given up; the folder is looked at now and then", metadata: ["reason": "\(failure)"])
            watch.poll(because: failure)
        }
        if changes.isLossy {
            logger.notice("Changes came faster than they were taken (overflow); the whole folder is looked through")
            watch.nextScan = watch.now
        }
        for folder in changes.goneFolders { watch.forget(below: folder) }
        await accept(changes, root, &watch)
        for folder in changes.folders where watch.selection.reaches(folder: folder) {
            scan(root, from: folder, &watch, &group)
        }
        if watch.now >= watch.nextScan && !watch.isScanning {
            watch.isScanning = true
            scan(root, from: .root, &watch, &group)
        }
    }

    /// Looks through a folder meanwhile; what it finds is a result like others.
    private func scan(
        _ root: FolderHandle, from folder: RelativePath, _ watch: inout WatchStateMachine,
        _ group: inout DiscardingTaskGroup
    ) {
        let selection = watch.selection
        let source = watch.source
        let begin = watch.now
        group.addTask { [self] in
            let scan = await Blocking.value {
                FolderScan.run(root, from: folder, selection: selection) { source.watch($0, $1) }
            }
            scans.withLock { $0.append((scan, begin, folder == .root)) }
            bell.ring()
        }
    }

    private func acceptScans(_ watch: inout WatchStateMachine) {
        let scans = scans.withLock { scans in
            defer { scans = [] }
            return scans
        }
        for (scan, begin, isWhole) in scans {
            watch.accept(scan, begin: begin, isWhole: isWhole)
            report(scan, isWhole: isWhole, &watch)
        }
    }

    /// Looks at the files of which something was heard.
    private func accept(_ changes: FolderChanges, _ root: FolderHandle, _ watch: inout WatchStateMachine) async {
        let selection = watch.selection
        let paths = (changes.order + watch.takeRechecks()).filter { selection.reaches($0) }
        if paths.isEmpty { return }
        let looks = await Blocking.value {
            paths.map { path -> Result<FileIdentity?, Errno> in
                do throws(Errno) {
                    return .success(try root.folder(path.folder).identity(of: path.name))
                } catch { return .failure(error) }
            }
        }
        for (path, look) in zip(paths, looks) {
            switch look {
            case .success(let identity?): watch.hear(changes.files[path] ?? .finished, of: path, identity)
            case .success(nil): noteNonRegularFile(path, &watch)
            // It is there all the same: the next look through the folder finds it.
            case .failure(let error) where ResourceShortage(errno: error.rawValue) != nil: watch.lookAgain()
            case .failure: watch.vanish(path)
            }
        }
    }

    private func noteNonRegularFile(_ path: RelativePath, _ watch: inout WatchStateMachine) {
        guard watch.noteNonRegularFile(path) else { return }
        logger.notice(
            "No regular file, and passed over: a link, a pipe, a socket or a device",
            metadata: ["file": "\(path.display)"])
    }

    private func report(_ scan: FolderScan, isWhole: Bool, _ watch: inout WatchStateMachine) {
        for nonRegularFile in scan.nonRegularFiles { noteNonRegularFile(nonRegularFile, &watch) }
        for path in scan.taken where watch.taken.insert(path).inserted {
            logger.notice(
                "A folder is passed over: another watcher has it", metadata: ["folder": "\(path.display)"])
        }
        for (path, error) in scan.failures {
            watch.lastError = "the folder \(path.display.isEmpty ? "itself" : path.display) cannot be read: \(error)"
            guard watch.unreadable.insert(path).inserted else { continue }
            logger.warning(
                "A folder cannot be read", metadata: ["folder": "\(path.display)", "reason": "\(error)"])
        }
        // One that could be read meanwhile is told of anew.
        if isWhole {
            watch.unreadable = Set(scan.failures.map(\.path))
            watch.taken = Set(scan.taken)
        }
    }

    /// Decides how changes are noticed.
    func openSource(_ root: FolderHandle, _ watch: inout WatchStateMachine) {
        let silent = FileSystemKind.silent(root)
        if settings.watch == .poll {
            watch.poll(because: "it was chosen")
        } else if settings.watch == .auto, let silent {
            watch.poll(because: "the file system is \(silent)")
        } else {
            do throws(Errno) {
                watch.source = try InotifySource(bell: bell)
                watch.watching = "inotify"
                watch.isPolling = false
            } catch {
                watch.poll(because: "inotify cannot be had: \(error); raise fs.inotify.max_user_instances (sysctl)")
            }
        }
        logger.info("Noticing changes", metadata: ["by": "\(watch.watching)"])
    }

    /// Counts what a file has come to, and decides what follows.
    private func finish(_ path: RelativePath, _ outcome: FileProcessor.Outcome, _ watch: inout WatchStateMachine) {
        watch.finish(path, outcome)
        switch outcome {
        case .stored(_, _, let reason), .notMoved(_, let reason):
            watch.lastError = reason
            if watch.noteMoveFailure(reason) {
                logger.error(
                    "A file could not be put away; it stays, and is tried again",
                    metadata: ["file": "\(path.display)", "reason": "\(reason)"])
            }
        case .notStored(_, let reason):
            watch.lastError = reason
            if watch.storeFailures == 1 {
                logger.error(
                    "The outbox takes nothing; files stay, and are tried again", metadata: ["reason": "\(reason)"])
            }
        case .postponed(_, let reason):
            watch.lastError = reason
            logger.log(
                level: watch.hasFailedOnce(path) ? .warning : .debug,
                "A file could not be taken; it stays, and is tried again",
                metadata: ["file": "\(path.display)", "reason": "\(reason)"])
        default: break
        }
    }

    /// Notes in the journal what has been put away, many files at once.
    private func flush(_ watch: inout WatchStateMachine, isForced: Bool) async {
        guard !watch.closing.isEmpty, isForced || watch.closing.count >= 256 || watch.now >= watch.nextFlush else {
            return
        }
        let closing = watch.closing
        let destination = settings.destination ?? settings.folder
        let sources = Set(closing.map(\.path.folder))
        let targets = Set(closing.compactMap { $0.place?.folder })
        let root = watch.root
        // A move that a power cut takes back, after it was noted, would have the file read twice.
        await Blocking.value {
            for folder in sources { try? root?.folder(folder).sync() }
            guard let handle = try? FolderHandle(path: destination) else { return }
            for folder in targets { try? handle.folder(folder).sync() }
        }
        do {
            try await outbox.closeIntakes(closing.map { ($0.number, $0.place?.bytes) })
            watch.closing = []
            if let wait = settings.removeEmpty {
                for folder in sources { watch.emptied.note(folder, due: watch.now + wait) }
            }
        } catch {
            watch.lastError = "\(error)"
        }
        watch.nextFlush = watch.now + .milliseconds(500)
    }

    /// Shows how things stand, a few times a second at most: counting takes time where many files wait.
    private func publish(_ watch: inout WatchStateMachine, isForced: Bool) {
        watch.hasUnpublished = !isForced && watch.now < watch.nextPublication
        if watch.hasUnpublished { return }
        watch.nextPublication = watch.now + .milliseconds(200)
        let status = watch.status
        board.withLock { $0 = status }
        FolderMetrics.depth(waiting: status.waiting, inFlight: status.inFlight, movesPending: status.movesPending)
    }

    private func forgetOld() async {
        do {
            let memory = settings.memory
            let count = try await outbox.pruneIntakes(Retention(age: memory.age, count: memory.count))
            if count > 0 { logger.info("Forgot old files", metadata: ["count": "\(count)"]) }
        } catch {
            logger.error("Old files could not be forgotten", metadata: ["error": "\(error)"])
        }
    }

    /// Says that the loop goes round.
    private func heartbeat(_ watch: inout WatchStateMachine) {
        if watch.hasScanned && !watch.isReady {
            watch.isReady = true
            health.ready()
        }
        guard let interval = health.interval, watch.now >= watch.nextBeat else { return }
        watch.nextBeat = watch.now + interval
        health.alive()
    }
}

extension FolderHandle {
    /// The number of the file system and of the folder in it.
    var number: [UInt64]? {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink > 0
            ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
    }
}
