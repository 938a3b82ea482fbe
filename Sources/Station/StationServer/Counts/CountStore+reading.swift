internal import FoundationEssentials
internal import GRDB
internal import ScanEvents
internal import ScanOutbox

/// A count, as read from the store.
struct CountRecord: Sendable {
    var number: Int64
    var name: String
    var openedAt: Date
    var closedAt: Date?
    /// The event that closed it.
    var event: String?
    /// The total quantity, and the number of different codes.
    var total: Int
    var codes: Int
    /// Indicates whether there is a step to undo.
    var canUndo: Bool
}

extension CountStore {
    /// Returns the newest counts, including the open one.
    func newest(_ limit: Int) async throws -> [CountRecord] {
        try await outbox.read { database in
            try Self.records("ORDER BY number DESC LIMIT ?", [limit], in: database)
        }
    }

    /// Returns a count; `nil` if there is none.
    func record(_ number: Int64) async throws -> CountRecord? {
        try await outbox.read { try Self.records("WHERE number = ?", [number], in: $0).first }
    }

    /// Returns the lines of a count, in the order in which their codes first came.
    func lines(of number: Int64) async throws -> [CountedLines.Line] {
        try await outbox.read { try Self.lines(of: number, in: $0) }
    }

    static func lines(of number: Int64, in database: Database) throws -> [CountedLines.Line] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT format, text, quantity FROM station_count_line WHERE count = ? AND quantity <> 0
                    ORDER BY first
                    """), arguments: [number]
        ).map { CountedLines.Line(format: try $0.value(0), text: try $0.value(1), quantity: try $0.value(2)) }
    }

    private static func records(
        _ condition: String, _ arguments: StatementArguments, in database: Database
    ) throws -> [CountRecord] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT number, name, opened_at, closed_at, event, total, codes,
                    closed_at IS NULL AND EXISTS (SELECT 1 FROM station_count_entry WHERE count = c.number)
                FROM station_count c \(condition)
                """, arguments: arguments
        ).map { row in
            CountRecord(
                number: try row.value(0), name: try row.value(1), openedAt: Date(milliseconds: try row.value(2)),
                closedAt: try row.value(3, as: Int64?.self).map { Date(milliseconds: $0) }, event: try row.value(4),
                total: try row.value(5), codes: try row.value(6), canUndo: try row.value(7))
        }
    }
}
