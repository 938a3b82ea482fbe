public import BarcodeCore
public import FoundationEssentials
internal import GRDB
public import ScanEvents

/// Which events of an outbox are wanted.
public struct HistoryQuery: Sendable, Hashable {
    /// How the text of an event is compared; all ways use an index.
    public enum Text: Sendable, Hashable {
        /// The whole text.
        case exactly(String)
        /// The beginning of the text; the events come in the order of their texts.
        case beginning(String)
        /// A part of the text, in any case; the events come in the order in which they were stored, the newest first.
        ///
        /// Personal messages are not searched, nor what a text has after 1,024 characters or a NUL.
        case containing(String)
    }

    /// Not before this time.
    public var since: Date?
    /// Before this time.
    public var until: Date?
    /// The text.
    public var text: Text?
    /// The symbology.
    public var symbology: Symbology?
    /// The state at any destination.
    public var state: DeliveryState?
    /// Who read it.
    public var `operator`: String?
    /// Where it was read.
    public var place: String?
    /// Older than this event: the page after the one that ended with it.
    ///
    /// It goes with ``newestFirst``.
    public var before: EventID?
    /// Whether the newest come first even where a beginning of the text is asked for, which then costs a sorting.
    public var newestFirst = false
    /// The most events.
    public var limit: Int

    /// A query; without arguments it asks for the newest hundred.
    public init(
        since: Date? = nil, until: Date? = nil, text: Text? = nil, symbology: Symbology? = nil,
        state: DeliveryState? = nil, limit: Int = 100
    ) {
        self.since = since
        self.until = until
        self.text = text
        self.symbology = symbology
        self.state = state
        self.limit = limit
    }
}

extension HistoryQuery {
    /// The columns that are compared as a whole and are terms of the index.
    var facets: [(column: String, value: String)] {
        [("operator", self.operator), ("place", place), ("format", symbology?.rawValue)].compactMap { column, value in
            value.map { (column, $0) }
        }
    }
}

/// An event and what became of it.
public struct HistoryRecord: Sendable, Hashable {
    /// What became of an event at one destination.
    public struct Delivery: Sendable, Hashable {
        /// The destination's name.
        public var destination: String
        /// The state.
        public var state: DeliveryState
        /// How many attempts there were.
        public var attempts: Int
        /// When the next one is due; nil in a final state.
        public var nextAttempt: Date?
        /// When the last one was; nil before the first.
        public var lastAttempt: Date?
        /// The status of the last answer; nil where there was none.
        public var lastStatus: Int?
        /// Why the last attempt failed; nil where it did not.
        public var lastError: String?
    }

    /// The event.
    public var event: ScanEvent
    /// Its destinations by name.
    public var deliveries: [Delivery]
}

extension Outbox {
    /// The events that a query asks for, the newest first.
    public func history(_ query: HistoryQuery) async throws -> [HistoryRecord] {
        try await commits.read { database in
            let (sql, arguments) = try Self.statement(for: query, in: database)
            return try self.records(try Row.fetchAll(database, sql: sql, arguments: arguments), in: database)
        }
    }

    /// The event of an identifier; nil where there is none.
    public func event(_ id: EventID) async throws -> HistoryRecord? {
        try await commits.read { database in
            try Row.fetchOne(
                database, sql: "SELECT number, body FROM event WHERE id = ?", arguments: [id.description]
            ).flatMap { try self.record($0, in: database) }
        }
    }

