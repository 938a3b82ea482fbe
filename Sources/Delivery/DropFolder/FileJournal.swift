internal import FoundationEssentials
internal import GRDB
internal import ScanEvents
internal import ScanOutbox

/// The journal of processed files, in a table of the outbox's database.
///
/// The row of a file and its events are stored atomically.
struct FileJournal: Sendable {
    private static let table = "intake"
    /// The number of rows deleted in one transaction.
    private static let rowsAtOnce = 1000

    /// The table.
    ///
    /// Earlier versions of the outbox created it; an existing table keeps its rows.
    private static let tables = OutboxTables(
        prefix: "drop_folder",
        migrations: [
            { database in
                try database.execute(
                    sql: """
                        -- One row a file that was read. State: 0 its events are stored and it is still to be moved,
                        -- 1 nothing is left to do, 2 it stays where it is. Paths are blobs: they need not be UTF-8.
                        CREATE TABLE IF NOT EXISTS intake (
                            number INTEGER PRIMARY KEY,
                            folder BLOB NOT NULL,
                            path BLOB NOT NULL,
                            hash BLOB NOT NULL,
                            device INTEGER NOT NULL,
                            inode INTEGER NOT NULL,
                            size INTEGER NOT NULL,
                            modified INTEGER NOT NULL,
                            time INTEGER NOT NULL,
                            state INTEGER NOT NULL,
                            verdict TEXT NOT NULL,
                            target BLOB,
                            note BLOB
                        ) STRICT;
                        CREATE INDEX IF NOT EXISTS intake_hash ON intake (hash);
                        CREATE INDEX IF NOT EXISTS intake_open ON intake (folder, state) WHERE state <> 1;
                        CREATE INDEX IF NOT EXISTS intake_closed ON intake (time) WHERE state = 1;
                        """)
            },
            { database in
                try database.execute(
                    sql: """
                        -- Where a rule wants the file: the folder below done/, and the name; NULL for the usual ones.
                        ALTER TABLE intake ADD COLUMN filed_folder BLOB;
                        ALTER TABLE intake ADD COLUMN filed_name BLOB;
                        """)
            },
            { database in
                try database.execute(
                    sql: """
                        -- The parts that a file is split into, until it is closed.
                        CREATE TABLE intake_part (
                            file INTEGER NOT NULL REFERENCES intake (number) ON DELETE CASCADE,
                            place INTEGER NOT NULL,
                            first_page INTEGER NOT NULL,
                            last_page INTEGER NOT NULL,
                            filed_folder BLOB,
                            filed_name BLOB,
                            target BLOB,
                            hash BLOB,
                            PRIMARY KEY (file, place)
                        ) STRICT, WITHOUT ROWID;
                        """)
            },
            { database in
                // The creation time of the file, in nanoseconds since 1970; 0 if unknown.
                try database.execute(sql: "ALTER TABLE intake ADD COLUMN born INTEGER NOT NULL DEFAULT 0")
            },
        ])

    let outbox: Outbox

    /// Creates the journal of an outbox.
    ///
    /// Call ``prepare()`` before anything else.
    init(_ outbox: Outbox) {
        self.outbox = outbox
    }

    /// Creates the table if it does not exist.
    ///
    /// - Throws: ``OutboxError``.
    func prepare() async throws {
        let outbox = outbox
        try await Blocking.run { try outbox.prepare(Self.tables) }
    }

    /// Records a file and stores its events, unless they are not wanted.
    ///
    /// A file that was renamed between reading and moving is recorded, but its events are not stored again.
    ///
    /// - Parameters:
    ///   - duplicates: the treatment of a content that was read from the same folder before.
    ///   - isUnread: true if the file was not read because its content was known. It is an error if the content has
    ///     become unknown since.
    func enter(
        _ record: FileRecord, _ entries: [OutboxEntry], duplicates: DuplicatePolicy, isUnread: Bool,
        in transaction: inout OutboxTransaction
    ) throws -> FileReceipt {
        let known = try renamed(record, transaction.database)
        let original = try known ?? self.original(record.hash, record.folder, transaction.database)
        if isUnread && original == nil {
            throw OutboxError(.notFound, "the outbox \(outbox.path) no longer has a file with this content")
        }
        let isStored = known == nil && !isUnread && (duplicates == .again || original == nil)
        let events = isStored ? try transaction.store(entries) : []
        var record = record
        if !isStored, let original {
            record.outcome = original.outcome
            record.filing = original.filing
            // The parts of the very same file are still to be moved; those of another file exist already.
            record.parts = known == nil ? [] : try Self.parts(of: original, transaction.database)
        }
        try Self.insert(&record, into: transaction.database)
        return FileReceipt(
            record: record, original: original, isStored: isStored,
            incomplete: events.map(\.symbol).filter { $0.structuredAppend?.missing?.isEmpty == false })
    }

