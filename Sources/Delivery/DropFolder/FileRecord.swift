internal import FoundationEssentials
internal import ScanEvents

/// A processed file: its identity, result and further treatment.
///
/// It is stored with the file's events in one transaction, so that after a crash it is known which files are to be
/// read and which only to be moved.
struct FileRecord: Sendable, Hashable {
    /// The remaining work on the file.
    enum State: Int, Sendable, Hashable {
        /// The events are stored; the file is still to be moved.
        case stored = 0
        /// No remaining work.
        case closed = 1
        /// No remaining work; the file stays in place.
        case left = 2
    }

    /// The row number; `nil` if it is not stored.
    var number: Int64?
    /// The folder in which the file was found, byte for byte.
    var folder: [UInt8]
    /// The path relative to the folder, byte for byte.
    var path: [UInt8]
    /// The SHA-256 of the content; empty if it could not be read.
    var hash: [UInt8]
    /// The metadata that identified the file.
    var identity: FileIdentity
    /// The time of reading.
    var time: Date
    /// The remaining work.
    var state: State = .stored
    /// The result.
    var outcome: FileOutcome
    /// The target path; `nil` until it is decided.
    var target: [UInt8]?
    /// The note to write beside it; `nil` for none.
    var note: Data?
    /// The location chosen by a rule; `nil` if none applies.
    var filing: Filing?
    /// The parts into which it is split before it is moved; empty if it is not split.
    var parts: [DocumentPart] = []
}

/// The result of recording a file in the journal.
struct FileReceipt: Sendable, Hashable {
    /// The row of the file.
    var record: FileRecord
    /// The newest earlier file with the same content that held codes; `nil` if there is none.
    var original: FileRecord?
    /// Indicates whether its events were stored; `false` for an unwanted duplicate.
    var isStored: Bool
    /// Its symbols of messages that are spread over several symbols, some of which have not been read.
    var incomplete: [ScannedSymbol] = []
}
