internal import BarcodeCore
internal import DequeModule
internal import SystemPackage

/// Decides the next action of a folder watcher and handles its results.
///
/// A value without a clock or I/O.
///
/// ``note(_:at:)`` takes events, and ``nextAction(at:)`` returns actions, one at a time. An action counts as begun
/// once it was returned. Times are of a monotonic clock.
struct WatchStateMachine {
    private let settings: DropFolderSettings
    private let selection: FileSelection
    private let aliveInterval: Duration?
    private var files: FileTracker
    private var notices: Deque<WatchNotice> = []
    private var isStopping = false
    private var fault: FolderMoved?

    private var hasRoot = false
    private var hadRoot = false
    private var isPolling = true
    private var watching = "poll"
    /// The change notifications that have not been inspected.
    private var heard: [(path: RelativePath, kind: FolderChanges.Kind)] = []
    private var newFolders: Deque<RelativePath> = []
    /// The number of running scans; `isScanning` is true if one of them is of the whole folder.
    private var scans = 0
    private var isScanning = false
    private var hasScanned = false
    /// The folders that the last whole scan could not read, and those that another watcher had.
    private var unreadable: Set<RelativePath> = []
    private var inUse: Set<RelativePath> = []
    private var nonRegularFiles: Set<RelativePath> = []
    private var emptied = EmptiedFolders()
    private var lastError: String?

    private var isReady = false
    private var isChanged = true
    private var isClosing = false
    private var hasFailedToClose = false
    private var hasClosedAtEnd = false
    private var hasPublishedAtEnd = false
    private var nextRootCheck: Duration = .zero
    private var nextScan: Duration = .zero
    private var nextClosing: Duration = .zero
    private var nextPublication: Duration = .zero
    private var nextAlive: Duration = .zero
    private var nextPruning: Duration = .zero

    /// With this number of files to close, do not wait for more.
    private static let closingsAtOnce = 256
    /// The maximum number of entries other than regular files to name in the log.
    private static let maximumNonRegularFiles = 10_000
    /// The delay before a full scan after this machine lacked a resource to inspect files.
    private static let waitAfterShortage: Duration = .seconds(1)

    /// Creates the state machine for a folder that has not been scanned.
    ///
    /// - Parameter aliveInterval: the interval of reports that the loop is alive; `nil` for never.
    init(settings: DropFolderSettings, aliveInterval: Duration? = nil) {
        self.settings = settings
        self.aliveInterval = aliveInterval
        selection = settings.selection
        files = FileTracker(settings: settings)
    }

    // MARK: events

    /// Handles an event at the time `now`.
    mutating func note(_ event: Event, at now: Duration) {
        isChanged = true
        let hadClosings = !files.closing.isEmpty
        defer {
            if !hadClosings && !files.closing.isEmpty { nextClosing = now + .milliseconds(200) }
        }
        switch event {
        case .adopted(let record): files.adopt(record, at: now)
        case .rootKept, .rootOpened, .rootLost, .rootInUse, .rootMoved: noteRoot(event, at: now)
        case .watching(let way, let isPolling):
            watching = way
            self.isPolling = isPolling
            notices.append(.watching(by: way))
        case .changed(let changes, let failure): note(changes, failure, at: now)
        case .inspected(let inspections): for inspection in inspections { note(inspection, at: now) }
        case .scanned(let scan, let begin, let isWhole): note(scan, begin: begin, isWhole: isWhole, at: now)
        case .finished(let path, let result):
            if let reason = result.reason { lastError = reason }
            if let notice = files.finish(path, result, at: now) { notices.append(notice) }
            heard += files.takeRechecks().map { ($0, .finished) }
        case .closed(let count):
            if let wait = settings.removeEmpty {
                for folder in Set(files.closing.prefix(count).map(\.path.folder)) {
                    emptied.note(folder, due: now + wait)
                }
            }
            files.dropClosing(count)
            isClosing = false
            hasFailedToClose = false
        case .notClosed(let reason):
            lastError = reason
            isClosing = false
            hasFailedToClose = true
        case .removed(let folders):
            // The parent folder of each may be empty now.
            for folder in folders { emptied.note(folder.folder, due: now + (settings.removeEmpty ?? .zero)) }
        case .stopRequested: isStopping = true
        }
    }

