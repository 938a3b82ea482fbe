internal import BarcodeCore
internal import DequeModule
internal import ScanOutbox
internal import SystemPackage

/// What the watcher knows of its folder: which file is where on its way, and what is next.
///
/// Without I/O and without a clock, but for ``root``, which it only keeps.
struct WatchStateMachine {
    /// Where a file is on its way, after it has settled.
    private enum Phase {
        case ready(FileIdentity, isOpen: Bool, turn: UInt64, failures: Int)
        case inFlight(FileIdentity, failures: Int)
        case retrying(FileIdentity, turn: UInt64, failures: Int)
        /// Its events are stored, and it is to be put away.
        case moving(IntakeRecord, isInFlight: Bool)
        /// It stays, and it was known to be there at a time.
        case left(IntakeRecord, since: Duration)
    }

    /// What can be begun.
    enum Job: Sendable {
        case take(RelativePath, FileIdentity, isOpen: Bool, failures: Int)
        case move(IntakeRecord)

        var path: RelativePath {
            switch self {
            case .take(let path, _, _, _): path
            case .move(let record): RelativePath(record.path)
            }
        }
    }

    let settings: DropFolderSettings
    var selection: FileSelection
    /// The time, of a clock that does not jump.
    var now: Duration = .zero
    var root: FolderHandle?
    var rootIdentity: [UInt64]?
    var nextRootCheck: Duration = .zero
    var nextScan: Duration = .zero
    var nextFlush: Duration = .zero
    var nextPublication: Duration = .zero
    var nextBeat: Duration = .zero
    var nextPruning: Duration = .zero
    var isReady = false
    /// Whether something has happened since the counts were shown last.
    var hasUnpublished = false
    var source: any ChangeSource = NoChangeSource()
    var isPolling = true
    /// How changes are noticed, for people.
    var watching = "poll"
    var isScanning = false
    private var nonRegularFiles: Set<RelativePath> = []
    private var nonRegularFileCount = 0
    /// Files of which something was heard while they were in flight.
    private var again: Set<RelativePath> = []
    private var rechecks: [RelativePath] = []
    /// Folders that could not be read when everything was looked at last.
    var unreadable: Set<RelativePath> = []
    /// Folders that another watcher had when everything was looked at last.
    var taken: Set<RelativePath> = []
    /// Sub-folders that may be empty now.
    var emptied = EmptiedFolders()
    /// Why the watcher is about to end of its own accord.
    var end: FolderMoved?
    var lastError: String?
    /// Files that were put away, which the journal does not know yet.
    var closing: [(number: Int64, path: RelativePath, place: RelativePath?)] = []
    var hasScanned = false

    private var settling = StabilityTracker()
    private var phases: [RelativePath: Phase] = [:]
    /// Files that are ready, the first to be so first; one that has changed since is not ready any more.
    private var ready: Deque<(path: RelativePath, turn: UInt64, since: Duration)> = []
    private var retries = DueQueue()
    /// Files to put away.
    private var moves: Deque<RelativePath> = []
    private var moveFailures = 0
    private var moveError: String?
    private var movesAt: Duration = .zero
    private var turns: UInt64 = 0
    private(set) var inFlight = 0
    /// How often in a row nothing could be stored, and until when nothing is begun for it.
    private(set) var storeFailures = 0
    private var pausedUntil: Duration = .zero
    private var counts = FolderStatus()

    /// More files than this that cannot be put away, and no further one is read: each costs memory.
    static let maximumMoves = 10_000

    init(settings: DropFolderSettings) {
        self.settings = settings
        selection = FileSelection(destination: settings.destinationWithin)
    }

    /// How many files may be in flight: as many as keep the workers busy while others are hashed, stored and moved.
    private var window: Int { 4 * max(1, settings.jobs) }

    /// Whether nothing is left to do with what is there.
    var isIdle: Bool {
        hasScanned && inFlight == 0 && settling.count == 0 && rechecks.isEmpty
            && !phases.values.contains {
                switch $0 {
                case .ready: storeFailures < Self.maximumTriesOnce
                case .inFlight: true
                case .retrying(_, _, let failures): failures < Self.maximumTriesOnce
                case .moving: moveFailures == 0
                case .left: false
                }
            }
    }

