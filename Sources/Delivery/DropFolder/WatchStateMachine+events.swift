extension WatchStateMachine {
    /// What was met.
    enum Event: Sendable {
        /// The journal has a file with which something is left to do, or that stays where it is.
        case adopted(FileRecord)
        /// The watched folder is the one that is open.
        case rootKept
        /// The watched folder was opened: for the first time, or again, or another in its place.
        case rootOpened
        /// The watched folder could not be opened; where it was open, it is so no more.
        case rootLost(reason: String)
        /// Another watcher has the folder.
        case rootInUse(reason: String)
        /// The name of the folder leads to another one.
        case rootMoved(FolderMoved)
        /// How changes are noticed from now on, for people.
        case watching(by: String, isPolling: Bool)
        /// What has happened in the folder, and why nothing more will be told; nil for no reason.
        case changed(FolderChanges, failure: String?)
        /// How files look of which something was heard.
        case inspected([Inspection])
        /// What a scan has found that began at a time, of the whole folder or of one below it.
        case scanned(FolderScan, begin: Duration, isWhole: Bool)
        /// What a job has come to.
        case finished(RelativePath, FileResult)
        /// The journal knows the first so many of the files that were to be closed.
        case closed(Int)
        /// The journal could not be written.
        case notClosed(reason: String)
        /// Folders were removed because they were empty.
        case removed([RelativePath])
        /// The program is to end.
        case stopRequested
    }

    /// What to do next.
    enum Action: Sendable {
        /// See whether the watched folder is there.
        case checkRoot
        /// See how files look of which something was heard.
        case inspect([(path: RelativePath, kind: FolderChanges.Kind)])
        /// Scan a folder and those below it.
        case scan(RelativePath)
        /// Read or move a file.
        case begin(FileTracker.Job)
        /// Note in the journal that nothing is left to do with files.
        case close([FileTracker.Closing])
        /// Remove folders if they are empty.
        case remove([RelativePath])
        /// Forget old rows of the journal.
        case prune
        /// Tell the operator something.
        case log(WatchNotice)
        /// Show how things stand.
        case publish(FolderStatus)
        /// Say that the first scan is done.
        case reportReady
        /// Say that the loop goes round.
        case reportAlive
        /// Wait for an event, and no longer than until a time.
        case wait(until: Duration)
        /// End, because of a fault or because all is done.
        case end(FolderMoved?)
    }

    /// How an entry of the folder looks.
    struct Inspection: Sendable {
        enum Finding: Sendable, Hashable {
            case file(FileIdentity)
            case nonRegularFile
            case absent
            /// This machine lacks something to look with.
            case unknown
        }

        var path: RelativePath
        /// What was heard of it.
        var kind: FolderChanges.Kind
        var finding: Finding
    }
}
