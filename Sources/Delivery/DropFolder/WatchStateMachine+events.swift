extension WatchStateMachine {
    /// An input to the state machine.
    enum Event: Sendable {
        /// The journal has a file that needs further work or stays in place.
        case adopted(FileRecord)
        /// The path still leads to the open folder.
        case rootKept
        /// The watched folder was opened: for the first time, again, or another one in its place.
        case rootOpened
        /// The watched folder could not be opened; if it was open, it is closed.
        case rootLost(reason: String)
        /// Another watcher has the folder.
        case rootInUse(reason: String)
        /// The name of the folder leads to another folder.
        case rootMoved(FolderMoved)
        /// The way changes are detected from now on, for people.
        case watching(by: String, isPolling: Bool)
        /// The changes in the folder, and the reason why no more will be reported; `nil` if they will.
        case changed(FolderChanges, failure: String?)
        /// The current state of files with change notifications.
        case inspected([Inspection])
        /// The result of a scan that began at a time, of the whole folder or one below it.
        case scanned(FolderScan, begin: Duration, isWhole: Bool)
        /// The result of a job.
        case finished(RelativePath, FileResult)
        /// The first so many of the files to close are recorded in the journal.
        case closed(Int)
        /// The journal could not be written.
        case notClosed(reason: String)
        /// Folders were removed because they were empty.
        case removed([RelativePath])
        /// The program is about to end.
        case stopRequested
    }

    /// The next action to perform.
    enum Action: Sendable {
        /// Check that the watched folder exists.
        case checkRoot
        /// Inspect files with change notifications.
        case inspect([(path: RelativePath, kind: FolderChanges.Kind)])
        /// Scan a folder and those below it.
        case scan(RelativePath)
        /// Read or move a file.
        case begin(FileTracker.Job)
        /// Record in the journal that files need no further work.
        case close([FileTracker.Closing])
        /// Remove folders if they are empty.
        case remove([RelativePath])
        /// Delete old rows of the journal.
        case prune
        /// Log a notice for the operator.
        case log(WatchNotice)
        /// Publish the status.
        case publish(FolderStatus)
        /// Report that the first scan is complete.
        case reportReady
        /// Report that the loop is alive.
        case reportAlive
        /// Wait for an event, at most until a time.
        case wait(until: Duration)
        /// End, because of an error or because all work is done.
        case end(FolderMoved?)
    }

    /// The current state of an entry of the folder.
    struct Inspection: Sendable {
        enum Finding: Sendable, Hashable {
            case file(FileIdentity)
            case nonRegularFile
            case absent
            /// Unknown, because this machine lacks a resource to inspect it.
            case unknown
        }

        var path: RelativePath
        /// The change notification of the entry.
        var kind: FolderChanges.Kind
        var finding: Finding
    }
}
