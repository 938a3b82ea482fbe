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

/// Who is told that a watcher is ready, and that it lives.
public struct HealthReporter: Sendable {
    /// How often ``alive`` is called, by the loop that does the work and by nothing else; nil for never.
    public var interval: Duration?
    /// Called once, after the first scan of the folder.
    public var ready: @Sendable () -> Void
    /// Called while the loop goes round.
    public var alive: @Sendable () -> Void

    /// A reporter; without arguments nobody is told.
    public init(
        interval: Duration? = nil, ready: @escaping @Sendable () -> Void = {},
        alive: @escaping @Sendable () -> Void = {}
    ) {
        self.interval = interval
        self.ready = ready
        self.alive = alive
    }
}

/// Watches a folder for months: every picture that lands in it is read once, its codes are stored, and it is moved.
///
/// Files are taken in the order in which they became whole. What has been read is in the outbox, together with a row
/// that says so, before the file is moved: whoever starts after a crash reads nothing twice. It ends at a graceful
/// shutdown, after the files that are in flight.
public final class DropFolder: Service {
    /// What the loop shares with its tasks, and with whoever asks.
    private struct State {
        /// What tasks have come to and the loop has not seen; they are few.
        var events: [WatchStateMachine.Event] = []
        var isStopping = false
        var status = FolderStatus()
        /// The right to the folder; nil until it is taken.
        var lock: FolderLock?
    }

    let settings: DropFolderSettings
    let journal: FileJournal
    let logger: Logger
    let fileProcessor: FileProcessor
    let health: HealthReporter
    let bell = Doorbell()
    let start = ContinuousClock.now
    private let state: Mutex<State>

    /// A watcher for a folder.
    ///
    /// - Parameters:
    ///   - intake: stores the codes.
    ///   - outbox: the outbox of the intake.
    ///   - lock: the right to the folder; without one it is taken at the start.
    ///   - health: is told that the watcher is ready, and that it lives.
    ///   - decode: reads a picture; an answer with the error `cancelled` leaves the file where it is.
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

    /// How things stand.
    public var status: FolderStatus { state.withLock { $0.status } }

    /// Watches until a graceful shutdown; with ``DropFolderSettings/once`` until what is there has been taken in.
    ///
    /// - Throws: ``FolderLock/InUse`` when another watcher has the folder, ``FolderMoved`` when its name leads to
    ///   another one, and what the outbox throws at the start.
    public func run() async throws {
        try await withGracefulShutdownHandler {
            try await watch()
        } onGracefulShutdown: {
            self.state.withLock { $0.isStopping = true }
            self.fileProcessor.archiver.stop.set()
            self.bell.ring()
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
            var watch = FolderWatch(
                machine: WatchStateMachine(settings: settings, aliveInterval: health.interval))
            group.addTask { await self.removeStaleParts() }
            for record in records { watch.machine.note(.adopted(record), at: now) }
            while true {
                for event in takeEvents(&watch) { watch.machine.note(event, at: now) }
                switch await work(&watch, &group) {
                case .wait(let deadline): await bell.wait(until: start + deadline)
                case .end(let fault): return fault
                }
            }
        }
        state.withLock { $0.status.isRunning = false }
        if let fault { throw fault }
    }

    /// Does all that is to be done now.
    private func work(_ watch: inout FolderWatch, _ group: inout DiscardingTaskGroup) async -> Pause {
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

    /// What has happened since the last call.
    private func takeEvents(_ watch: inout FolderWatch) -> [WatchStateMachine.Event] {
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

/// What the loop of a watcher holds: what is to be done, and with what.
struct FolderWatch {
    var machine: WatchStateMachine
    /// The watched folder; nil while it is not there.
    var root: FolderHandle?
    /// Its number, also while it is not there.
    var rootNumber: [UInt64]?
    var source: any ChangeSource = NoChangeSource()
}

extension DropFolder {
    /// The time of the machine.
    var now: Duration { ContinuousClock.now - start }

    /// The right to the folder.
    var lock: FolderLock? {
        get { state.withLock { $0.lock } }
        set { state.withLock { $0.lock = newValue } }
    }

    /// Hands the loop what a task has come to.
    func hand(_ event: WatchStateMachine.Event) {
        state.withLock { $0.events.append(event) }
        bell.ring()
    }

    /// Shows how things stand.
    func show(_ status: FolderStatus) {
        state.withLock { $0.status = status }
        FolderMetrics.depth(waiting: status.waiting, inFlight: status.inFlight, movesPending: status.movesPending)
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
