internal import BarcodeCore
public import DecodeReports
public import DecodeWorkers
internal import FoundationEssentials
internal import Glibc
public import Logging
public import ScanOutbox
public import ServiceLifecycle
internal import Synchronization
internal import SystemPackage

/// Callbacks that report that a watcher is ready and alive.
public struct HealthReporter: Sendable {
    /// The interval of ``alive``, which only the working loop calls; `nil` for never.
    public var interval: Duration?
    /// Called once, after the first scan of the folder.
    public var ready: @Sendable () -> Void
    /// Called periodically by the loop.
    public var alive: @Sendable () -> Void

    /// Creates a reporter; without arguments it reports nothing.
    public init(
        interval: Duration? = nil, ready: @escaping @Sendable () -> Void = {},
        alive: @escaping @Sendable () -> Void = {}
    ) {
        self.interval = interval
        self.ready = ready
        self.alive = alive
    }
}

/// Watches a folder: each image in it is read once, its codes are stored, and it is moved.
///
/// Files are processed in the order of their completion. The codes of a file are stored in the outbox, in one
/// transaction with a row for the file, before it is moved, so that nothing is read twice after a crash. The
/// service ends at a graceful shutdown, after the files in flight.
public final class DropFolder: Service {
    /// The state shared by the loop, its tasks and callers.
    private struct State {
        /// The results of tasks that the loop has not processed; they are few.
        var events: [WatchStateMachine.Event] = []
        var isStopping = false
        var status = FolderStatus()
        /// The lock on the folder; `nil` until it is taken.
        var lock: FolderLock?
    }

    let settings: DropFolderSettings
    let journal: FileJournal
    let logger: Logger
    let fileProcessor: FileProcessor
    let health: HealthReporter
    let wakeup = WakeupSignal()
    let start = ContinuousClock.now
    private let state: Mutex<State>

    /// Creates a watcher for a folder.
    ///
    /// - Parameters:
    ///   - intake: stores the codes.
    ///   - outbox: the outbox of the intake.
    ///   - lock: the lock on the folder; `nil` to lock it at the start.
    ///   - health: receives the reports that the watcher is ready and alive.
    ///   - decode: decodes an image; a report with the error `cancelled` leaves the file in the folder.
    public init(
        _ settings: DropFolderSettings, intake: ScanIntake, outbox: Outbox, lock: FolderLock? = nil, logger: Logger,
        health: HealthReporter = HealthReporter(),
        decode: @escaping @Sendable (WorkerRequest) async -> DecodeReport
    ) {
        self.settings = settings
        self.health = health
        let journal = FileJournal(outbox)
        self.journal = journal
        self.logger = logger
        fileProcessor = FileProcessor(
            settings: settings, intake: intake, journal: journal,
            archiver: FileArchiver(
                destination: settings.destination ?? settings.folder,
                noteTarget: { target, record in
                    guard let number = record.number else { return }
                    try await journal.setTarget(target.bytes, of: number)
                },
                noteParts: { record, parts in
                    guard let number = record.number else { return }
                    try await journal.setParts(parts, of: number)
                }),
            decode: decode, logger: logger)
        state = Mutex(State(lock: lock))
    }

    /// The current status.
    public var status: FolderStatus { state.withLock { $0.status } }

    /// Watches until a graceful shutdown; with ``DropFolderSettings/once``, until the existing files are processed.
    ///
    /// - Throws: ``FolderLock/InUse`` if another watcher has the folder, ``FolderMoved`` if its name leads to
    ///   another one, and errors of the outbox at the start.
    public func run() async throws {
        try await withGracefulShutdownHandler {
            try await watch()
        } onGracefulShutdown: {
            self.state.withLock { $0.isStopping = true }
            self.fileProcessor.archiver.stop.set()
            self.wakeup.wake()
        }
    }

    private func watch() async throws {
        if lock == nil {
            let folder = settings.folder
            lock = try await Blocking.run { try FolderLock(folder: folder) }
        }
        defer { lock = nil }
        if let weakness = lock?.weakness { warn(of: weakness) }
        try await journal.prepare()
        let records = try await journal.open(folder: settings.folder)
        let fault = await withDiscardingTaskGroup { group in
            var watch = WatchLoopState(
                machine: WatchStateMachine(settings: settings, aliveInterval: health.interval))
            group.addTask { await self.removeStaleParts() }
            for record in records { watch.machine.note(.adopted(record), at: now) }
            while true {
                for event in takeEvents(&watch) { watch.machine.note(event, at: now) }
                switch await work(&watch, &group) {
                case .wait(let deadline): await wakeup.wait(until: start + deadline)
                case .end(let fault): return fault
                }
            }
        }
        state.withLock { $0.status.isRunning = false }
        if let fault { throw fault }
    }

    /// Performs all actions that are due.
    private func work(_ watch: inout WatchLoopState, _ group: inout DiscardingTaskGroup) async -> Pause {
        while true {
            switch watch.machine.nextAction(at: now) {
            case .wait(let deadline): return .wait(deadline)
            case .end(let fault): return .end(fault)
            case let action:
                for event in await perform(action, &watch, &group) { watch.machine.note(event, at: now) }
            }
        }
    }

    private enum Pause {
        case wait(Duration)
        case end(FolderMoved?)
    }

    /// The events since the last call.
    private func takeEvents(_ watch: inout WatchLoopState) -> [WatchStateMachine.Event] {
        var (events, isStopping) = state.withLock { state in
            defer { state.events = [] }
            return (state.events, state.isStopping)
        }
        if isStopping || Task.isCancelled { events.append(.stopRequested) }
        let changes = watch.source.take()
        let failure = watch.source.failure
        if failure != nil { watch.source = NoChangeSource() }
        if failure != nil || changes != FolderChanges() { events.append(.changed(changes, failure: failure)) }
        return events
    }
}

/// The state of the watching loop.
struct WatchLoopState {
    var machine: WatchStateMachine
    /// The watched folder; `nil` while it does not exist.
    var root: FolderHandle?
    /// The folder's device and inode, kept even while it does not exist.
    var rootNumber: [UInt64]?
    var source: any ChangeSource = NoChangeSource()
}

extension DropFolder {
    /// The time for the state machine.
    var now: Duration { ContinuousClock.now - start }

    /// The lock on the folder.
    var lock: FolderLock? {
        get { state.withLock { $0.lock } }
        set { state.withLock { $0.lock = newValue } }
    }

    /// Passes the result of a task to the loop.
    func hand(_ event: WatchStateMachine.Event) {
        state.withLock { $0.events.append(event) }
        wakeup.wake()
    }

    /// Publishes the status.
    func show(_ status: FolderStatus) {
        state.withLock { $0.status = status }
        FolderMetrics.depth(waiting: status.waiting, inFlight: status.inFlight, movesPending: status.movesPending)
    }
}

extension FolderHandle {
    /// The device and inode of the folder.
    var number: [UInt64]? {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink > 0
            ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
    }
}