    /// The newest file with a content that held codes; `nil` if there is none.
    func original(hash: [UInt8], folder: [UInt8]) async throws -> FileRecord? {
        try await outbox.read { try self.original(hash, folder, $0) }
    }

    /// The files of a folder that need further work, and those that stay in place.
    func open(folder: [UInt8]) async throws -> [FileRecord] {
        try await outbox.read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM intake WHERE folder = ? AND state <> 1 ORDER BY number",
                arguments: [Data(folder)]
            ).compactMap(self.record).map { record in
                var record = record
                record.parts = try Self.parts(of: record, database)
                return record
            }
        }
    }

    /// Records the target paths of a file's parts before they are written.
    func setParts(_ parts: [DocumentPart], of number: Int64) async throws {
        try await outbox.change { transaction in try Self.insert(parts, of: number, into: transaction.database) }
    }

    private static func insert(_ parts: [DocumentPart], of number: Int64, into database: Database) throws {
        for (place, part) in parts.enumerated() {
            try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO intake_part VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
            ).execute(
                arguments: [
                    number, place, part.pages.lowerBound, part.pages.upperBound, part.filing?.folder.map { Data($0) },
                    part.filing?.name.map { Data($0) }, part.target.map { Data($0) }, part.hash.map { Data($0) },
                ])
        }
    }

    private static func parts(of record: FileRecord, _ database: Database) throws -> [DocumentPart] {
        try Row.fetchAll(
            database.cachedStatement(sql: "SELECT * FROM intake_part WHERE file = ? ORDER BY place"),
            arguments: [record.number]
        ).map { row in
            let (first, last): (Int, Int) = (try row.value("first_page"), try row.value("last_page"))
            guard 1 <= first, first <= last else {
                throw DamagedValue(reason: "the pages \(first) to \(last) are not valid")
            }
            return DocumentPart(
                pages: first...last, filing: try Filing(row),
                target: try row.value("target", as: Data?.self).map { [UInt8]($0) },
                hash: try row.value("hash", as: Data?.self).map { [UInt8]($0) })
        }
    }

    /// Records the target path of a file before it is moved.
    func setTarget(_ target: [UInt8], of number: Int64) async throws {
        try await outbox.change { transaction in
            try transaction.database.cachedStatement(sql: "UPDATE intake SET target = ? WHERE number = ?")
                .execute(arguments: [Data(target), number])
        }
    }

    /// Records that files need no further work, with their current paths.
    func close(_ closed: [(number: Int64, target: [UInt8]?)]) async throws {
        if closed.isEmpty { return }
        try await outbox.change { transaction in
            for (number, target) in closed {
                try transaction.database.cachedStatement(
                    sql: "UPDATE intake SET state = 1, target = ?, note = NULL WHERE number = ?"
                ).execute(arguments: [target.map { Data($0) }, number])
                try transaction.database.cachedStatement(sql: "DELETE FROM intake_part WHERE file = ?")
                    .execute(arguments: [number])
            }
        }
    }

    /// Deletes the rows of processed files beyond the age or the count.
    ///
    /// A deleted content is not recognized as a duplicate later.
    @discardableResult
    func prune(age: Duration?, count: Int?, now: Date = Date()) async throws -> Int {
        var total = 0
        while case let count = try await pruneSome(age: age, count: count, now: now), count > 0 { total += count }
        return total
    }

    private func pruneSome(age: Duration?, count: Int?, now: Date) async throws -> Int {
        try await outbox.change { transaction in
            let database = transaction.database
            // Of files with the same time, those recorded first are deleted first.
            var cutoff = (time: age.map { now.milliseconds - Int64($0 / .milliseconds(1)) } ?? .min, number: Int64.min)
            if let count {
                let newest = try Row.fetchOne(
                    database,
                    sql: """
                        SELECT time, number FROM intake WHERE state = 1 ORDER BY time DESC, number DESC
                        LIMIT 1 OFFSET ?
                        """, arguments: [count])
                if let newest {
                    let (time, number): (Int64, Int64) = (try newest.value(0), try newest.value(1))
                    if time >= cutoff.time { cutoff = (time, number &+ 1) }
                }
            }
            try database.execute(
                sql: """
                    DELETE FROM intake WHERE number IN (
                        SELECT number FROM intake WHERE state = 1 AND (time, number) < (?, ?) LIMIT ?)
                    """, arguments: [cutoff.time, cutoff.number, Self.rowsAtOnce])
            return database.changesCount
        }
    }

    private func original(_ hash: [UInt8], _ folder: [UInt8], _ database: Database) throws -> FileRecord? {
        if hash.isEmpty { return nil }
        return try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT * FROM intake WHERE hash = ? AND folder = ? AND verdict = 'done'
                    ORDER BY number DESC LIMIT 1
                    """),
            arguments: [Data(hash), Data(folder)]
        ).flatMap(record)
    }

    /// The row of the very same file under any name, if it has not been moved or deleted under that name.
    ///
    /// A file may be renamed after its events were stored, before it is moved or after a crash.
    private func renamed(_ record: FileRecord, _ database: Database) throws -> FileRecord? {
        if record.hash.isEmpty { return nil }
        return try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT * FROM intake WHERE hash = ? AND folder = ? AND device = ? AND inode = ? AND size = ?
                        AND modified = ? AND (born = ? OR born = 0 OR ? = 0)
                        AND (state = 0 OR state = 1 AND target IS NULL)
                    LIMIT 1
                    """),
            arguments: [
                Data(record.hash), Data(record.folder), Int64(bitPattern: record.identity.device),
                Int64(bitPattern: record.identity.inode), record.identity.size, record.identity.modified,
                record.identity.born, record.identity.born,
            ]
        ).flatMap(self.record)
    }

    private static func insert(_ record: inout FileRecord, into database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO intake (folder, path, hash, device, inode, size, modified, born, time, state, verdict,
                    target, note, filed_folder, filed_name)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                Data(record.folder), Data(record.path), Data(record.hash),
                Int64(bitPattern: record.identity.device), Int64(bitPattern: record.identity.inode),
                record.identity.size, record.identity.modified, record.identity.born, record.time.milliseconds,
                record.state.rawValue, record.outcome.rawValue, record.target.map { Data($0) }, record.note,
                record.filing?.folder.map { Data($0) }, record.filing?.name.map { Data($0) },
            ])
        let number = database.lastInsertedRowID
        record.number = number
        try insert(record.parts, of: number, into: database)
    }

    /// The file of a row; `nil` if the row is damaged, which is recorded.
    private func record(_ row: Row) -> FileRecord? {
        do {
            return try FileRecord(row)
        } catch {
            outbox.noteDamage(Self.table, try? row.value("number", as: Int64.self), error)
            return nil
        }
    }
}

