internal import BarcodeCore
internal import FoundationEssentials
internal import GRDB
public import ScanEvents

/// Joins the symbols of one message, in the order of their indices; `nil` if they do not give a message.
public typealias MessageJoiner = @Sendable ([ScannedSymbol]) -> ScannedSymbol?

/// The symbols of messages that are spread over several, until the last one arrives.
///
/// They may come from different images, files, frames and devices, in any order, also before and after a restart. The
/// whole message is then an event of its own.
struct MessageParts: Sendable {
    /// The time for which a symbol waits for the others, in milliseconds.
    private static let wait: Int64 = 3_600_000
    /// The maximum number of bytes in a message.
    private static let maximumBytes = 1 << 20

    let join: MessageJoiner

    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("6", foreignKeyChecks: .immediate) { database in
            try database.execute(
                sql: """
                    -- The symbols of incomplete messages; a message is named by all that its symbols share.
                    CREATE TABLE part (
                        message TEXT NOT NULL,
                        place INTEGER NOT NULL,
                        count INTEGER,
                        time INTEGER NOT NULL,
                        symbol BLOB NOT NULL,
                        PRIMARY KEY (message, place)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX part_time ON part (time);
                    """)
        }
    }

    /// Deletes symbols whose message was not completed in time.
    static func removeExpired(at now: Date, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM part WHERE time < ?")
            .execute(arguments: [now.milliseconds - wait])
    }

    /// Notes the symbols among entries that are parts of messages.
    ///
    /// - Returns: the same entries, with the parts that are missing, and the entries of messages that are complete now.
    func note(
        _ entries: [OutboxEntry], in database: Database
    ) throws -> (noted: [OutboxEntry], joined: [OutboxEntry]) {
        let parts = entries.filter { Self.message(of: $0) != nil }
        guard let now = parts.first?.acceptedAt else { return (entries, []) }
        try Self.removeExpired(at: now, in: database)
        var missing: [String: [Int]] = [:]
        var joined: [OutboxEntry] = []
        for (message, parts) in Dictionary(grouping: parts, by: { Self.message(of: $0) ?? "" }).sorted(by: {
            $0.key < $1.key
        }) {
            let isUnambiguous = try insert(parts, of: message, in: database)
            missing[message] = try Self.missing(of: message, in: database)
            if missing[message] == [], isUnambiguous, let last = parts.last,
                let whole = try takeWhole(message, like: last, in: database)
            {
                joined.append(whole)
            }
        }
        let noted = try entries.map { entry in
            guard let message = Self.message(of: entry), let missing = missing[message] else { return entry }
            var event = entry.event
            event.symbol.structuredAppend?.missing = Array(missing.prefix(MessagePart.mostMissing))
            return try OutboxEntry(
                event, for: entry.destinations, signingKeys: entry.signingKeys, now: entry.acceptedAt)
        }
        return (noted, joined)
    }

    /// The key of a symbol's message, made of all that its symbols share; `nil` for a symbol with a message of its own.
    private static func message(of entry: OutboxEntry) -> String? {
        let symbol = entry.event.symbol
        guard let part = symbol.structuredAppend,
            let message = SplitMessage(
                symbol.symbology, index: part.index, count: part.count, parity: part.parity,
                identifier: part.identifier)
        else { return nil }
        let shared = [message.count, message.parity].map { $0.map(String.init) ?? "" }
        return ([message.symbology.rawValue] + shared + [message.identifier ?? ""]).joined(separator: " ")
    }

    /// Inserts symbols of one message; false if two of them contradict each other.
    private func insert(_ entries: [OutboxEntry], of message: String, in database: Database) throws -> Bool {
        // Without a name, symbols that were read earlier may belong to another message.
        if entries.allSatisfy({ $0.event.symbol.structuredAppend?.isNamed == false }) {
            try database.execute(sql: "DELETE FROM part WHERE message = ?", arguments: [message])
        }
        var contents: [Int: Set<[UInt8]>] = [:]
        for entry in entries {
            guard let part = entry.event.symbol.structuredAppend else { continue }
            contents[part.index, default: []].insert(entry.event.symbol.bytes)
            try database.cachedStatement(sql: "INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?, ?)").execute(
                arguments: [
                    message, part.index, part.count, entry.acceptedAt.milliseconds,
                    try JSONEncoder().encode(entry.event.symbol),
                ])
        }
        return contents.values.allSatisfy { $0.count == 1 }
    }

    /// The indices that were not read; `nil` if their number is unknown.
    private static func missing(of message: String, in database: Database) throws -> [Int]? {
        let rows = try Row.fetchAll(
            database.cachedStatement(sql: "SELECT place, count FROM part WHERE message = ?"), arguments: [message])
        guard let count = rows.compactMap({ $0["count"] as Int? }).max() else { return nil }
        let places = Set(rows.map { $0["place"] as Int })
        return (0..<count).filter { !places.contains($0) }
    }

    /// The entry of a complete message, whose symbols no longer wait; `nil` if they do not give a message.
    private func takeWhole(_ message: String, like last: OutboxEntry, in database: Database) throws -> OutboxEntry? {
        let stored = try Data.fetchAll(
            database.cachedStatement(sql: "SELECT symbol FROM part WHERE message = ? ORDER BY place"),
            arguments: [message])
        try database.execute(sql: "DELETE FROM part WHERE message = ?", arguments: [message])
        let symbols = try stored.map { try JSONDecoder().decode(ScannedSymbol.self, from: $0) }
        guard symbols.reduce(0, { $0 + $1.bytes.count }) <= Self.maximumBytes, var whole = join(symbols) else {
            return nil
        }
        whole.joined = symbols.count
        var event = last.event
        event.id = EventID(now: last.acceptedAt)
        event.symbol = whole
        event.signature = nil
        return try OutboxEntry(
            event.checkingSignature(last.signingKeys), for: last.destinations, now: last.acceptedAt)
    }
}
