internal import BarcodeCore
internal import FoundationEssentials
internal import GRDB
internal import Glibc
internal import ScanEvents
internal import Synchronization

/// Events that are on the disk before anyone hears that they are, and what became of each at each destination.
///
/// SQLite in WAL mode with `synchronous=FULL`, through one connection of one process: a second process that opens the
/// same outbox is refused. Safe to use from many tasks; changes that come at the same time share a commit.
public final class Outbox: Sendable {
    /// The path of the database.
    public let path: String

    let commits: CommitQueue
    let database: DatabaseQueue
    // Held until the outbox is let go of.
    private let lock: OutboxLock
    package let accepted: AcceptanceSignal
    let followers = FollowerList()
    package let damage = DamageList()
    /// How many transactions that were stored were not there when the outbox was opened: its write-ahead log was removed
    /// or cut off, or an older copy was put in its place.
    public let missingTransactions: Int

    /// Opens the outbox at a path; makes it where there is none.
    ///
    /// Events whose delivery was interrupted, by a crash perhaps, are due at once.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - mayCreate: whether an outbox that is not there is made.
    ///   - mayMakeFolder: whether its folder is made too; a path that somebody mistyped must not become folders.
    /// - Throws: ``OutboxError``, when another process has it, or it is damaged, unwritable, or of a newer version.
    public init(path: String, mayCreate: Bool = true, mayMakeFolder: Bool = false) throws(OutboxError) {
        if !mayCreate && access(path, F_OK) != 0 {
            guard errno == ENOENT else {
                throw OutboxError(
                    .cannotOpen, "the outbox \(path) cannot be opened: \(String(cString: strerror(errno)))")
            }
            throw OutboxError(.notFound, "there is no outbox at \(path) yet; \"scan-outbox add\" makes it")
        }
        if mayMakeFolder { try Self.makeFolder(of: path) }
        try Self.checkPlace(path)
        // SQLite would open it for reading, and fail later with less to say.
        if access(path, F_OK) == 0 && access(path, W_OK) != 0 {
            throw OutboxError(.readOnly, "the outbox \(path) cannot be written; check its permissions")
        }
        let lock = try OutboxLock(outbox: path)
        let isNew = access(path, F_OK) != 0
        if isNew {
            // What was scanned is nobody else's business: SQLite gives the files beside it the same permissions. Where
            // the file cannot be made, SQLite says why.
            let made = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if made >= 0 { Glibc.close(made) }
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
        accepted = AcceptanceSignal()
    }

    /// Stores events and a delivery for each of their destinations; they are on the disk when it returns.
    ///
    /// All of them are stored, or none.
    ///
    /// - Throws: ``OutboxError``; then none is stored.
    public func store(_ entries: [OutboxEntry]) async throws {
        if entries.isEmpty { return }
        try await change(isCounted: true) { try $0.store(entries) }
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

    /// Empties the write-ahead log into the database and closes the connection; nothing may be asked for afterwards.
    ///
    /// Without it nothing is lost: the next one to open the outbox does it.
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
            // Exclusive before WAL: the index of the log then lies in this process's memory, and no other connection
            // can open the file. SQLite before 3.51.3 can corrupt a log that two connections reset.
            try database.execute(sql: "PRAGMA locking_mode=EXCLUSIVE")
            let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode=WAL")
            try database.execute(sql: "PRAGMA synchronous=FULL")
            let synchronous = try Int.fetchOne(database, sql: "PRAGMA synchronous")
            guard mode == "wal", synchronous == 2 else {
                throw OutboxError(
                    .cannotOpen,
                    "the outbox cannot promise that what it stores stays stored: journal_mode is "
                        + "\(mode ?? "unknown") and not wal, or synchronous is \(synchronous ?? -1) and not 2")
            }
            // What is deleted is overwritten: a message may be somebody's.
            try database.execute(sql: "PRAGMA secure_delete=ON")
            // What the log keeps on the disk after it was emptied, and the memory for pages, in bytes and KiB.
            try database.execute(sql: "PRAGMA journal_size_limit=16777216")
            // Pages in the log before they are moved to the database: four times SQLite's own, because the same page
            // is then moved once for more commits.
            try database.execute(sql: "PRAGMA wal_autocheckpoint=4000")
            try database.execute(sql: "PRAGMA cache_size=-16384")
        }
        return configuration
    }

    /// Looks before anything is written beside it whether an outbox may be at a path.
    package static func checkPlace(_ path: String) throws(OutboxError) {
        let folder = folder(of: path)
        if access(folder, F_OK) != 0 {
            throw OutboxError(
                .cannotOpen,
                "the outbox \(path) cannot be made: there is no folder \(folder); create it, or correct the path")
        }
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        defer { Glibc.close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        if count < 0 && errno == EISDIR {
            throw OutboxError(.cannotOpen, "the outbox cannot be \(path), which is a folder; name a file")
        }
        // Every database of SQLite begins with these, once anything was stored.
        if count > 0 && bytes.prefix(count) != Array("SQLite format 3\0".utf8).prefix(count) {
            throw OutboxError.corrupt(path)
        }
    }

    private static func makeFolder(of path: String) throws(OutboxError) {
        let folder = folder(of: path)
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw OutboxError(
                .cannotOpen, "the folder \(folder) of the outbox cannot be made: \(SystemReason.words(for: error))")
        }
    }

    /// Makes the names of new files in the folder last, which a file's own fsync does not.
    private static func syncFolder(of path: String) throws {
        let descriptor = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { Glibc.close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw OutboxError(.inputOutput, "the folder of the outbox \(path) cannot be synced to the disk")
        }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