    /// A file that could not be taken so often is not waited for where what is there is taken in once.
    private static let maximumTriesOnce = 3

    /// Whether a file could not be taken for the first time: what is tried again and again is told once.
    func hasFailedOnce(_ path: RelativePath) -> Bool {
        if case .retrying(_, _, failures: 1) = phases[path] { true } else { false }
    }

    /// Takes over what the journal says is still to be done.
    mutating func adopt(_ record: IntakeRecord) {
        let path = RelativePath(record.path)
        if record.state == .left {
            phases[path] = .left(record, since: now)
        } else {
            if case .moving(let older, _) = phases[path], let number = older.number {
                closing.append((number, path, older.target.map { RelativePath($0) }))
            } else {
                moves.append(path)
            }
            phases[path] = .moving(record, isInFlight: false)
        }
    }

    /// Takes over what a look through the folder has found.
    ///
    /// - Parameter begin: when the look began.
    mutating func accept(_ scan: FolderScan, begin: Duration, isWhole: Bool) {
        for file in scan.files { observe(file.path, file.identity, window: settings.settle) }
        guard isWhole else { return }
        isScanning = false
        if scan.failures.contains(where: { ResourceShortage(errno: $0.error.rawValue) != nil }) {
            // What was not read may hold files, and can be read soon.
            lookAgain()
            return
        }
        hasScanned = true
        // Looking must not become all that is done.
        let rest = max(isPolling ? settings.poll : settings.rescan, (now - begin) * 4)
        nextScan = now + rest
        if scan.failures.isEmpty { closeLeft(except: scan.files, before: begin) }
    }

    /// Files that were left where they are, and are not there any more, need not be remembered.
    private mutating func closeLeft(except files: [FolderScan.Found], before begin: Duration) {
        guard phases.values.contains(where: { if case .left(_, let since) = $0 { since < begin } else { false } })
        else { return }
        let seen = Set(files.map(\.path))
        for case (let path, .left(let record, let since)) in phases where since < begin && !seen.contains(path) {
            close(record, place: nil)
            phases.removeValue(forKey: path)
        }
    }

    /// Takes over what was heard of a file, and how it looks now.
    mutating func hear(_ kind: FolderChanges.Kind, of path: RelativePath, _ identity: FileIdentity) {
        switch kind {
        case .opened:
            observe(path, identity, window: max(settings.settle, Self.openWindow), restarts: true, isOpen: true)
        case .finished, .attributes: observe(path, identity, window: settings.settle, restarts: true)
        // It was replaced since.
        case .gone: observe(path, identity, window: settings.settle)
        }
    }

    /// How long a file must be unchanged that was made or written to, and of whose closing nothing was heard.
    static let openWindow: Duration = .seconds(2)
    /// The same where the kernel does not say whether somebody still has it open.
    static let unknownWindow: Duration = .seconds(10)

    /// A file is not there any more.
    mutating func vanish(_ path: RelativePath) {
        settling.forget(path)
        switch phases[path] {
        case .inFlight, .moving(_, isInFlight: true): return
        case .moving(let record, _), .left(let record, _): close(record, place: nil)
        default: break
        }
        phases.removeValue(forKey: path)
    }

    /// A folder is not there any more.
    mutating func forget(below folder: RelativePath) {
        settling.forget(below: folder)
        for path in phases.keys where path.isWithin(folder) { vanish(path) }
    }

    /// Counts an entry that is no regular file; true when it is to be told of.
    mutating func noteNonRegularFile(_ path: RelativePath) -> Bool {
        guard nonRegularFiles.count < 10_000, nonRegularFiles.insert(path).inserted else { return false }
        nonRegularFileCount += 1
        return true
    }

    /// How soon everything is looked at again after this machine lacked something to look with.
    private static let waitAfterShortage: Duration = .seconds(1)

    /// Has everything be looked at soon.
    mutating func lookAgain() {
        nextScan = nextScan > now ? min(nextScan, now + Self.waitAfterShortage) : now + Self.waitAfterShortage
    }

