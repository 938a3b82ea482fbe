public import FoundationEssentials

/// A file that was taken in: how it is told from every other, and what is to become of it.
///
/// It is stored with the file's events in one transaction, so that whoever starts again after a crash knows which
/// files are still to be read and which are only to be put away.
public struct IntakeRecord: Sendable, Hashable {
    /// What is left to do with the file.
    public enum State: Int, Sendable, Hashable {
        /// Its events are stored; it is still to be put away.
        case stored = 0
        /// Nothing.
        case closed = 1
        /// Nothing, and it stays where it is.
        case left = 2
    }

    /// The number of the row; nil for one that is not stored.
    public internal(set) var number: Int64?
    /// The folder that the file was found in, byte for byte.
    public var folder: [UInt8]
    /// The path relative to the folder, byte for byte.
    public var path: [UInt8]
    /// The SHA-256 of the content; empty where it could not be read.
    public var hash: [UInt8]
    /// The number of the file system.
    public var device: UInt64
    /// The number of the file in its file system.
    public var inode: UInt64
    /// The length in bytes.
    public var size: Int64
    /// When it was last written, in nanoseconds since 1970.
    public var modified: Int64
    /// When it was taken in.
    public var time: Date
    /// What is left to do.
    public var state: State
    /// What was found: `done` for codes, anything else for none.
    public var verdict: String
    /// Where it is being put, as a path; nil until that is decided.
    public var target: [UInt8]?
    /// What is written beside it; nil for nothing.
    public var note: Data?

    /// A file that is not stored yet.
    public init(
        folder: [UInt8], path: [UInt8], hash: [UInt8], device: UInt64, inode: UInt64, size: Int64, modified: Int64,
        time: Date, state: State = .stored, verdict: String, note: Data? = nil
    ) {
        self.folder = folder
        self.path = path
        self.hash = hash
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
        self.time = time
        self.state = state
        self.verdict = verdict
        self.note = note
    }
}

/// What is done with a file whose content was taken in from the same folder before.
public enum DuplicateHandling: Sendable, Hashable {
    /// Its events are stored like any other's.
    case store
    /// It is noted, and its events are not stored.
    case skip
    /// The same, and a file whose content is new is an error: nobody has read it.
    case require
}

/// What became of a file that was handed in.
public struct IntakeReceipt: Sendable, Hashable {
    /// The row of the file.
    public var record: IntakeRecord
    /// The newest file before it with the same content, in which codes were read; nil where there is none.
    public var original: IntakeRecord?
    /// Whether its events were stored; false for a duplicate that was not wanted.
    public var isStored: Bool
}
