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
            let request = SQLRequest<Row>(literal: try HistoryStatement(query, in: database).sql)
            return try self.records(try request.fetchAll(database), in: database)
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