    /// Files that have to be looked at again.
    mutating func takeRechecks() -> [RelativePath] {
        defer { rechecks = [] }
        return rechecks
    }

    /// Has everything be found by looking.
    mutating func poll(because reason: String) {
        source = NoChangeSource()
        isPolling = true
        watching = "poll: \(reason)"
        nextScan = min(nextScan, now + settings.poll)
    }

    /// Notes how a file looks.
    ///
    /// - Parameter restarts: whether the wait begins anew although it has not changed.
    mutating func observe(
        _ path: RelativePath, _ identity: FileIdentity, window: Duration, restarts: Bool = false, isOpen: Bool = false
    ) {
        switch phases[path] {
        case .ready(identity, _, _, _) where !restarts, .retrying(identity, _, _) where !restarts: return
        case .inFlight(let known, _):
            if known != identity || restarts { again.insert(path) }
            return
        case .moving(let record, isInFlight: true):
            if FileIdentity(record) != identity { again.insert(path) }
            return
        case .moving(let record, isInFlight: false):
            if FileIdentity(record) == identity { return }
            close(record, place: nil)
        case .left(let record, _):
            if FileIdentity(record) == identity { return }
            close(record, place: nil)
        default: break
        }
        phases.removeValue(forKey: path)
        // Many programs make an empty file first and fill it later.
        let window = identity.size == 0 ? max(window, .seconds(2)) : window
        settling.observe(path, identity, window: window, at: now, restarts: restarts, isOpen: isOpen)
    }

    /// What can be begun now; it counts as in flight from here on.
    mutating func nextJobs(isStopping: Bool) -> [Job] {
        for (path, identity, isOpen) in settling.takeDue(at: now) {
            makeReady(path, identity, isOpen: isOpen, failures: 0)
        }
        while let first = retries.first, first.due <= now {
            retries.removeFirst()
            guard case .retrying(let identity, first.turn, let failures) = phases[first.path] else { continue }
            makeReady(first.path, identity, isOpen: false, failures: failures)
        }
        if isStopping { return [] }
        var jobs: [Job] = []
        if movesAt <= now {
            // After a failure one is tried before all the others are.
            var most = moveFailures > 0 ? 1 : window
            while most > 0, inFlight < window, let path = moves.popFirst() {
                guard case .moving(let record, isInFlight: false) = phases[path] else { continue }
                phases[path] = .moving(record, isInFlight: true)
                jobs.append(.move(record))
                inFlight += 1
                most -= 1
            }
            if moveFailures > 0 { movesAt = now + .seconds(1) }
        }
        if now < pausedUntil { return jobs }
        let window = storeFailures > 0 ? 1 : window
        while inFlight < window, moves.count < Self.maximumMoves, let next = ready.popFirst() {
            guard case .ready(let identity, let isOpen, next.turn, let failures) = phases[next.path] else { continue }
            phases[next.path] = .inFlight(identity, failures: failures)
            jobs.append(.take(next.path, identity, isOpen: isOpen, failures: failures))
            inFlight += 1
        }
        return jobs
    }

    private mutating func makeReady(_ path: RelativePath, _ identity: FileIdentity, isOpen: Bool, failures: Int) {
        turns += 1
        phases[path] = .ready(identity, isOpen: isOpen, turn: turns, failures: failures)
        ready.append((path, turns, now))
    }

