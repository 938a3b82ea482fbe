internal import Cryptography
internal import FoundationEssentials
internal import GRDB
internal import ScanEvents
internal import ScanOutbox
internal import Synchronization

/// The current operator and place.
///
/// A badge is stored only as a keyed hash. A restart signs the operator out, but keeps the place.
final class Workplace: Sendable {
    /// The signed-in operator.
    struct Operator: Sendable, Hashable {
        /// The keyed hash of the badge, in hexadecimal.
        var badge: String
        /// The name given to the badge; `nil` if it has none.
        var name: String?
        /// The time of the automatic sign-out; each scan extends it.
        var expiresAt: Date

        /// The label in events: the name, or the first 8 digits of the hash.
        var label: String { name ?? String(badge.prefix(8)) }
    }

    /// The maximum length of the name of a person or place, in bytes.
    static let maximumName = 200

    private struct State {
        var current: Operator?
        var place: String?
        var key: [UInt8]?
    }

    private static let tables = OutboxTables(
        prefix: "station_workplace",
        migrations: [
            { database in
                try database.execute(
                    sql: """
                        -- The key of the hashes, and the place that was chosen last.
                        CREATE TABLE station_setting (
                            name TEXT PRIMARY KEY,
                            value BLOB NOT NULL
                        ) STRICT, WITHOUT ROWID;
                        -- Badges that have a name, by their hashes.
                        CREATE TABLE station_operator (
                            badge TEXT PRIMARY KEY,
                            name TEXT NOT NULL
                        ) STRICT, WITHOUT ROWID;
                        """)
            }
        ])

    let settings: WorkplaceSettings
    private let outbox: Outbox
    private let state = Mutex(State())

    /// - Throws: ``OutboxError``.
    init(_ settings: WorkplaceSettings, outbox: Outbox) throws {
        self.settings = settings
        self.outbox = outbox
        try outbox.prepare(Self.tables)
    }

    /// Loads the stored state, and creates the key if it does not exist.
    func resume() async throws {
        let new = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
        let (key, place) = try await outbox.change { transaction in
            let database = transaction.database
            try database.execute(
                sql: "INSERT OR IGNORE INTO station_setting (name, value) VALUES ('badge_key', ?)", arguments: [new])
            return (
                try Data.fetchOne(database, sql: "SELECT value FROM station_setting WHERE name = 'badge_key'"),
                try Data.fetchOne(database, sql: "SELECT value FROM station_setting WHERE name = 'place'")
            )
        }
        state.withLock { state in
            state.key = Array(key ?? new)
            state.place = place.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Returns the operator who is signed in at `now`; `nil` if nobody is.
    func current(at now: Date) -> Operator? {
        state.withLock { state in
            if let current = state.current, current.expiresAt <= now { state.current = nil }
            return state.current
        }
    }

    /// The current place: the chosen one, else the configured one.
    var place: String? { state.withLock { $0.place } ?? settings.place }

    /// Returns a submission with the operator and the place; it also extends the operator's sign-in.
    func stamped(_ submission: ScanSubmission, at now: Date) -> ScanSubmission {
        var submission = submission
        submission.operator = current(at: now)?.label
        submission.place = place
        state.withLock { $0.current?.expiresAt = now + settings.signOutAfter.inSeconds }
        return submission
    }

    /// Removes badges and place codes from a submission, and applies them.
    ///
    /// - Returns: the rest, and true if there was such a code.
    func taking(_ submission: ScanSubmission, at now: Date) async throws -> (rest: ScanSubmission, isChanged: Bool) {
        var rest = submission
        rest.symbols = []
        for symbol in submission.symbols {
            if settings.badge?.occurs(in: symbol.text) == true {
                try await signIn(symbol.text, at: now)
            } else if let place = settings.placeCode?.value(in: symbol.text),
                (1...Self.maximumName).contains(place.utf8.count)
            {
                try await choose(place: place)
            } else {
                rest.symbols.append(symbol)
            }
        }
        return (rest, rest.symbols.count < submission.symbols.count)
    }

    private func signIn(_ text: String, at now: Date) async throws {
        guard let key = state.withLock({ $0.key }) else { return }
        let badge = HMACSHA256.code(for: text.utf8, key: key).hexadecimal
        let name = try await outbox.read { database in
            try String.fetchOne(database, sql: "SELECT name FROM station_operator WHERE badge = ?", arguments: [badge])
        }
        state.withLock {
            $0.current = Operator(badge: badge, name: name, expiresAt: now + settings.signOutAfter.inSeconds)
        }
    }

    /// Signs the operator out.
    func signOut() { state.withLock { $0.current = nil } }

    /// Names the badge that is signed in; false if nobody is.
    func name(_ name: String, at now: Date) async throws -> Bool {
        guard let current = current(at: now) else { return false }
        try await outbox.change { transaction in
            try transaction.database.execute(
                sql: "INSERT OR REPLACE INTO station_operator (badge, name) VALUES (?, ?)",
                arguments: [current.badge, name])
        }
        state.withLock { if $0.current?.badge == current.badge { $0.current?.name = name } }
        return true
    }

    /// Chooses the place for later scans; `nil` returns to the configured one.
    func choose(place: String?) async throws {
        try await outbox.change { transaction in
            let database = transaction.database
            if let place {
                try database.execute(
                    sql: "INSERT OR REPLACE INTO station_setting (name, value) VALUES ('place', ?)",
                    arguments: [Data(place.utf8)])
            } else {
                try database.execute(sql: "DELETE FROM station_setting WHERE name = 'place'")
            }
        }
        state.withLock { $0.place = place }
    }
}

extension Duration {
    fileprivate var inSeconds: Double { self / .seconds(1) }
}
