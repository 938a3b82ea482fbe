package import GRDB
package import ScanEvents

/// The tables of another module in the outbox's database, so that its rows and the events are stored atomically.
package struct OutboxTables: Sendable {
    /// The prefix that distinguishes its migrations from others.
    package let prefix: String
    /// The migrations that create and change the tables, oldest first.
    ///
    /// A released migration must never change.
    package let migrations: [@Sendable (Database) throws -> Void]

    /// Creates a description of a module's tables.
    package init(prefix: String, migrations: [@Sendable (Database) throws -> Void]) {
        self.prefix = prefix
        self.migrations = migrations
    }

    fileprivate var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (number, migration) in migrations.enumerated() {
            // Do not check the rows of other tables again.
            migrator.registerMigration("\(prefix).\(number + 1)", foreignKeyChecks: .immediate, migrate: migration)
        }
        return migrator
    }
}

extension Outbox {
    /// Creates or migrates the tables of another module.
    ///
    /// Blocks until the change is on the disk.
    ///
    /// - Throws: ``OutboxError``, also if a newer version of the module has changed the tables.
    package func prepare(_ tables: OutboxTables) throws(OutboxError) {
        do {
            let migrator = tables.migrator
            let applied = try database.read { try migrator.appliedIdentifiers($0) }
            if applied.contains(where: { $0.hasPrefix(tables.prefix + ".") && !migrator.migrations.contains($0) }) {
                throw Self.newerSchema(path)
            }
            try migrator.migrate(database)
        } catch {
            throw OutboxError(error, path: path)
        }
    }

    /// Runs a query on the tables of another module.
    package func read<Value: Sendable>(
        _ query: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await commits.read(query)
    }

    /// Changes the tables of another module and stores events in one transaction, which is on the disk when it
    /// returns.
    ///
    /// The closure may run twice, so it must have no effect outside the database.
    ///
    /// - Throws: ``OutboxError``; then nothing is changed.
    package func change<Value: Sendable>(
        _ change: @escaping @Sendable (inout OutboxTransaction) throws -> Value
    ) async throws -> Value {
        try await self.change(isCounted: false, change)
    }

    /// Does the same, and counts the transaction if the loss of its events must be detected because they were
    /// acknowledged.
    package func change<Value: Sendable>(
        isCounted: Bool, _ change: @escaping @Sendable (inout OutboxTransaction) throws -> Value
    ) async throws -> Value {
        let (value, stored) = try await commits.commit(isCounted: isCounted) { [parts] database in
            var transaction = OutboxTransaction(database: database, parts: parts)
            let value = try change(&transaction)
            return (value, transaction.stored)
        }
        if stored > 0 {
            accepted.signal()
            followers.committed()
        }
        return value
    }

    /// Records an unreadable row of another module's table, which is skipped.
    package func noteDamage(_ table: String, _ number: Int64?, _ error: any Error) { damage.note(table, number, error) }
}

/// A transaction of the outbox.
package struct OutboxTransaction {
    /// The database, for the tables of another module.
    package let database: Database
    /// The number of events that it stores.
    fileprivate(set) var stored = 0
    /// The events of messages that were spread over several symbols and of which it stored the last one.
    package private(set) var completed: [ScanEvent] = []
    private let parts: MessageParts?

    init(database: Database, parts: MessageParts?) {
        self.database = database
        self.parts = parts
    }

    /// Stores events and a delivery for each of their destinations, and those of the messages that they complete.
    ///
    /// - Returns: the events, in order, without those of ``completed`` messages.
    @discardableResult
    package mutating func store(_ entries: [OutboxEntry]) throws -> [ScanEvent] {
        let (noted, joined) = try parts?.note(entries, in: database) ?? (entries, [])
        for entry in noted + joined { try Outbox.insert(entry, into: database) }
        stored += noted.count + joined.count
        completed += joined.map(\.event)
        return noted.map(\.event)
    }
}
