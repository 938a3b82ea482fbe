internal import BarcodeCore
internal import DequeModule

/// Tracks the progress of each file in the folder: settling, ready, in flight, to be moved.
///
/// A value without a clock or I/O.
struct FileTracker {
    /// The progress of a file after it has settled.
    private enum Phase {
        case ready(FileIdentity, isOpen: Bool, turn: UInt64, failures: Int)
        case inFlight(FileIdentity, failures: Int)
        case retrying(FileIdentity, turn: UInt64, failures: Int)
        /// Its events are stored, and it is waiting to be moved.
        case moving(FileRecord, isInFlight: Bool)
        /// It stays in place; `since` is the last time that it was known to exist.
        case left(FileRecord, since: Duration)
    }

    /// A job for one file that can begin.
    enum Job: Sendable, Hashable {
        case read(RelativePath, FileIdentity, isOpen: Bool, failures: Int)
        case move(FileRecord)
    }

    /// A processed file that is not recorded as closed in the journal yet.
    struct Closing: Sendable, Hashable {
        /// The number of its row.
        var number: Int64
        /// Its original path.
        var path: RelativePath
        /// Its present path, see ``FileResult/moved(_:place:)``.
        var place: RelativePath?
    }

    private let settings: DropFolderSettings
    private var settling = StabilityTracker()
    private var phases: [RelativePath: Phase] = [:]
    /// The ready files in order; an entry whose file has changed since no longer counts.
    private var ready: Deque<(path: RelativePath, turn: UInt64, since: Duration)> = []
    private var retries = DueQueue()
    /// The files to move.
    private var moves: Deque<RelativePath> = []
    private var moveFailures = 0
    private var moveError: String?
    private var movesAt: Duration = .zero
    private var turns: UInt64 = 0
    /// The number of consecutive failures to store, and the end of the pause that follows.
    private var storeFailures = 0
    private var pausedUntil: Duration = .zero
    /// The files with change notifications while they were in flight.
    private var again: Set<RelativePath> = []
    private var rechecks: [RelativePath] = []
    private var counts = FolderStatus()

    /// The number of files being read or moved.
    private(set) var inFlight = 0
    /// The processed files to record in the journal.
    private(set) var closing: [Closing] = []

    /// The maximum number of files waiting to be moved.
    ///
    /// Above it no further file is read, because each costs memory.
    static let maximumMoves = 10_000
    /// The number of failed reads after which a file is no longer waited for if the existing files are read once.
    private static let maximumTriesOnce = 3
    /// The time for which a file must be unchanged if it was created or written to and no close was reported.
    private static let openWindow: Duration = .seconds(2)
    /// The same time if the kernel does not say if the file is still open.
    private static let unknownWindow: Duration = .seconds(10)

    init(settings: DropFolderSettings) {
        self.settings = settings
    }

    /// The maximum number of files in flight: enough to keep the workers busy while others are hashed, stored and
    /// moved.
    private var window: Int { 4 * max(1, settings.jobs) }

