package import GRDB

/// Tables that another module keeps in the outbox's database, so that its rows and events are stored together or not at
/// all.
package struct OutboxTables: Sendable {
    /// What tells its migrations from those of others.
    package let prefix: String
    /// What makes and changes the tables, the oldest first; a change that was released is never changed again.
    package let migrations: [@Sendable (Database) throws -> Void]

    /// The tables of a module.
    package init(prefix: String, migrations: [@Sendable (Database) throws -> Void]) {
        self.prefix = prefix
        self.migrations = migrations
    }

    fileprivate var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (number, migration) in migrations.enumerated() {
            // Rows of others are not looked at once more.
            migrator.registerMigration("\(prefix).\(number + 1)", foreignKeyChecks: .immediate, migrate: migration)
        }
        return migrator
    }
}

extension Outbox {
    /// Makes the tables of another module, or brings them up to date; blocks until they are on the disk.
    ///
    /// - Throws: ``OutboxError``, also when a newer version of the module has changed them.
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

    /// Reads tables of another module.
    package func read<Value: Sendable>(
        _ query: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await commits.read(query)
    }

    /// Changes tables of another module and stores events in one transaction; both are on the disk when it returns, or
    /// neither.
    ///
    /// The change may run twice, and so changes the database alone.
    ///
    /// - Throws: ``OutboxError``; then nothing is changed.
    package func change<Value: Sendable>(
        _ change: @escaping @Sendable (inout OutboxTransaction) throws -> Value
    ) async throws -> Value {
        try await self.change(isCounted: false, change)
    }

    /// The same, where the events must be missed when they are lost: those that were acknowledged.
    package func change<Value: Sendable>(
        isCounted: Bool, _ change: @escaping @Sendable (inout OutboxTransaction) throws -> Value
    ) async throws -> Value {
        let (value, stored) = try await commits.commit(isCounted: isCounted) { database in
            var transaction = OutboxTransaction(database: database)
            let value = try change(&transaction)
            return (value, transaction.stored)
        }
        if stored > 0 {
            accepted.signal()
            followers.committed()
        }
        return value
    }

    /// Notes a row of another module's table that cannot be read and is left out.
    package func noteDamage(_ table: String, _ number: Int64?, _ error: any Error) { damage.note(table, number, error) }
}

/// One transaction of the outbox.
package struct OutboxTransaction {
    /// The database, for the tables of another module.
    package let database: Database
    /// How many events it stores.
    fileprivate(set) var stored = 0

    init(database: Database) {
        self.database = database
    }

    /// Stores events and a delivery for each of their destinations.
    package mutating func store(_ entries: [OutboxEntry]) throws {
        for entry in entries { try Outbox.insert(entry, into: database) }
        stored += entries.count
    }
}
