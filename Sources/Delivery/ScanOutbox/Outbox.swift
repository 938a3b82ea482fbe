internal import BarcodeCore
internal import FoundationEssentials
internal import GRDB
internal import Glibc
public import ScanEvents
internal import Synchronization

/// A durable queue of events: it stores them on the disk before it acknowledges them, and tracks their delivery to
/// each destination.
///
/// SQLite in WAL mode with `synchronous=FULL`, through one connection of one process. A second process cannot open
/// the same outbox. Safe to use from many tasks; concurrent changes share a commit.
///
/// ```swift
/// let outbox = try Outbox(path: "outbox.sqlite")
/// ```
public final class Outbox: Sendable {
    /// The path of the database.
    public let path: String

    let commits: CommitQueue
    let database: DatabaseQueue
    // Held until the outbox is deallocated.
    private let lock: OutboxLock
    let parts: MessageParts?
    package let accepted: AcceptanceSignal
    let followers = FollowerList()
    package let damage = DamageList()
    /// The number of stored transactions that were missing when the outbox was opened.
    ///
    /// Its write-ahead log was removed or truncated, or the file was replaced by an older copy.
    public let missingTransactions: Int

    /// Opens the outbox at a path, or creates it.
    ///
    /// Events whose delivery was interrupted, such as by a crash, are due at once.
    ///
    /// - Parameters:
    ///   - path: the path of the database file.
    ///   - mayCreate: true to create a missing outbox.
    ///   - mayMakeFolder: true to create its folder too; for a path from a user use false, as a typo must not create
    ///     folders.
    ///   - joining: joins the symbols of a message that is spread over several, whatever pictures they come from, so that
    ///     the whole message is stored as an event too; `nil` to store their own events only.
    /// - Throws: ``OutboxError`` if another process has it open, or if it is damaged, unwritable or of a newer
    ///   version.
    public init(
        path: String, mayCreate: Bool = true, mayMakeFolder: Bool = false, joining: MessageJoiner? = nil
    ) throws(OutboxError) {
        if !mayCreate && access(path, F_OK) != 0 {
            guard errno == ENOENT else {
                throw OutboxError(
                    .cannotOpen, "the outbox \(path) cannot be opened: \(String(cString: strerror(errno)))")
            }
            throw OutboxError(.notFound, "there is no outbox at \(path) yet; \"scan-outbox add\" creates it")
        }
        if mayMakeFolder { try Self.makeFolder(of: path) }
        try Self.checkPath(path)
        // SQLite would open it read-only and fail later with a less helpful error.
        if access(path, F_OK) == 0 && access(path, W_OK) != 0 {
            throw OutboxError(.readOnly, "the outbox \(path) cannot be written; check its permissions")
        }
        let lock = try OutboxLock(outbox: path)
        let isNew = access(path, F_OK) != 0
        if isNew {
            // Scans are private, and SQLite gives the files beside it the same permissions. If the file cannot be
            // created, SQLite reports the reason.
            let made = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if made >= 0 { Glibc.close(made) }
        } else {
            // As a backup that was restored may be.
            for file in [path, path + "-wal", path + "-shm"] { Self.keepFromOthers(file) }
        }
        do {
            let database = try DatabaseQueue(path: path, configuration: Self.configuration)
            try Self.prepareSchema(of: database, path: path)
            try database.write { try Self.reclaimLeases($0) }
            try Self.syncFolder(of: path)
            self.database = database
            let count = try database.read { try TransactionCount(from: $0) }
            missingTransactions = isNew ? 0 : lock.previousCount.map(count.isBehind) ?? 0
            commits = CommitQueue(database, path: path, files: try OutboxFiles(outbox: path), count: count) {
                lock.note($0)
            }
        } catch {
            throw OutboxError(error, path: path)
        }
        self.path = path
        self.lock = lock
        parts = joining.map(MessageParts.init)
        accepted = AcceptanceSignal()
    }

    /// Stores events and a delivery for each of their destinations, all or none.
    ///
    /// They are on the disk when it returns.
    ///
    /// - Returns: the events as they are stored.
    /// - Throws: ``OutboxError``; then none is stored.
    @discardableResult
    public func store(_ entries: [OutboxEntry]) async throws -> [ScanEvent] {
        if entries.isEmpty { return [] }
        return try await change(isCounted: true) { try $0.store(entries) }
    }

