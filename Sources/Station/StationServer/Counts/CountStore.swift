internal import BarcodeCore
internal import FoundationEssentials
internal import GRDB
internal import ScanEvents
internal import ScanOutbox
internal import Synchronization

/// Counts in tables of the outbox's database: a counted code is stored in the same transaction as its event.
final class CountStore: Sendable {
    /// The number of closed counts to keep.
    private static let maximumClosed = 200
    /// The maximum quantity of one code; a larger one is a mistake.
    static let maximumQuantity = 1_000_000

    private static let tables = OutboxTables(
        prefix: "station_count",
        migrations: [
            { database in
                try database.execute(
                    sql: """
                        -- One row a count, of which at most one is open; times are milliseconds since 1970. `total` and
                        -- `codes` are the sum of its lines, and how many of them are not 0.
                        CREATE TABLE station_count (
                            number INTEGER PRIMARY KEY AUTOINCREMENT,
                            name TEXT NOT NULL,
                            opened_at INTEGER NOT NULL,
                            closed_at INTEGER,
                            event TEXT,
                            total INTEGER NOT NULL DEFAULT 0,
                            codes INTEGER NOT NULL DEFAULT 0
                        ) STRICT;
                        -- One row for each code that was counted, so that the last can be taken back. The text of a
                        -- personal message is what kind it is.
                        CREATE TABLE station_count_entry (
                            number INTEGER PRIMARY KEY AUTOINCREMENT,
                            count INTEGER NOT NULL REFERENCES station_count (number) ON DELETE CASCADE,
                            format TEXT NOT NULL,
                            text TEXT NOT NULL,
                            quantity INTEGER NOT NULL,
                            time INTEGER NOT NULL
                        ) STRICT;
                        CREATE INDEX station_count_entry_of ON station_count_entry (count);
                        -- One row for each different code of a count, the sum of its entries; `first` is the number of
                        -- the first of them. A code of which nothing is left keeps its place while it has entries.
                        CREATE TABLE station_count_line (
                            count INTEGER NOT NULL REFERENCES station_count (number) ON DELETE CASCADE,
                            format TEXT NOT NULL,
                            text TEXT NOT NULL,
                            quantity INTEGER NOT NULL,
                            entries INTEGER NOT NULL,
                            first INTEGER NOT NULL,
                            PRIMARY KEY (count, format, text)
                        ) STRICT, WITHOUT ROWID;
                        -- The sums change with each entry: pages are told of them with every code.
                        CREATE TRIGGER station_count_added AFTER INSERT ON station_count_entry BEGIN
                            INSERT INTO station_count_line VALUES
                                (new.count, new.format, new.text, new.quantity, 1, new.number)
                            ON CONFLICT DO UPDATE SET
                                quantity = quantity + excluded.quantity, entries = entries + 1;
                        END;
                        CREATE TRIGGER station_count_undone AFTER DELETE ON station_count_entry BEGIN
                            UPDATE station_count_line SET quantity = quantity - old.quantity, entries = entries - 1
                                WHERE count = old.count AND format = old.format AND text = old.text;
                            DELETE FROM station_count_line
                                WHERE count = old.count AND format = old.format AND text = old.text AND entries = 0;
                        END;
                        CREATE TRIGGER station_count_line_added AFTER INSERT ON station_count_line BEGIN
                            UPDATE station_count SET total = total + new.quantity, codes = codes + (new.quantity <> 0)
                                WHERE number = new.count;
                        END;
                        CREATE TRIGGER station_count_line_changed AFTER UPDATE OF quantity ON station_count_line BEGIN
                            UPDATE station_count SET
                                total = total + new.quantity - old.quantity,
                                codes = codes + (new.quantity <> 0) - (old.quantity <> 0)
                                WHERE number = new.count;
                        END;
                        """)
            }
        ])

    let outbox: Outbox
    /// The number of the open count; `nil` if none is open.
    private let open: Mutex<Int64?>

    /// Creates a store of the counts in an outbox, and creates its tables if they do not exist.
    ///
    /// - Throws: ``OutboxError``.
    init(_ outbox: Outbox) throws {
        self.outbox = outbox
        try outbox.prepare(Self.tables)
        open = Mutex(nil)
    }

    /// Restores the count that was open when the station stopped.
    func resume() async throws {
        let number = try await outbox.read { database in
            try Int64.fetchOne(database, sql: "SELECT max(number) FROM station_count WHERE closed_at IS NULL")
        }
        open.withLock { $0 = number }
    }