    private mutating func noteRoot(_ event: Event, at now: Duration) {
        nextRootCheck = now + settings.poll
        switch event {
        case .rootOpened:
            if hadRoot { notices.append(.rootBack) }
            hasRoot = true
            hadRoot = true
            nextScan = now
        case .rootLost(let reason):
            nextRootCheck = now + min(settings.poll, .milliseconds(500))
            if hasRoot {
                notices.append(.rootLost(reason: reason))
                lastError = "the folder is gone: \(reason)"
            }
            loseRoot()
        case .rootInUse(let reason):
            if lastError != reason { notices.append(.rootInUse(reason: reason)) }
            lastError = reason
            loseRoot()
        case .rootMoved(let fault):
            self.fault = fault
            isStopping = true
        default: break
        }
    }

    private mutating func loseRoot() {
        hasRoot = false
        heard = []
        newFolders = []
    }

    private mutating func note(_ changes: FolderChanges, _ failure: String?, at now: Duration) {
        if changes.rootHasChanged { nextRootCheck = now }
        if let failure, !isPolling {
            notices.append(.inotifyFailed(reason: failure))
            isPolling = true
            watching = "poll: \(failure)"
            nextScan = min(nextScan, now + settings.poll)
        }
        if changes.isLossy {
            notices.append(.overflow)
            nextScan = now
        }
        for folder in changes.goneFolders { files.forget(below: folder) }
        heard += changes.order.compactMap { path in
            selection.reaches(path) ? changes.files[path].map { (path, $0) } : nil
        }
        newFolders += changes.folders.filter { selection.reaches(folder: $0) }
    }

    private mutating func note(_ inspection: Inspection, at now: Duration) {
        switch inspection.finding {
        case .file(let identity): files.hear(inspection.kind, of: inspection.path, identity, at: now)
        case .nonRegularFile: noteNonRegularFile(inspection.path)
        // It exists nevertheless: the next scan finds it.
        case .unknown: scanSoon(at: now)
        case .absent: files.vanish(inspection.path)
        }
    }

    private mutating func noteNonRegularFile(_ path: RelativePath) {
        guard nonRegularFiles.count < Self.maximumNonRegularFiles, nonRegularFiles.insert(path).inserted else { return }
        notices.append(.nonRegularFile(path))
    }

    private mutating func scanSoon(at now: Duration) {
        nextScan = nextScan > now ? min(nextScan, now + Self.waitAfterShortage) : now + Self.waitAfterShortage
    }

    private mutating func note(_ scan: FolderScan, begin: Duration, isWhole: Bool, at now: Duration) {
        scans -= 1
        for file in scan.files { files.find(file.path, file.identity, at: now) }
        if isWhole { finishScan(scan, begin: begin, at: now) }
        for path in scan.nonRegularFiles { noteNonRegularFile(path) }
        for path in scan.taken where inUse.insert(path).inserted { notices.append(.folderInUse(path)) }
        for (path, reason) in scan.failures {
            lastError = "the folder \(path.display.isEmpty ? "itself" : path.display) cannot be read: \(reason)"
            if unreadable.insert(path).inserted { notices.append(.folderUnreadable(path, reason: reason)) }
        }
        // A folder that was readable in the meantime is reported again.
        if isWhole {
            unreadable = Set(scan.failures.map(\.path))
            inUse = Set(scan.taken)
        }
    }