    static func insert(_ entry: OutboxEntry, into database: Database) throws {
        let event = entry.event
        let time = event.time.milliseconds
        try database.cachedStatement(
            sql: """
                INSERT INTO event (id, time, station, source, format, text, body, destinations, personal, operator, place)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                event.id.description, time, event.station, event.source.kind.rawValue, event.symbol.symbology.rawValue,
                Data(event.symbol.text.utf8), entry.body, entry.deliveries.count,
                (entry.isPersonal ? PersonalState.kept : .none).rawValue, event.operator, event.place,
            ])
        if entry.deliveries.isEmpty { return }
        let number = database.lastInsertedRowID
        for delivery in entry.deliveries {
            try database.cachedStatement(
                sql: """
                    INSERT INTO delivery (event, destination, state, next_attempt_at, time, media_type, body)
                    VALUES (?, ?, CASE WHEN EXISTS (SELECT 1 FROM disabled WHERE destination = ?) THEN 3 ELSE 0 END,
                        ?, ?, ?, ?)
                    """
            ).execute(
                arguments: [
                    number, delivery.destination, delivery.destination, entry.acceptedAt.milliseconds, time,
                    delivery.mediaType, delivery.body,
                ])
        }
    }

    /// Moves the write-ahead log to the database and closes the connection.
    ///
    /// The outbox cannot be used afterwards.
    ///
    /// Nothing is lost without it: the next process that opens the outbox does it.
    public func close() throws(OutboxError) {
        do {
            try commits.close()
        } catch {
            throw OutboxError(error, path: path)
        }
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "outbox"
        configuration.prepareDatabase { database in
            // Exclusive before WAL: the index of the log is then in this process's memory, and no other connection
            // can open the file. SQLite before 3.51.3 can corrupt a log that two connections reset.
            try database.execute(sql: "PRAGMA locking_mode=EXCLUSIVE")
            let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode=WAL")
            try database.execute(sql: "PRAGMA synchronous=FULL")
            let synchronous = try Int.fetchOne(database, sql: "PRAGMA synchronous")
            guard mode == "wal", synchronous == 2 else {
                throw OutboxError(
                    .cannotOpen,
                    "the outbox is not durable: journal_mode is "
                        + "\(mode ?? "unknown") instead of wal, or synchronous is \(synchronous ?? -1) instead of 2")
            }
            // Overwrite deleted data: a message may be personal.
            try database.execute(sql: "PRAGMA secure_delete=ON")
            // The size that the log keeps on the disk after a reset, in bytes; the page cache further below is in
            // KiB.
            try database.execute(sql: "PRAGMA journal_size_limit=16777216")
            // The number of pages in the log before a checkpoint: four times SQLite's default, because a page that
            // changes in several commits is then moved only once.
            try database.execute(sql: "PRAGMA wal_autocheckpoint=4000")
            try database.execute(sql: "PRAGMA cache_size=-16384")
        }
        return configuration
    }

    /// Checks if an outbox may be at a path, before any file is written beside it.
    package static func checkPath(_ path: String) throws(OutboxError) {
        let folder = folder(of: path)
        if access(folder, F_OK) != 0 {
            throw OutboxError(
                .cannotOpen,
                "the outbox \(path) cannot be created: there is no folder \(folder); create it, or correct the path")
        }
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        defer { Glibc.close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        if count < 0 && errno == EISDIR {
            throw OutboxError(.cannotOpen, "\(path) is a folder, not an outbox; give the path of a file")
        }
        // Every SQLite database begins with these bytes, once data was stored.
        if count > 0 && bytes.prefix(count) != Array("SQLite format 3\0".utf8).prefix(count) {
            throw OutboxError.corrupt(path)
        }
    }

    /// Removes the permissions of users who are neither the owner nor in the group of a file.
    private static func keepFromOthers(_ file: String) {
        var status = stat()
        guard stat(file, &status) == 0, status.st_mode & 0o007 != 0 else { return }
        // Only the owner can; another user of the outbox has no more rights than before.
        chmod(file, status.st_mode & 0o770)
    }

    private static func makeFolder(of path: String) throws(OutboxError) {
        let folder = folder(of: path)
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw OutboxError(
                .cannotOpen, "the folder \(folder) of the outbox cannot be created: \(SystemReason.words(for: error))")
        }
    }

    /// Syncs the folder so that new file names are durable, which the fsync of a file does not do.
    private static func syncFolder(of path: String) throws {
        let descriptor = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            // A folder may be writable and not readable; it cannot be synced then.
            if errno == EACCES { return }
            throw OutboxError(
                .cannotOpen,
                "the folder of the outbox \(path) cannot be opened: \(String(cString: strerror(errno)))")
        }
        defer { Glibc.close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw OutboxError(
                .inputOutput,
                "the folder of the outbox \(path) cannot be synced to the disk: \(String(cString: strerror(errno)))")
        }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
