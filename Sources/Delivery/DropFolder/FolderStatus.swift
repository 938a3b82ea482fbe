/// How things stand with a watched folder.
public struct FolderStatus: Sendable, Hashable, Codable {
    /// Whether the watcher runs.
    public var isRunning = true
    /// How changes are noticed: `inotify`, or `poll` and why.
    public var watching = ""
    /// Files that wait: to be whole, for their turn, or to be tried again.
    public var waiting = 0
    /// How long the file has waited that has waited longest, in seconds; nil when none waits.
    public var oldestWaitingSeconds: Double?
    /// Files that are being read or put away.
    public var inFlight = 0
    /// Files with codes.
    public var done = 0
    /// Files that could not be read.
    public var failed = 0
    /// Pictures without a code.
    public var noCode = 0
    /// Files whose content was there before.
    public var duplicates = 0
    /// Codes that were stored.
    public var codes = 0
    /// Files whose events are stored, and which could not be put away.
    public var movesPending = 0
    /// Why the last one could not be put away; nil when none waits for it.
    public var moveError: String?
    /// Entries that are no regular files.
    public var nonRegularFiles = 0
    /// What went wrong last; nil for nothing.
    public var lastError: String?
}
