internal import GRDB

/// How many transactions have stored events in an outbox: it stands in the database, and, a moment later, beside it.
///
/// SQLite takes a write-ahead log that ends early, or is not there, for one that never was longer. Where the count in the
/// database is behind the one beside it, transactions are missing that were on the disk.
struct TransactionCount: Sendable, Hashable {
    /// It begins anew after its largest value.
    var number: UInt32

    var next: TransactionCount { TransactionCount(number: number &+ 1) }

    /// How far this is behind another; 0 where it is not.
    func isBehind(_ other: TransactionCount) -> Int { max(0, Int(Int32(bitPattern: other.number &- number))) }

    /// Reads it from the database.
    init(from database: Database) throws {
        number = UInt32(bitPattern: try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0)
    }

    init(number: UInt32) {
        self.number = number
    }

    /// Writes it to the database, as a part of the transaction that is under way.
    func store(in database: Database) throws {
        try database.execute(sql: "PRAGMA user_version=\(Int32(bitPattern: number))")
    }
}
