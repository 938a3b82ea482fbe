import BarcodeCore
import FoundationEssentials
import GRDB
import ScanEvents
import TestSupport
import Testing

@testable import ScanOutbox

/// The outbox file of an older version: nothing is lost, and it becomes searchable.
@Suite(.timeLimit(.minutes(5))) struct MigrationTests {
    /// Creates the file of a program with schema 3: ten events, seven of them delivered to one destination and dead
    /// for another.
    private static func olderFile(at path: String) async throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/schema-3.sql")
        let sql = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        // The dump lists the tables alphabetically, deliveries before their events.
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let database = try DatabaseQueue(path: path, configuration: configuration)
        // The dump has its own transaction.
        try await database.writeWithoutTransaction { try $0.execute(sql: sql) }
        try database.close()
    }

    /// Returns all rows of the file, with the columns of schema 3.
    private static func rows(_ database: Database) throws -> [[[DatabaseValue]]] {
        let columns = "number, id, time, station, source, format, text, body, destinations, personal"
        let queries = [
            "SELECT \(columns) FROM event ORDER BY number", "SELECT * FROM delivery ORDER BY event, destination",
            "SELECT * FROM disabled", "SELECT * FROM paused",
        ]
        return try queries.map { try Row.fetchAll(database, sql: $0).map { Array($0.databaseValues) } }
    }

    private static func found(_ outbox: Outbox, _ change: (inout HistoryQuery) -> Void) async throws -> [String] {
        var query = HistoryQuery()
        change(&query)
        return try await outbox.history(query).map { $0.event.symbol.text }
    }

    @Test func nothingIsLost() async throws {
        let folder = try TemporaryFolder()
        let path = folder["outbox.sqlite"]
        try await Self.olderFile(at: path)
        let raw = try DatabaseQueue(path: path)
        let before = try await raw.read { try Self.rows($0) }
        try raw.close()
        #expect(before.map(\.count) == [10, 20, 0, 0])

        let outbox = try Outbox(path: path)
        #expect(try await outbox.read { try Self.rows($0) } == before)
        #expect(try await outbox.verify() == [])
        let status = try await outbox.status()
        #expect(status.events == 10)
        #expect(status.destinations["his"]?.counts == [.pending: 3, .delivered: 7])
        #expect(status.destinations["lab"]?.counts == [.pending: 3, .dead: 7])

        // Pending events are delivered, and dead letters can be replayed.
        let claims = try await outbox.claim("his", limit: 9, now: Date(), lease: .seconds(9))
        let waiting = try claims.map { try $0.storedEvent().symbol.text }.sorted()
        #expect(waiting.map { String($0.prefix(8)) } == ["01095011", "01095011", "ORDER 条码"])
        #expect(try await outbox.replay(.state(.dead)) == 7)
    }

    @Test func itIsSearched() async throws {
        let folder = try TemporaryFolder()
        let path = folder["outbox.sqlite"]
        try await Self.olderFile(at: path)
        let outbox = try Outbox(path: path)
        #expect(try await Self.found(outbox) { $0.text = .containing("条码") } == ["ORDER 条码 0815"])
        #expect(try await Self.found(outbox) { $0.text = .containing("quietzone") }.count == 3)
        #expect(try await Self.found(outbox) { $0.text = .containing("Jane") } == [])
        #expect(
            try await Self.found(outbox) { ($0.text, $0.symbology) = (.containing("QUIETZONE"), .code128) }
                == ["Quietzone 128"])
        // New events are stored beside them.
        var event = ScanEvent.test("order 0816")
        (event.operator, event.place) = ("Anna", "ward-3")
        try await outbox.store([event], for: [])
        #expect(try await Self.found(outbox) { $0.text = .containing("order") } == ["order 0816", "ORDER 条码 0815"])
        #expect(
            try await Self.found(outbox) { ($0.text, $0.operator) = (.containing("order"), "Anna") } == ["order 0816"])
    }

    /// A program that is killed during the migration leaves the older file intact.
    @Test func oneThatIsCutOffBeginsAgain() async throws {
        let folder = try TemporaryFolder()
        let path = folder["outbox.sqlite"]
        try await Self.olderFile(at: path)
        let raw = try DatabaseQueue(path: path)
        let before = try await raw.read { try Self.rows($0) }
        // The second of the two migrations fails if a table with its name exists.
        try await raw.write { try $0.execute(sql: "CREATE TABLE event_terms (a)") }
        #expect(throws: (any Error).self) { try Outbox.prepareSchema(of: raw, path: path) }
        try await raw.write { try $0.execute(sql: "DROP TABLE event_terms") }
        try raw.close()
        let outbox = try Outbox(path: path)
        #expect(try await outbox.read { try Self.rows($0) } == before)
        #expect(try await Self.found(outbox) { $0.text = .containing("条码") }.count == 1)
    }
}
