public import FoundationEssentials
internal import GRDB
internal import ScanEvents

extension Outbox {
    /// Stores events and the file that they were read in; both are on the disk when it returns, or neither.
    ///
    /// A file that was taken in and then renamed before it was put away is noted, and its events are not stored again.
    ///
    /// - Parameter duplicates: what is done for a content that was taken in from the same folder before.
    /// - Throws: ``OutboxError``; then nothing is stored.
    public func store(
        _ entries: [OutboxEntry], from record: IntakeRecord, duplicates: DuplicateHandling = .store
    ) async throws -> IntakeReceipt {
        let path = path
        let receipt = try await commits.commit(isCounted: true) { database in
            let known = try self.renamed(record, database)
            let original = try known ?? self.intake(of: record.hash, in: record.folder, database)
            if duplicates == .require && original == nil {
                throw OutboxError(.notFound, "the outbox \(path) knows of no file of that content any more")
            }
            let isStored = known == nil && (duplicates == .store || original == nil)
            if isStored {
                for entry in entries { try Self.insert(entry, into: database) }
            }
            var record = record
            record.verdict = isStored ? record.verdict : original?.verdict ?? record.verdict
            try Self.insert(&record, into: database)
            return IntakeReceipt(record: record, original: original, isStored: isStored)
        }
        if receipt.isStored && !entries.isEmpty { accepted.signal() }
        return receipt
    }

    /// The newest file of a content in which codes were read, the verdict `done`; nil where there is none.
    public func intake(hash: [UInt8], folder: [UInt8]) async throws -> IntakeRecord? {
        try await commits.read { try self.intake(of: hash, in: folder, $0) }
    }

    /// The files of a folder with which something is left to do, and those that stay where they are.
    public func openIntakes(folder: [UInt8]) async throws -> [IntakeRecord] {
        try await commits.read { [damage] database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM intake WHERE folder = ? AND state <> 1 ORDER BY number",
                arguments: [Data(folder)]
            ).compactMap { IntakeRecord($0, damage) }
        }
    }

    /// Notes where a file is being put, before it is.
    public func setTarget(_ target: [UInt8], ofIntake number: Int64) async throws {
        try await commits.commit { database in
            try database.cachedStatement(sql: "UPDATE intake SET target = ? WHERE number = ?")
                .execute(arguments: [Data(target), number])
        }
    }

    /// Notes that nothing is left to do with files, and where they are now.
    public func closeIntakes(_ closed: [(number: Int64, target: [UInt8]?)]) async throws {
        if closed.isEmpty { return }
        try await commits.commit { database in
            for (number, target) in closed {
                try database.cachedStatement(
                    sql: "UPDATE intake SET state = 1, target = ?, note = NULL WHERE number = ?"
                ).execute(arguments: [target.map { Data($0) }, number])
            }
        }
    }

    /// Forgets files with which nothing is left to do: those older, or more, than is kept.
    ///
    /// A content that is forgotten is no duplicate when it comes again.
    @discardableResult
    public func pruneIntakes(_ retention: Retention, now: Date = Date()) async throws -> Int {
        var total = 0
        while case let count = try await pruneSomeIntakes(retention, now: now), count > 0 { total += count }
        return total
    }

    private func pruneSomeIntakes(_ retention: Retention, now: Date) async throws -> Int {
        try await commits.commit { database in
            var cutoff = retention.age.map { now.milliseconds - $0.milliseconds } ?? .min
            if let count = retention.count {
                let newest = try Int64.fetchOne(
                    database,
                    sql: "SELECT time FROM intake WHERE state = 1 ORDER BY time DESC LIMIT 1 OFFSET ?",
                    arguments: [count])
                if let newest { cutoff = max(cutoff, newest &+ 1) }
            }
            try database.execute(
                sql: """
                    DELETE FROM intake WHERE number IN (
                        SELECT number FROM intake WHERE state = 1 AND time < ? LIMIT ?)
                    """, arguments: [cutoff, Self.rowsAtOnce])
            return database.changesCount
        }
    }

    private func intake(
        of hash: [UInt8], in folder: [UInt8], _ database: Database
    ) throws -> IntakeRecord? {
        if hash.isEmpty { return nil }
        return try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT * FROM intake WHERE hash = ? AND folder = ? AND verdict = 'done'
                    ORDER BY number DESC LIMIT 1
                    """),
            arguments: [Data(hash), Data(folder)]
        ).flatMap { IntakeRecord($0, damage) }
    }

    /// The row of the very same file under whatever name, which has not been put away under that one.
    ///
    /// Somebody may rename a file after its events were stored, while it is about to be moved or after a crash.
    private func renamed(_ record: IntakeRecord, _ database: Database) throws -> IntakeRecord? {
        if record.hash.isEmpty { return nil }
        return try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT * FROM intake WHERE hash = ? AND folder = ? AND device = ? AND inode = ? AND size = ?
                        AND modified = ? AND (state = 0 OR state = 1 AND target IS NULL)
                    LIMIT 1
                    """),
            arguments: [
                Data(record.hash), Data(record.folder), Int64(bitPattern: record.device),
                Int64(bitPattern: record.inode), record.size, record.modified,
            ]
        ).flatMap { IntakeRecord($0, damage) }
    }

    private static func insert(_ record: inout IntakeRecord, into database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO intake (folder, path, hash, device, inode, size, modified, time, state, verdict, target, note)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                Data(record.folder), Data(record.path), Data(record.hash), Int64(bitPattern: record.device),
                Int64(bitPattern: record.inode), record.size, record.modified, record.time.milliseconds,
                record.state.rawValue, record.verdict, record.target.map { Data($0) }, record.note,
            ])
        record.number = database.lastInsertedRowID
    }
}

extension IntakeRecord {
    /// The file of a row; nil where it is damaged, which is noted.
    fileprivate init?(_ row: Row, _ damage: DamageList) {
        do {
            try self.init(row)
        } catch {
            damage.note("intake", try? row.value("number", as: Int64.self), error)
            return nil
        }
    }

    private init(_ row: Row) throws {
        let number: Int = try row.value("state")
        guard let state = State(rawValue: number) else { throw DamagedValue(reason: "no state is \(number)") }
        self.init(
            folder: [UInt8](try row.value("folder", as: Data.self)),
            path: [UInt8](try row.value("path", as: Data.self)),
            hash: [UInt8](try row.value("hash", as: Data.self)),
            device: UInt64(bitPattern: try row.value("device", as: Int64.self)),
            inode: UInt64(bitPattern: try row.value("inode", as: Int64.self)), size: try row.value("size"),
            modified: try row.value("modified"), time: Date(milliseconds: try row.value("time")), state: state,
            verdict: try row.value("verdict"), note: try row.value("note"))
        self.number = try row.value("number", as: Int64.self)
        target = try row.value("target", as: Data?.self).map { [UInt8]($0) }
    }
}
