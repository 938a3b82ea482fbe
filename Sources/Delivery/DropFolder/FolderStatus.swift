/// The status of a watched folder.
public struct FolderStatus: Sendable, Hashable, Codable {
    /// Indicates whether the watcher is running.
    public var isRunning = true
    /// The way changes are detected: `inotify`, or `poll` with the reason.
    public var watching = ""
    /// The number of files that wait: to settle, for their turn, or for a retry.
    public var waiting = 0
    /// The longest time that a file has been waiting, in seconds; `nil` if none is waiting.
    public var oldestWaitingSeconds: Double?
    /// The number of files being read or moved.
    public var inFlight = 0
    /// The number of files with codes.
    public var done = 0
    /// The number of files that could not be read.
    public var failed = 0
    /// The number of images without a code.
    public var noCode = 0
    /// The number of files with duplicate content.
    public var duplicates = 0
    /// The number of stored codes.
    public var codes = 0
    /// The number of files whose events are stored but which could not be moved.
    public var movesPending = 0
    /// The reason why the last one could not be moved; `nil` if none is waiting for that.
    public var moveError: String?
    /// The number of entries that are not regular files.
    public var nonRegularFiles = 0
    /// The last error; `nil` for none.
    public var lastError: String?
}