    private mutating func finishScan(_ scan: FolderScan, begin: Duration, at now: Duration) {
        isScanning = false
        if scan.failures.contains(where: { ResourceShortage(errno: $0.error.rawValue) != nil }) {
            // The unread folders may contain files and may soon be readable.
            return scanSoon(at: now)
        }
        hasScanned = true
        // Scanning must not take all the time.
        nextScan = now + max(isPolling ? settings.poll : settings.rescan, (now - begin) * 4)
        if scan.failures.isEmpty { files.closeLeft(except: scan.files, before: begin) }
    }

    // MARK: actions

    /// Returns the action to perform at the time `now`.
    mutating func nextAction(at now: Duration) -> Action {
        if let notice = notices.popFirst() { return .log(notice) }
        if !isStopping, let action = nextWork(at: now) { return action }
        if isStopping ? files.inFlight == 0 : settings.once && isIdle { return nextEnding(at: now) }
        let mayClose = now >= nextClosing || files.closing.count >= Self.closingsAtOnce && !hasFailedToClose
        if mayClose && !isClosing && !files.closing.isEmpty { return close(at: now) }
        if let action = removal(at: now, all: false) { return action }
        if isChanged && now >= nextPublication {
            // At most a few times a second: counting is slow if many files are waiting.
            nextPublication = now + .milliseconds(200)
            return publish(at: now)
        }
        if hasScanned && !isReady {
            isReady = true
            return .reportReady
        }
        if let aliveInterval, now >= nextAlive {
            nextAlive = now + aliveInterval
            return .reportAlive
        }
        if now >= nextPruning {
            nextPruning = now + .seconds(3600)
            return .prune
        }
        return .wait(until: deadline(at: now))
    }

    private var isIdle: Bool { hasScanned && scans == 0 && heard.isEmpty && files.isIdle }

    private mutating func nextWork(at now: Duration) -> Action? {
        if now >= nextRootCheck {
            nextRootCheck = now + settings.poll
            return .checkRoot
        }
        guard hasRoot else { return nil }
        if !heard.isEmpty {
            defer { heard = [] }
            return .inspect(heard)
        }
        if let folder = newFolders.popFirst() {
            scans += 1
            return .scan(folder)
        }
        if now >= nextScan && !isScanning {
            isScanning = true
            scans += 1
            return .scan(.root)
        }
        guard let job = files.nextJob(at: now) else { return nil }
        isChanged = true
        return .begin(job)
    }

    private mutating func nextEnding(at now: Duration) -> Action {
        if !files.closing.isEmpty && !hasClosedAtEnd {
            hasClosedAtEnd = true
            return close(at: now)
        }
        if let action = removal(at: now, all: !isStopping) { return action }
        if !hasPublishedAtEnd {
            hasPublishedAtEnd = true
            return publish(at: now)
        }
        return .end(fault)
    }

    private mutating func close(at now: Duration) -> Action {
        isClosing = true
        nextClosing = now + .milliseconds(500)
        return .close(files.closing)
    }

    private mutating func removal(at now: Duration, all: Bool) -> Action? {
        guard settings.removeEmpty != nil, hasRoot else { return nil }
        let folders = emptied.take(at: now, all: all)
        return folders.isEmpty ? nil : .remove(folders)
    }

    private mutating func publish(at now: Duration) -> Action {
        isChanged = false
        var status = files.status(at: now)
        status.nonRegularFiles = nonRegularFiles.count
        status.watching = watching
        status.lastError = lastError
        return .publish(status)
    }

    /// The latest time of the next action.
    private func deadline(at now: Duration) -> Duration {
        var dues: [Duration?] = [aliveInterval == nil ? nil : nextAlive, isChanged ? nextPublication : nil]
        if isStopping {
            dues.append(now + .milliseconds(500))
        } else {
            dues += [nextRootCheck, files.closing.isEmpty || isClosing ? nil : nextClosing]
            // Without the folder nothing can be done.
            if hasRoot { dues += [emptied.next, isScanning ? nil : nextScan, files.nextDue(at: now)] }
        }
        return max(now, dues.compactMap(\.self).min() ?? now)
    }
}