    /// Takes over what a job has come to.
    mutating func finish(_ path: RelativePath, _ outcome: FileProcessor.Outcome) {
        inFlight -= 1
        var failures = 0
        if case .inFlight(_, let before) = phases[path] { failures = before }
        phases.removeValue(forKey: path)
        if again.remove(path) != nil { rechecks.append(path) }
        switch outcome {
        case .taken(let receipt, let codes, let place):
            count(receipt, codes)
            close(receipt.record, place: place)
            moveFailures = 0
        case .stored(let receipt, let codes, _):
            count(receipt, codes)
            phases[path] = .moving(receipt.record, isInFlight: false)
            moves.append(path)
        case .left(let receipt, let codes):
            count(receipt, codes)
            phases[path] = .left(receipt.record, since: now)
        case .moved(let record, let place):
            close(record, place: place)
            moveFailures = 0
            movesAt = now
        case .notMoved(let record, _):
            phases[path] = .moving(record, isInFlight: false)
            moves.append(path)
        case .changed(let identity): observe(path, identity, window: settings.settle)
        case .busy(let identity): observe(path, identity, window: max(settings.settle, .milliseconds(500)))
        case .perhapsBusy(let identity): observe(path, identity, window: max(settings.settle, Self.unknownWindow))
        case .postponed(let identity, _):
            turns += 1
            phases[path] = .retrying(identity, turn: turns, failures: failures + 1)
            let wait = RetryPlan.patient.wait(after: failures + 1) ?? .seconds(1)
            retries.insert(DueQueue.Element(due: now + wait, turn: turns, path: path))
        case .notStored(let identity, _):
            // Where nothing can be stored nothing need be read: this one is the first to be tried again.
            storeFailures += 1
            pausedUntil = now + (RetryPlan.patient.wait(after: storeFailures) ?? .seconds(1))
            turns += 1
            phases[path] = .ready(identity, isOpen: false, turn: turns, failures: failures)
            ready.prepend((path, turns, now))
        case .gone, .stopped: break
        }
    }

    /// Counts a failure to put a file away; true for the first of several.
    mutating func noteMoveFailure(_ reason: String) -> Bool {
        FolderMetrics.moveFailed()
        moveError = reason
        moveFailures += 1
        movesAt = now + (RetryPlan.patient.wait(after: moveFailures) ?? .seconds(1))
        return moveFailures == 1
    }

    private mutating func close(_ record: IntakeRecord, place: RelativePath?) {
        guard let number = record.number else { return }
        closing.append((number, RelativePath(record.path), place))
        if closing.count == 1 { nextFlush = now + .milliseconds(200) }
    }

    private mutating func count(_ receipt: IntakeReceipt, _ codes: Int) {
        storeFailures = 0
        pausedUntil = now
        counts.codes += codes
        if receipt.original != nil { counts.duplicates += 1 }
        switch FileOutcome(rawValue: receipt.record.verdict) {
        case .done: counts.done += 1
        case .noCode: counts.noCode += 1
        default: counts.failed += 1
        }
        FolderMetrics.taken(
            FileOutcome(rawValue: receipt.record.verdict) ?? .failed, codes: codes, isDuplicate: receipt.original != nil
        )
    }

    /// When something is to be done next, at the latest.
    func nextDeadline(isStopping: Bool) -> Duration {
        if isStopping { return now + .milliseconds(500) }
        if !rechecks.isEmpty && root != nil { return now }
        var deadline = nextRootCheck
        if !closing.isEmpty { deadline = min(deadline, nextFlush) }
        // Without the folder nothing that is due can be done.
        guard root != nil else { return max(deadline, now) }
        if let due = emptied.next { deadline = min(deadline, due) }
        if !isScanning { deadline = min(deadline, nextScan) }
        if inFlight < window {
            if let due = settling.nextDue { deadline = min(deadline, due) }
            if let due = retries.first?.due { deadline = min(deadline, due) }
            if !moves.isEmpty { deadline = min(deadline, movesAt) }
            if pausedUntil > now { deadline = min(deadline, pausedUntil) }
        }
        return max(deadline, now)
    }

    /// How things stand.
    var status: FolderStatus {
        var status = counts
        status.waiting = settling.count
        for case .ready in phases.values { status.waiting += 1 }
        for case .retrying in phases.values { status.waiting += 1 }
        status.inFlight = inFlight
        if let oldest = [ready.first?.since, settling.oldest].compactMap({ $0 }).min() {
            status.oldestWaitingSeconds = max(0, (now - oldest) / .seconds(1))
        }
        status.movesPending = moves.count
        status.moveError = moves.isEmpty ? nil : moveError
        status.nonRegularFiles = nonRegularFileCount
        status.watching = watching
        status.lastError = lastError
        return status
    }
}
