internal import FoundationEssentials

/// A file that was read: how it is told from every other, and what is to become of it.
///
/// It is stored with the file's events in one transaction, so that whoever starts again after a crash knows which
/// files are still to be read and which are only to be moved.
struct FileRecord: Sendable, Hashable {
    /// What is left to do with the file.
    enum State: Int, Sendable, Hashable {
        /// Its events are stored; it is still to be moved.
        case stored = 0
        /// Nothing.
        case closed = 1
        /// Nothing, and it stays where it is.
        case left = 2
    }

    /// The number of the row; nil for one that is not stored.
    var number: Int64?
    /// The folder that the file was found in, byte for byte.
    var folder: [UInt8]
    /// The path relative to the folder, byte for byte.
    var path: [UInt8]
    /// The SHA-256 of the content; empty where it could not be read.
    var hash: [UInt8]
    /// What told the file from others.
    var identity: FileIdentity
    /// When it was read.
    var time: Date
    /// What is left to do.
    var state: State = .stored
    /// What was found.
    var outcome: FileOutcome
    /// Where it is being put, as a path; nil until that is decided.
    var target: [UInt8]?
    /// What is written beside it; nil for nothing.
    var note: Data?
    /// Where a rule wants it; nil where none does.
    var filing: Filing?
    /// The parts that it is split into before it is moved; none where it is not.
    var parts: [DocumentPart] = []
}

/// What became of a file in the journal.
struct FileReceipt: Sendable, Hashable {
    /// The row of the file.
    var record: FileRecord
    /// The newest file before it with the same content, in which codes were read; nil where there is none.
    var original: FileRecord?
    /// Whether its events were stored; false for a duplicate that was not wanted.
    var isStored: Bool
}
