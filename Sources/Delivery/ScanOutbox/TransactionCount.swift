internal import GRDB

/// The number of transactions that have stored events in an outbox, kept in the database and, slightly later,
/// beside it.
///
/// SQLite accepts a truncated or missing write-ahead log as if it had never been longer. If the count in the
/// database is behind the one beside it, transactions that were on the disk are missing.
struct TransactionCount: Sendable, Hashable {
    /// Wraps around after the largest value.
    var number: UInt32

    var next: TransactionCount { TransactionCount(number: number &+ 1) }

    /// The number of transactions by which this is behind another; 0 if it is not.
    func isBehind(_ other: TransactionCount) -> Int { max(0, Int(Int32(bitPattern: other.number &- number))) }

    /// Reads it from the database.
    init(from database: Database) throws {
        number = UInt32(bitPattern: try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0)
    }

    init(number: UInt32) {
        self.number = number
    }

    /// Writes it to the database as part of the current transaction.
    func store(in database: Database) throws {
        try database.execute(sql: "PRAGMA user_version=\(Int32(bitPattern: number))")
    }
}