    var openNumber: Int64? { open.withLock { $0 } }

    /// Opens a count and returns its number; `nil` if one is open already.
    func open(name: String, now: Date) async throws -> Int64? {
        let number = try await outbox.change { transaction -> Int64? in
            let isOpen = try Bool.fetchOne(
                transaction.database, sql: "SELECT EXISTS (SELECT 1 FROM station_count WHERE closed_at IS NULL)")
            if isOpen == true { return nil }
            try transaction.database.execute(
                sql: "INSERT INTO station_count (name, opened_at) VALUES (?, ?)", arguments: [name, now.milliseconds])
            return transaction.database.lastInsertedRowID
        }
        if let number { open.withLock { $0 = number } }
        return number
    }

    /// Counts each message once, as part of a transaction.
    ///
    /// - Parameters:
    ///   - symbols: the symbols that were read.
    ///   - completed: the messages over several symbols of which these were the last ones.
    ///   - number: the count.
    ///   - now: the time of the entries.
    ///   - database: the database in the transaction.
    func add(
        _ symbols: [ScannedSymbol], completed: [ScannedSymbol] = [], to number: Int64, now: Date, in database: Database
    ) throws {
        // A part counts by its message. If it does not name one, only those of one picture are joined: then it counts
        // itself.
        let single = symbols.filter { symbol in
            symbol.structuredAppend.map { !$0.isNamed && completed.isEmpty } ?? true
        }
        for symbol in single + completed {
            try Self.add(
                format: symbol.symbology.rawValue, text: symbol.textOrPersonalKind, quantity: 1, to: number, now: now,
                in: database)
        }
    }

    /// Counts symbols that create no event, because they are repetitions.
    func add(repeated symbols: [ScannedSymbol], now: Date) async throws {
        guard let number = openNumber, !symbols.isEmpty else { return }
        try await outbox.change { try self.add(symbols, to: number, now: now, in: $0.database) }
    }

    private static func add(
        format: String, text: String, quantity: Int, to number: Int64, now: Date, in database: Database
    ) throws {
        // A count that was closed in the meantime does not change.
        try database.cachedStatement(
            sql: """
                INSERT INTO station_count_entry (count, format, text, quantity, time)
                SELECT number, ?, ?, ?, ? FROM station_count WHERE number = ? AND closed_at IS NULL
                """
        ).execute(arguments: [format, text, quantity, now.milliseconds, number])
    }

    /// Sets the quantity of a code; false if the count is not open or does not have this code.
    func set(_ line: CountedLines.Line, of number: Int64, now: Date) async throws -> Bool {
        try await outbox.change { transaction in
            let before = try Int.fetchOne(
                transaction.database,
                sql: """
                    SELECT quantity FROM station_count_line l JOIN station_count c ON c.number = l.count
                    WHERE c.number = ? AND c.closed_at IS NULL AND format = ? AND text = ?
                    """, arguments: [number, line.format, line.text])
            guard let before else { return false }
            if before != line.quantity {
                try Self.add(
                    format: line.format, text: line.text, quantity: line.quantity - before, to: number, now: now,
                    in: transaction.database)
            }
            return true
        }
    }

    /// Undoes the last entry or change; false if there is none.
    func undo(_ number: Int64) async throws -> Bool {
        try await outbox.change { transaction in
            try transaction.database.execute(
                sql: """
                    DELETE FROM station_count_entry WHERE number = (
                        SELECT max(number) FROM station_count_entry WHERE count = (
                            SELECT number FROM station_count WHERE number = ? AND closed_at IS NULL))
                    """, arguments: [number])
            return transaction.database.changesCount > 0
        }
    }

    /// Closes a count, as part of a transaction; false if it is not open.
    static func close(_ number: Int64, event: EventID?, now: Date, in database: Database) throws -> Bool {
        try database.execute(
            sql: "UPDATE station_count SET closed_at = ?, event = ? WHERE number = ? AND closed_at IS NULL",
            arguments: [now.milliseconds, event?.description, number])
        let isClosed = database.changesCount > 0
        try database.execute(
            sql: """
                DELETE FROM station_count WHERE closed_at IS NOT NULL AND number NOT IN (
                    SELECT number FROM station_count WHERE closed_at IS NOT NULL ORDER BY number DESC LIMIT ?)
                """, arguments: [maximumClosed])
        return isClosed
    }

    /// Records that a count was closed, once that is on disk.
    func noteClosed(_ number: Int64) { open.withLock { if $0 == number { $0 = nil } } }
}