    /// Indicates whether there is no work left on the files.
    var isIdle: Bool {
        inFlight == 0 && settling.count == 0 && rechecks.isEmpty
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

    // MARK: observations

    /// Adopts remaining work from the journal.
    mutating func adopt(_ record: FileRecord, at now: Duration) {
        let path = RelativePath(record.path)
        if record.state == .left {
            phases[path] = .left(record, since: now)
            return
        }
        if case .moving(let older, _) = phases[path] {
            close(older, place: older.target.map { RelativePath($0) })
        } else {
            moves.append(path)
        }
        phases[path] = .moving(record, isInFlight: false)
    }

    /// Records the state of a file found by a scan.
    mutating func find(_ path: RelativePath, _ identity: FileIdentity, at now: Duration) {
        observe(path, identity, window: settings.settle, at: now)
    }

    /// Records a change notification of a file and its current state.
    mutating func hear(_ kind: FolderChanges.Kind, of path: RelativePath, _ identity: FileIdentity, at now: Duration) {
        switch kind {
        case .opened:
            observe(
                path, identity, window: max(settings.settle, Self.openWindow), at: now, restarts: true, isOpen: true)
        case .finished, .attributes: observe(path, identity, window: settings.settle, at: now, restarts: true)
        // It has been replaced since.
        case .gone: observe(path, identity, window: settings.settle, at: now)
        }
    }

    /// Records that a file does not exist any more.
    mutating func vanish(_ path: RelativePath) {
        settling.forget(path)
        switch phases[path] {
        case .inFlight, .moving(_, isInFlight: true): return
        case .moving(let record, _), .left(let record, _): close(record, place: nil)
        default: break
        }
        phases.removeValue(forKey: path)
    }

    /// Records that a folder does not exist any more.
    mutating func forget(below folder: RelativePath) {
        settling.forget(below: folder)
        for path in phases.keys where path.isWithin(folder) { vanish(path) }
    }

    /// Closes the rows of files that were left in place and are missing from a whole scan.
    mutating func closeLeft(except files: [FolderScan.Found], before begin: Duration) {
        guard phases.values.contains(where: { if case .left(_, let since) = $0 { since < begin } else { false } })
        else { return }
        let seen = Set(files.map(\.path))
        for case (let path, .left(let record, let since)) in phases where since < begin && !seen.contains(path) {
            close(record, place: nil)
            phases.removeValue(forKey: path)
        }
    }

    /// Returns and clears the files to inspect again.
    mutating func takeRechecks() -> [RelativePath] {
        defer { rechecks = [] }
        return rechecks
    }

    /// Removes the first entries to close, which are now recorded in the journal.
    mutating func dropClosing(_ count: Int) { closing.removeFirst(min(count, closing.count)) }

    /// Records the state of a file.
    ///
    /// - Parameter restarts: true to restart the wait even if the file has not changed.
    private mutating func observe(
        _ path: RelativePath, _ identity: FileIdentity, window: Duration, at now: Duration, restarts: Bool = false,
        isOpen: Bool = false
    ) {
        switch phases[path] {
        case .ready(identity, _, _, _) where !restarts, .retrying(identity, _, _) where !restarts: return
        case .inFlight(let known, _):
            if known != identity || restarts { again.insert(path) }
            return
        case .moving(let record, isInFlight: true):
            if !identity.isSame(as: record.identity) { again.insert(path) }
            return
        case .moving(let record, isInFlight: false):
            if identity.isSame(as: record.identity) { return }
            close(record, place: nil)
        case .left(let record, _):
            if identity.isSame(as: record.identity) { return }
            close(record, place: nil)
        default: break
        }
        phases.removeValue(forKey: path)
        // Many programs first create an empty file and fill it later.
        let window = identity.size == 0 ? max(window, .seconds(2)) : window
        settling.observe(path, identity, window: window, at: now, restarts: restarts, isOpen: isOpen)
    }

    private mutating func close(_ record: FileRecord, place: RelativePath?) {
        guard let number = record.number else { return }
        closing.append(Closing(number: number, path: RelativePath(record.path), place: place))
    }

    // MARK: jobs and their results

    /// The next job that can begin, which then counts as in flight; `nil` for none.
    mutating func nextJob(at now: Duration) -> Job? {
        for (path, identity, isOpen) in settling.takeDue(at: now) {
            makeReady(path, identity, isOpen: isOpen, failures: 0, at: now)
        }
        while let first = retries.first, first.due <= now {
            retries.removeFirst()
            guard case .retrying(let identity, first.turn, let failures) = phases[first.path] else { continue }
            makeReady(first.path, identity, isOpen: false, failures: failures, at: now)
        }
        while movesAt <= now, inFlight < window, let path = moves.popFirst() {
            guard case .moving(let record, isInFlight: false) = phases[path] else { continue }
            phases[path] = .moving(record, isInFlight: true)
            // After a failure, try one before all others.
            if moveFailures > 0 { movesAt = now + .seconds(1) }
            inFlight += 1
            return .move(record)
        }
        if now < pausedUntil { return nil }
        let window = storeFailures > 0 ? 1 : window
        while inFlight < window, moves.count < Self.maximumMoves, let next = ready.popFirst() {
            guard case .ready(let identity, let isOpen, next.turn, let failures) = phases[next.path] else { continue }
            phases[next.path] = .inFlight(identity, failures: failures)
            inFlight += 1
            return .read(next.path, identity, isOpen: isOpen, failures: failures)
        }
        return nil
    }

    private mutating func makeReady(
        _ path: RelativePath, _ identity: FileIdentity, isOpen: Bool, failures: Int, at now: Duration
    ) {
        turns += 1
        phases[path] = .ready(identity, isOpen: isOpen, turn: turns, failures: failures)
        ready.append((path, turns, now))
    }

    /// Records the result of a job; returns the notice to log.
    mutating func finish(_ path: RelativePath, _ result: FileResult, at now: Duration) -> WatchNotice? {
        inFlight -= 1
        var failures = 0
        if case .inFlight(_, let before) = phases[path] { failures = before }
        phases.removeValue(forKey: path)
        if again.remove(path) != nil { rechecks.append(path) }
        switch result {
        case .archived(let receipt, let codes, let place):
            count(receipt, codes, at: now)
            close(receipt.record, place: place)
            moveFailures = 0
        case .stored(let receipt, let codes, let reason):
            count(receipt, codes, at: now)
            return moveAgain(receipt.record, path, reason, at: now)
        case .left(let receipt, let codes):
            count(receipt, codes, at: now)
            phases[path] = .left(receipt.record, since: now)
        case .moved(let record, let place):
            close(record, place: place)
            moveFailures = 0
            movesAt = now
        case .notMoved(let record, let reason): return moveAgain(record, path, reason, at: now)
        case .changed(let identity): observe(path, identity, window: settings.settle, at: now)
        case .busy(let identity):
            observe(path, identity, window: max(settings.settle, .milliseconds(500)), at: now)
        case .perhapsBusy(let identity):
            observe(path, identity, window: max(settings.settle, Self.unknownWindow), at: now)
        case .postponed(let identity, let reason):
            turns += 1
            phases[path] = .retrying(identity, turn: turns, failures: failures + 1)
            let wait = RetryPlan.patient.wait(after: failures + 1) ?? .seconds(1)
            retries.insert(DueQueue.Element(due: now + wait, turn: turns, path: path))
            return .postponed(path, reason: reason, isFirst: failures == 0)
        case .notStored(let identity, let reason):
            // If nothing can be stored, nothing need be read: this file is retried first.
            storeFailures += 1
            pausedUntil = now + (RetryPlan.patient.wait(after: storeFailures) ?? .seconds(1))
            turns += 1
            phases[path] = .ready(identity, isOpen: false, turn: turns, failures: failures)
            ready.prepend((path, turns, now))
            return storeFailures == 1 ? .notStored(reason: reason) : nil
        case .gone, .stopped: break
        }
        return nil
    }

    /// Postpones the move of a file; returns a notice only for the first of several failures.
    private mutating func moveAgain(
        _ record: FileRecord, _ path: RelativePath, _ reason: String, at now: Duration
    ) -> WatchNotice? {
        phases[path] = .moving(record, isInFlight: false)
        moves.append(path)
        moveError = reason
        moveFailures += 1
        movesAt = now + (RetryPlan.patient.wait(after: moveFailures) ?? .seconds(1))
        return moveFailures == 1 ? .notMoved(path, reason: reason) : nil
    }

    private mutating func count(_ receipt: FileReceipt, _ codes: Int, at now: Duration) {
        storeFailures = 0
        pausedUntil = now
        counts.codes += codes
        if receipt.original != nil { counts.duplicates += 1 }
        switch receipt.record.outcome {
        case .done: counts.done += 1
        case .noCode: counts.noCode += 1
        case .failed: counts.failed += 1
        }
    }

    // MARK: status

    /// The latest time at which the next job can begin; `nil` if none is expected.
    func nextDue(at now: Duration) -> Duration? {
        guard inFlight < window else { return nil }
        let dues = [
            settling.nextDue, retries.first?.due, moves.isEmpty ? nil : movesAt, pausedUntil > now ? pausedUntil : nil,
        ]
        return dues.compactMap(\.self).min()
    }

    /// The current status of the files.
    func status(at now: Duration) -> FolderStatus {
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
        return status
    }
}