    /// The SQL of a query: the narrowest index leads, the other conditions are looked at in its rows.
    ///
    /// The unary plus keeps a condition from being used for an index; SQLite has no statistics to choose by.
    static func statement(
        for query: HistoryQuery, in database: Database
    ) throws -> (sql: String, arguments: StatementArguments) {
        var conditions: [String] = []
        var arguments: StatementArguments = []
        var order = "e.time DESC"
        var table = "event e"
        var place = "e.time, e.number"
        switch query.text {
        case .exactly(let text)?:
            conditions.append("e.text = ?")
            arguments += [Data(text.utf8)]
        case .beginning(let text)?:
            conditions.append("e.text >= ?")
            arguments += [Data(text.utf8)]
            if let end = Data(text.utf8).firstAfterAllBeginningWithIt {
                conditions.append("e.text < ?")
                arguments += [end]
            }
            order = "e.text, e.time DESC"
        case .containing(let text)?:
            if let match = try match(text, and: query.facets, in: database) {
                table = "event_search s CROSS JOIN event e ON e.number = s.rowid"
                conditions.append("s.event_search MATCH ?")
                arguments += [match]
                place = "s.rowid"
                if query.since != nil || query.until != nil {
                    // The index knows no times: the numbers of the range narrow it.
                    let range = "FROM event WHERE time >= ? AND time < ?"
                    conditions.append("s.rowid BETWEEN (SELECT min(number) \(range)) AND (SELECT max(number) \(range))")
                    let bounds = [query.since?.milliseconds ?? .min, query.until?.milliseconds ?? .max]
                    arguments += StatementArguments(bounds + bounds)
                }
            } else {
                conditions.append(
                    """
                    e.number IN (SELECT number FROM event INDEXED BY event_text
                        WHERE instr(lower(CAST(text AS TEXT)), lower(?)) > 0) AND e.personal = 0
                    """)
                arguments += [text]
                place = "e.number"
            }
            order = "\(place) DESC"
        case nil: break
        }
        var leads = query.text != nil
        let readers = query.facets.filter { $0.column != "format" }
        for (column, value) in readers {
            conditions.append((leads ? "+" : "") + "e.\(column) = ?")
            arguments += [value]
        }
        leads = leads || !readers.isEmpty
        if let symbology = query.symbology {
            conditions.append((leads ? "+" : "") + "e.format = ?")
            arguments += [symbology.rawValue]
        }
        var time = "e.time"
        if let state = query.state {
            let isRare = try isRare(state, in: database)
            if leads || query.symbology != nil && !isRare {
                let number = place == "s.rowid" ? place : "e.number"
                conditions.append(
                    isRare
                        ? "+\(number) IN (SELECT event FROM delivery WHERE state = ?)"
                        : "EXISTS (SELECT 1 FROM delivery d WHERE d.event = \(number) AND +d.state = ?)")
            } else {
                table = "delivery d CROSS JOIN event e ON e.number = d.event"
                conditions.append("d.state = ?")
                time = "d.time"
                place = "d.time, d.event"
                order = "d.time DESC, d.event DESC"
            }
            arguments += [state.rawValue]
        }
        // An index that leads by something else must not be left for that of the times.
        let isSearch = place == "s.rowid" || place == "e.number"
        let unused = isSearch ? "+" : ""
        if let since = query.since {
            conditions.append("\(unused)\(time) >= ?")
            arguments += [since.milliseconds]
        }
        if let until = query.until {
            conditions.append("\(unused)\(time) < ?")
            arguments += [until.milliseconds]
        }
        if let before = query.before {
            conditions.append("(\(place)) < (SELECT \(isSearch ? "" : "time, ")number FROM event WHERE id = ?)")
            arguments += [before.description]
        }
        if query.newestFirst && !isSearch {
            order = time == "d.time" ? "d.time DESC, d.event DESC" : "e.time DESC, e.number DESC"
        }
        let distinct = time == "d.time" ? " GROUP BY d.time, d.event" : ""
        arguments += [query.limit]
        return (
            "SELECT e.number, e.body FROM \(table)"
                + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
                + "\(distinct) ORDER BY \(order) LIMIT ?",
            arguments
        )
    }

    /// Whether so few deliveries are in a state that it is quicker to have their events in memory than to look up that of
    /// each event which the other conditions find.
    private static func isRare(_ state: DeliveryState, in database: Database) throws -> Bool {
        let most = 10_000
        let count = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM (SELECT 1 FROM delivery WHERE state = ? LIMIT ?)",
            arguments: [state.rawValue, most + 1])
        return count.map { $0 <= most } ?? true
    }

    /// The events of rows that begin with the number and the body; those that are damaged are noted and left out.
    func records(_ rows: [Row], in database: Database) throws -> [HistoryRecord] {
        try rows.compactMap { try record($0, in: database) }
    }

    /// The event of a row that begins with the number and the body; nil where it is damaged, which is noted.
    func record(_ row: Row, in database: Database) throws -> HistoryRecord? {
        let number = try? row.value(0, as: Int64.self)
        let event: ScanEvent
        do {
            event = try StoredBody.event(in: row.value(1))
        } catch {
            damage.note("event", number, error)
            return nil
        }
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT destination, state, attempts, next_attempt_at, last_attempt_at, last_status, last_error
                    FROM delivery WHERE event = ? ORDER BY destination
                    """), arguments: [number])
        return HistoryRecord(
            event: event,
            deliveries: rows.compactMap { row in
                do {
                    return try HistoryRecord.Delivery(row)
                } catch {
                    damage.note("delivery", number, error)
                    return nil
                }
            })
    }
}

extension HistoryRecord.Delivery {
    fileprivate init(_ row: Row) throws {
        state = try DeliveryState(stored: row.value(1))
        destination = try row.value(0)
        attempts = try row.value(2)
        nextAttempt = state == .pending ? Date(milliseconds: try row.value(3)) : nil
        lastAttempt = try row.value(4, as: Int64?.self).map { Date(milliseconds: $0) }
        lastStatus = try row.value(5)
        lastError = try row.value(6)
    }
}

extension DeliveryState {
    /// The state of a row.
    init(stored number: Int) throws {
        guard let state = DeliveryState(rawValue: number) else { throw DamagedValue(reason: "no state is \(number)") }
        self = state
    }
}

/// The body of an event's row, which is the one of Standard Webhooks.
struct StoredBody: Decodable {
    var data: ScanEvent

    static func event(in body: Data) throws -> ScanEvent {
        try JSONDecoder().decode(StoredBody.self, from: body).data
    }
}

extension Data {
    /// The smallest bytes that come after all that begin with these; nil where there are none.
    fileprivate var firstAfterAllBeginningWithIt: Data? {
        var bytes = self
        while let last = bytes.last {
            bytes.removeLast()
            if last < 0xFF {
                bytes.append(last + 1)
                return bytes
            }
        }
        return nil
    }
}