extension FileRecord {
    fileprivate init(_ row: Row) throws {
        let number: Int = try row.value("state")
        guard let state = State(rawValue: number) else {
            throw DamagedValue(reason: "the state \(number) is not valid")
        }
        let identity = FileIdentity(
            device: UInt64(bitPattern: try row.value("device", as: Int64.self)),
            inode: UInt64(bitPattern: try row.value("inode", as: Int64.self)), size: try row.value("size"),
            modified: try row.value("modified"), born: try row.value("born"))
        self.init(
            number: try row.value("number", as: Int64.self),
            folder: [UInt8](try row.value("folder", as: Data.self)),
            path: [UInt8](try row.value("path", as: Data.self)),
            hash: [UInt8](try row.value("hash", as: Data.self)), identity: identity,
            time: Date(milliseconds: try row.value("time")), state: state,
            outcome: FileOutcome(rawValue: try row.value("verdict")) ?? .failed,
            target: try row.value("target", as: Data?.self).map { [UInt8]($0) }, note: try row.value("note"),
            filing: try Filing(row))
    }
}

extension Filing {
    /// The filing in a row; `nil` if it has none.
    fileprivate init?(_ row: Row) throws {
        folder = try row.value("filed_folder", as: Data?.self).map { [UInt8]($0) }
        name = try row.value("filed_name", as: Data?.self).map { [UInt8]($0) }
        if folder == nil && name == nil { return nil }
    }
}
