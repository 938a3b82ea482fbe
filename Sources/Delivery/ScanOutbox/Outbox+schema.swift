internal import GRDB

extension Outbox {
    /// Identifies the file as an outbox, so that no other database is mistaken for one: "QZOB" in ASCII.
    private static let applicationID = 0x515A_4F42

    private static let firstSchema = """
        PRAGMA application_id = \(applicationID);

        -- One row an event. The text is a blob: it may hold a NUL, and is compared byte by byte.
        CREATE TABLE event (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL,
            time INTEGER NOT NULL,
            station TEXT NOT NULL,
            source TEXT NOT NULL,
            format TEXT NOT NULL,
            text BLOB NOT NULL,
            body BLOB NOT NULL,
            destinations INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX event_id ON event (id);
        CREATE INDEX event_time ON event (time);
        CREATE INDEX event_format ON event (format, time);
        CREATE INDEX event_text ON event (text, time DESC);
        CREATE INDEX event_for_nobody ON event (time) WHERE destinations = 0;

        -- One row an event and destination. State: 0 pending, 1 delivered, 2 dead, 3 disabled.
        -- Times are milliseconds since 1970; delay is the wait that next_attempt_at was set with.
        CREATE TABLE delivery (
            event INTEGER NOT NULL REFERENCES event (number) ON DELETE CASCADE,
            destination TEXT NOT NULL,
            state INTEGER NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            next_attempt_at INTEGER NOT NULL,
            delay INTEGER NOT NULL DEFAULT 0,
            leased INTEGER NOT NULL DEFAULT 0,
            last_attempt_at INTEGER,
            last_status INTEGER,
            last_error TEXT,
            time INTEGER NOT NULL,
            media_type TEXT,
            body BLOB,
            PRIMARY KEY (event, destination)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX delivery_due ON delivery (destination, next_attempt_at, time) WHERE state = 0;
        CREATE INDEX delivery_state ON delivery (state, time);
        CREATE INDEX delivery_leased ON delivery (leased) WHERE leased = 1;

        -- Destinations that asked to be left alone for a while, and those that want no more.
        CREATE TABLE paused (
            destination TEXT PRIMARY KEY,
            until INTEGER NOT NULL,
            delay INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE disabled (
            destination TEXT PRIMARY KEY,
            since INTEGER NOT NULL,
            reason TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            try database.execute(sql: firstSchema)
        }
        // It created the journal of files, which the drop folder now creates itself and whose rows it keeps.
        migrator.registerMigration("2") { _ in }
        migrator.registerMigration("3", foreignKeyChecks: .immediate) { database in
            try database.execute(
                sql: """
                    -- Whether the message is personal: 0 no, 1 nobody has looked, 2 yes, 3 it was and is gone.
                    ALTER TABLE event ADD COLUMN personal INTEGER NOT NULL DEFAULT 1;
                    CREATE INDEX event_not_looked_at ON event (number) WHERE personal = 1;
                    CREATE INDEX event_personal ON event (number) WHERE personal = 2;
                    """)
        }
        registerSearch(in: &migrator)
        registerFacets(in: &migrator)
        MessageParts.register(in: &migrator)
        return migrator
    }

    static func prepareSchema(of database: DatabaseQueue, path: String) throws {
        try database.read { database in
            let id = try Int.fetchOne(database, sql: "PRAGMA application_id")
            // The migration list is created in a transaction before the first migration; a power cut between the
            // two leaves it as the only table in the file.
            let tables =
                try Int.fetchOne(
                    database, sql: "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations'") ?? 0
            if tables > 0 && id != applicationID {
                throw OutboxError(
                    .notAnOutbox, "\(path) is a database of another program, not an outbox; choose another file")
            }
            // Migrations of other modules have a dot in their names, see ``OutboxTables``.
            let applied = try migrator.appliedIdentifiers(database)
            if applied.contains(where: { !$0.contains(".") && !migrator.migrations.contains($0) }) {
                throw newerSchema(path)
            }
        }
        try migrator.migrate(database)
    }

    static func newerSchema(_ path: String) -> OutboxError {
        OutboxError(
            .newerSchema,
            "the outbox \(path) was written by a newer version of this program; "
                + "use that version, or choose another file")
    }
}
