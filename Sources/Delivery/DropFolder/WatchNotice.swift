internal import Logging
internal import SystemPackage

/// A notice from the watcher to its operator.
enum WatchNotice: Sendable, Hashable {
    case watching(by: String)
    case inotifyFailed(reason: String)
    case overflow
    case nonRegularFile(RelativePath)
    case folderInUse(RelativePath)
    case folderUnreadable(RelativePath, reason: Errno)
    case rootLost(reason: String)
    case rootBack
    case rootInUse(reason: String)
    case notMoved(RelativePath, reason: String)
    case notStored(reason: String)
    /// A file could not be read; only the first notice is prominent.
    case postponed(RelativePath, reason: String, isFirst: Bool)
}

extension Logger {
    /// Logs a notice.
    func log(_ notice: WatchNotice) {
        switch notice {
        case .watching(let way): info("Watching for changes", metadata: ["by": "\(way)"])
        case .inotifyFailed(let reason):
            warning("inotify failed; polling the folder from now on", metadata: ["reason": "\(reason)"])
        case .overflow: self.notice("The inotify queue overflowed; rescanning the whole folder")
        case .nonRegularFile(let path):
            self.notice(
                "Skipping an entry that is not a regular file (link, pipe, socket or device)",
                metadata: ["file": "\(path.display)"])
        case .folderInUse(let path):
            self.notice("Skipping a folder that another watcher has locked", metadata: ["folder": "\(path.display)"])
        case .folderUnreadable(let path, let reason):
            warning("Cannot read a folder", metadata: ["folder": "\(path.display)", "reason": "\(reason)"])
        case .rootLost(let reason):
            warning("The watched folder is gone; waiting for it to come back", metadata: ["reason": "\(reason)"])
        case .rootBack: self.notice("The watched folder is back")
        case .rootInUse(let reason):
            warning("Cannot lock the watched folder; waiting for it", metadata: ["reason": "\(reason)"])
        case .notMoved(let path, let reason):
            error(
                "Cannot move a file that was read; it stays, and the move is retried",
                metadata: ["file": "\(path.display)", "reason": "\(reason)"])
        case .notStored(let reason):
            error(
                "Cannot write to the outbox; files stay, and are retried", metadata: ["reason": "\(reason)"])
        case .postponed(let path, let reason, let isFirst):
            log(
                level: isFirst ? .warning : .debug, "Cannot read a file now; it stays, and is retried",
                metadata: ["file": "\(path.display)", "reason": "\(reason)"])
        }
    }
}
