internal import Cryptography
internal import FoundationEssentials
internal import GRDB
internal import ScanEvents
internal import ScanOutbox
internal import Synchronization

/// Who reads codes now, and where.
///
/// A badge is kept as a keyed hash alone; whoever signed in is forgotten with the process, a place is not.
final class Workplace: Sendable {
    /// Who is signed in.
    struct Operator: Sendable, Hashable {
        /// The hash of the badge, in hexadecimal.
        var badge: String
        /// The name that was given to the badge; nil where it has none.
        var name: String?
        /// When nobody is signed in any more, unless something is read before.
        var expiresAt: Date

        /// What events say: the name, or the beginning of the hash.
        var label: String { name ?? String(badge.prefix(8)) }
    }

    /// The longest name of a person or a place, in bytes.
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

    /// Reads what was kept, and makes the key where there is none.
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

    /// Who is signed in at a time.
    func current(at now: Date) -> Operator? {
        state.withLock { state in
            if let current = state.current, current.expiresAt <= now { state.current = nil }
            return state.current
        }
    }

    /// The place: the one that was chosen, or that of the configuration.
    var place: String? { state.withLock { $0.place } ?? settings.place }

    /// A sighting with who has read it and where; whoever reads stays signed in.
    func stamped(_ sighting: ScanSighting, at now: Date) -> ScanSighting {
        var sighting = sighting
        sighting.operator = current(at: now)?.label
        sighting.place = place
        state.withLock { $0.current?.expiresAt = now + settings.signOutAfter.inSeconds }
        return sighting
    }

    /// Takes badges and the codes of places out of what was read, and does what they say.
    ///
    /// - Returns: the rest, and whether there was such a code.
    func taking(_ sighting: ScanSighting, at now: Date) async throws -> (rest: ScanSighting, isChanged: Bool) {
        var rest = sighting
        rest.symbols = []
        for symbol in sighting.symbols {
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
        return (rest, rest.symbols.count < sighting.symbols.count)
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

    /// Nobody is signed in any more.
    func signOut() { state.withLock { $0.current = nil } }

    /// Gives a name to the badge that is signed in; false where none is.
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

    /// Makes a place the one of what is read from now on; nil for that of the configuration.
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
