public import BarcodeCore
public import FoundationEssentials
internal import GRDB
public import ScanEvents

/// Which events of an outbox are wanted.
public struct HistoryQuery: Sendable, Hashable {
    /// How the text of an event is compared; both ways use an index.
    ///
    /// There is no search within a text.
    public enum Text: Sendable, Hashable {
        /// The whole text.
        case exactly(String)
        /// The beginning of the text; the events come in the order of their texts.
        case beginning(String)
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
        let (sql, arguments) = Self.statement(for: query)
        return try await commits.read { database in
            try self.records(try Row.fetchAll(database, sql: sql, arguments: arguments), in: database)
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
    static func statement(for query: HistoryQuery) -> (sql: String, arguments: StatementArguments) {
        var conditions: [String] = []
        var arguments: StatementArguments = []
        var order = "e.time DESC"
        var table = "event e"
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
        case nil: break
        }
        let leads = query.text != nil
        if let symbology = query.symbology {
            conditions.append((leads ? "+" : "") + "e.format = ?")
            arguments += [symbology.rawValue]
        }
        var time = "e.time"
        if let state = query.state {
            if leads || query.symbology != nil {
                conditions.append("EXISTS (SELECT 1 FROM delivery d WHERE d.event = e.number AND d.state = ?)")
            } else {
                table = "delivery d CROSS JOIN event e ON e.number = d.event"
                conditions.append("d.state = ?")
                time = "d.time"
                order = "d.time DESC, d.event DESC"
            }
            arguments += [state.rawValue]
        }
        if let since = query.since {
            conditions.append("\(time) >= ?")
            arguments += [since.milliseconds]
        }
        if let until = query.until {
            conditions.append("\(time) < ?")
            arguments += [until.milliseconds]
        }
        if let before = query.before {
            let place = time == "d.time" ? "d.time, d.event" : "e.time, e.number"
            conditions.append("(\(place)) < (SELECT time, number FROM event WHERE id = ?)")
            arguments += [before.description]
        }
        if query.newestFirst { order = time == "d.time" ? "d.time DESC, d.event DESC" : "e.time DESC, e.number DESC" }
        let distinct = time == "d.time" ? " GROUP BY d.time, d.event" : ""
        arguments += [query.limit]
        return (
            "SELECT e.number, e.body FROM \(table)"
                + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
                + "\(distinct) ORDER BY \(order) LIMIT ?",
            arguments
        )
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
