internal import BarcodeCore
internal import FoundationEssentials
internal import GRDB
internal import ScanEvents

/// The SQL of a history query, which uses the narrowest index and checks the other conditions on its rows.
///
/// SQLite has no statistics here to choose an index, so the choice is explicit: a unary plus keeps a condition from
/// using an index.
struct HistoryStatement {
    /// The rows to scan, in the order of their index.
    private enum Source {
        /// Events by time or by an indexed condition.
        case events
        /// Rows of the full-text index.
        case search
        /// Events whose text contains a part that the full-text index cannot find.
        case texts
        /// Deliveries in a state.
        case deliveries

        var table: SQL {
            switch self {
            case .events, .texts: "event e"
            case .search: "event_search s CROSS JOIN event e ON e.number = s.rowid"
            case .deliveries: "delivery d CROSS JOIN event e ON e.number = d.event"
            }
        }

        /// The columns that identify the row after which a page begins.
        var place: SQL {
            switch self {
            case .events: "e.time, e.number"
            case .search: "s.rowid"
            case .texts: "e.number"
            case .deliveries: "d.time, d.event"
            }
        }

        var time: SQL { self == .deliveries ? "d.time" : "e.time" }
        /// The event number in the scanned table.
        var number: SQL { self == .search ? "s.rowid" : "e.number" }
        /// Indicates whether the rows are in the order of event numbers, in which they were stored.
        var isByNumber: Bool { self == .search || self == .texts }
    }

    private let query: HistoryQuery
    private var source = Source.events
    /// Indicates whether a condition already uses its index, so that no other may.
    private var isLed = false
    private var conditions: [SQL] = []

    init(_ query: HistoryQuery, in database: Database) throws {
        self.query = query
        if let text = query.text { try add(text, in: database) }
        addReaders()
        if let state = query.state { try add(state, in: database) }
        addTimes()
    }

    /// The statement, which selects the number and the body of each event.
    var sql: SQL {
        var sql: SQL = "SELECT e.number, e.body FROM \(source.table)"
        if !conditions.isEmpty { sql += " WHERE \(conditions.joined(separator: " AND "))" }
        // An event has a delivery for each destination.
        if source == .deliveries { sql += " GROUP BY d.time, d.event" }
        sql += " ORDER BY \(order) LIMIT \(query.limit)"
        return sql
    }

    private var order: SQL {
        switch source {
        case .search, .texts: return "\(source.place) DESC"
        case .deliveries: return "d.time DESC, d.event DESC"
        case .events:
            if query.newestFirst { return "e.time DESC, e.number DESC" }
            if case .beginning = query.text { return "e.text, e.time DESC" }
            return "e.time DESC"
        }
    }

    private mutating func add(_ text: HistoryQuery.Text, in database: Database) throws {
        isLed = true
        switch text {
        case .exactly(let text): conditions.append("e.text = \(Data(text.utf8))")
        case .beginning(let text):
            conditions.append("e.text >= \(Data(text.utf8))")
            if let end = Data(text.utf8).firstAfterAllBeginningWithIt { conditions.append("e.text < \(end)") }
        case .containing(let text):
            guard let match = try Outbox.match(text, and: query.facets, in: database) else {
                source = .texts
                conditions.append(
                    """
                    e.number IN (SELECT number FROM event INDEXED BY event_text
                        WHERE instr(lower(CAST(text AS TEXT)), lower(\(text))) > 0) AND e.personal = 0
                    """)
                return
            }
            source = .search
            conditions.append("s.event_search MATCH \(match)")
            guard query.since != nil || query.until != nil else { return }
            // The full-text index has no times; the range of event numbers narrows it.
            let first = query.since?.milliseconds ?? .min
            let end = query.until?.milliseconds ?? .max
            let range: SQL = "FROM event WHERE time >= \(first) AND time < \(end)"
            conditions.append("s.rowid BETWEEN (SELECT min(number) \(range)) AND (SELECT max(number) \(range))")
        }
    }

    /// Adds the conditions on operator, location and symbology.
    private mutating func addReaders() {
        let readers = query.readers
        let plus: SQL = isLed ? "+" : ""
        for (column, value) in readers { conditions.append("\(plus)e.\(sql: column) = \(value)") }
        isLed = isLed || !readers.isEmpty
        if let symbology = query.symbology {
            let plus: SQL = isLed ? "+" : ""
            conditions.append("\(plus)e.format = \(symbology.rawValue)")
        }
    }

    private mutating func add(_ state: DeliveryState, in database: Database) throws {
        let isRare = try Self.isRare(state, in: database)
        if !isLed, query.symbology == nil || isRare {
            source = .deliveries
            conditions.append("d.state = \(state.rawValue)")
        } else if isRare {
            conditions.append("+\(source.number) IN (SELECT event FROM delivery WHERE state = \(state.rawValue))")
        } else {
            conditions.append(
                "EXISTS (SELECT 1 FROM delivery d WHERE d.event = \(source.number) AND +d.state = \(state.rawValue))")
        }
    }

    private mutating func addTimes() {
        // An index that another condition uses must not be given up for the index of times.
        let plus: SQL = source.isByNumber ? "+" : ""
        if let since = query.since { conditions.append("\(plus)\(source.time) >= \(since.milliseconds)") }
        if let until = query.until { conditions.append("\(plus)\(source.time) < \(until.milliseconds)") }
        if let before = query.before {
            let columns: SQL = source.isByNumber ? "number" : "time, number"
            conditions.append("(\(source.place)) < (SELECT \(columns) FROM event WHERE id = \(before.description))")
        }
    }

    /// Indicates whether few deliveries are in a state.
    ///
    /// It is then faster to hold their events in memory than to look up the delivery of each event that the other
    /// conditions find.
    private static func isRare(_ state: DeliveryState, in database: Database) throws -> Bool {
        let most = 10_000
        let count = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM (SELECT 1 FROM delivery WHERE state = ? LIMIT ?)",
            arguments: [state.rawValue, most + 1])
        return count.map { $0 <= most } ?? true
    }
}

extension HistoryQuery {
    /// The requested operator and location, by column.
    fileprivate var readers: [(column: String, value: String)] {
        [("operator", self.operator), ("place", place)].compactMap { column, value in value.map { (column, $0) } }
    }

    /// The columns that are compared as a whole and are terms of the full-text index.
    var facets: [(column: String, value: String)] {
        readers + (symbology.map { [("format", $0.rawValue)] } ?? [])
    }
}

extension Data {
    /// The smallest bytes that sort after all bytes with this prefix; `nil` if there are none.
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
