import GRDB
import ScanEvents
import TestSupport
import Testing

@testable import ScanOutbox

/// Tables of another module in the outbox's database.
@Suite struct TablesTests {
    private static let toy = OutboxTables(
        prefix: "toy",
        migrations: [
            { try $0.execute(sql: "CREATE TABLE toy (number INTEGER PRIMARY KEY)") },
            { try $0.execute(sql: "ALTER TABLE toy ADD COLUMN name TEXT") },
        ])

    private func count(_ outbox: Outbox) async throws -> Int? {
        try await outbox.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM toy WHERE name IS NULL") }
    }

    @Test func migrationsAreMadeOnce() async throws {
        let folder = try TemporaryFolder()
        let path = folder["outbox.sqlite"]
        let first = OutboxTables(prefix: "toy", migrations: [Self.toy.migrations[0]])
        do {
            let outbox = try Outbox(path: path)
            try outbox.prepare(first)
            try await outbox.change { try $0.database.execute(sql: "INSERT INTO toy VALUES (1)") }
            for _ in 0..<2 {
                try outbox.prepare(Self.toy)
                #expect(try await count(outbox) == 1)
            }
            // An older version reports the newer schema; it ignores the tables of other modules.
            let error = #expect(throws: OutboxError.self) { try outbox.prepare(first) }
            #expect(error?.code == .newerSchema)
            try outbox.prepare(OutboxTables(prefix: "to", migrations: []))
            try outbox.close()
        }
        // The outbox itself ignores them too.
        #expect(try await count(Outbox(path: path)) == 1)
    }

    /// Rows and events are committed together or not at all.
    @Test func rowsAndEventsAreOneTransaction() async throws {
        let test = try TestOutbox()
        try test.outbox.prepare(Self.toy)
        let entry = try OutboxEntry(.test(), for: [])
        let intake = ScanIntake(outbox: test.outbox, station: "test", destinations: [])
        let submission = ScanSubmission(symbols: [ScanEvent.test().symbol], source: .init(kind: .folder))
        let stored = try await intake.accept(submission) { transaction, entries in
            try transaction.database.execute(sql: "INSERT INTO toy VALUES (7, NULL)")
            try transaction.store(entries + [entry])
            return entries.count
        }
        #expect(stored == 1)
        await #expect(throws: OutboxError.self) {
            try await test.outbox.change { transaction in
                try transaction.database.execute(sql: "INSERT INTO toy VALUES (8, NULL)")
                try transaction.store([entry])
            }
        }
        #expect(try await count(test.outbox) == 1)
        #expect(try await test.outbox.status().events == 2)
    }
}
