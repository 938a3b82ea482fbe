internal import GRDB

/// An error of the outbox.
///
/// The data to be stored has not been stored.
public struct OutboxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; more may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// A short name in lower case.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Another process has the outbox open.
        public static let inUse = Code(rawValue: "in_use")
        /// The file or its folder cannot be opened or created.
        public static let cannotOpen = Code(rawValue: "cannot_open")
        /// The file or its folder cannot be written.
        public static let readOnly = Code(rawValue: "read_only")
        /// The file is damaged or is not a database.
        public static let corrupt = Code(rawValue: "corrupt")
        /// The file is a database of another program.
        public static let notAnOutbox = Code(rawValue: "not_an_outbox")
        /// The file was written by a newer version of this program.
        public static let newerSchema = Code(rawValue: "newer_schema")
        /// The file was deleted, moved or replaced while it was open.
        public static let moved = Code(rawValue: "moved")
        /// The disk is full.
        public static let diskFull = Code(rawValue: "disk_full")
        /// The disk failed.
        public static let inputOutput = Code(rawValue: "io_error")
        /// There is no event with that identifier.
        public static let notFound = Code(rawValue: "not_found")
        /// The message of the event was personal and has been removed.
        public static let withheld = Code(rawValue: "withheld")
        /// An event with that identifier exists already.
        public static let duplicate = Code(rawValue: "duplicate")
        /// Any other database error.
        public static let database = Code(rawValue: "database")
    }

    /// The kind of failure.
    public let code: Code
    /// The kinds that waiting does not fix, unlike a full disk.
    package static let lasting: Set<Code> = [.corrupt, .database, .duplicate, .moved]

    /// A sentence for people: the failure, the file, and the remedy.
    public let description: String

    /// The failure of SQLite; `nil` if the cause is another.
    public private(set) var cause: DatabaseFailure?

    /// A failure of SQLite.
    public struct DatabaseFailure: Sendable, Hashable {
        /// The extended result code, such as 522 for `SQLITE_IOERR_SHORT_READ`.
        public let code: Int32
        /// The message; `nil` if there is none.
        public let message: String?
    }

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// The file at `path` is damaged or is not a database.
    static func corrupt(_ path: String) -> OutboxError {
        OutboxError(
            .corrupt,
            "the outbox \(path) is damaged or not a database; move it away, and see \"A damaged file\" in "
                + "docs/how-to/deliver.md")
    }

    /// Creates the error of the outbox at `path` for an error of SQLite.
    init(_ error: any Error, path: String) {
        if let error = error as? OutboxError {
            self = error
            return
        }
        if error is RowDecodingError {
            self = .corrupt(path)
            return
        }
        guard let error = error as? DatabaseError else {
            self.init(.database, "the outbox \(path) failed: \(error)")
            return
        }
        switch error.resultCode {
        case .SQLITE_FULL:
            self.init(.diskFull, "not saved: the disk that holds the outbox \(path) is full; free some space")
        case .SQLITE_READONLY:
            self.init(.readOnly, "not saved: the outbox \(path) cannot be written; check its permissions")
        case .SQLITE_IOERR:
            self.init(
                .inputOutput,
                "not saved: reading or writing the outbox \(path) failed (\(error.extendedResultCode)); "
                    + "check the disk and its free space")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .corrupt(path)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(.inUse, "the outbox \(path) is in use by another process")
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
            self.init(.cannotOpen, "the outbox \(path) cannot be opened; check its permissions and its folder's")
        case .SQLITE_CONSTRAINT
        where error.extendedResultCode != .SQLITE_CONSTRAINT_UNIQUE
            && error.extendedResultCode != .SQLITE_CONSTRAINT_PRIMARYKEY
            && error.extendedResultCode != .SQLITE_CONSTRAINT_ROWID:
            // The outbox never stores a value that its column does not allow, so the file is damaged.
            self = .corrupt(path)
        case .SQLITE_CONSTRAINT:
            self.init(.duplicate, "not saved: the outbox \(path) already has an event with this identifier")
        default:
            self.init(.database, "the outbox \(path) failed: \(error.resultCode) \(error.message ?? "")")
        }
        cause = DatabaseFailure(code: error.extendedResultCode.rawValue, message: error.message)
    }
}
