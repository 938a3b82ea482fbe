public import BarcodeCore
public import FoundationEssentials
internal import GRDB
public import ScanEvents

/// A query for events of an outbox.
public struct HistoryQuery: Sendable, Hashable {
    /// The comparison of an event's text; each uses an index.
    public enum Text: Sendable, Hashable {
        /// The whole text.
        case exactly(String)
        /// The beginning of the text. The events are sorted by text.
        case beginning(String)
        /// A part of the text, ignoring case. The events are sorted by storage order, newest first.
        ///
        /// Does not search personal messages, nor a text beyond 1,024 characters or after a NUL.
        case containing(String)
    }

    /// The earliest time, inclusive.
    public var since: Date?
    /// The latest time, exclusive.
    public var until: Date?
    /// The condition on the text.
    public var text: Text?
    /// The symbology.
    public var symbology: Symbology?
    /// The state at any destination.
    public var state: DeliveryState?
    /// The operator.
    public var `operator`: String?
    /// The location of the scan.
    public var place: String?
    /// An event to continue after: the last one of the previous page.
    ///
    /// Only older events are returned.
    ///
    /// It requires ``newestFirst``.
    public var before: EventID?
    /// Indicates whether the newest come first even if the text is searched by its beginning, which requires
    /// sorting.
    public var newestFirst = false
    /// The maximum number of events.
    public var limit: Int

    /// Creates a query; without arguments it returns the newest hundred events.
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

/// An event and its deliveries.
public struct HistoryRecord: Sendable, Hashable {
    /// The delivery of an event to one destination.
    public struct Delivery: Sendable, Hashable {
        /// The destination's name.
        public var destination: String
        /// The state.
        public var state: DeliveryState
        /// The number of attempts.
        public var attempts: Int
        /// The time when the next attempt is due; `nil` in a final state.
        public var nextAttempt: Date?
        /// The time of the last attempt; `nil` before the first.
        public var lastAttempt: Date?
        /// The status of the last response; `nil` if there was none.
        public var lastStatus: Int?
        /// The reason for which the last attempt failed; `nil` on success.
        public var lastError: String?
    }

    /// The event.
    public var event: ScanEvent
    /// The deliveries, sorted by destination name.
    public var deliveries: [Delivery]
}

extension Outbox {
    /// Returns the events that match a query, newest first by default.
    public func history(_ query: HistoryQuery) async throws -> [HistoryRecord] {
        try await commits.read { database in
            let request = SQLRequest<Row>(literal: try HistoryStatement(query, in: database).sql)
            return try self.records(try request.fetchAll(database), in: database)
        }
    }

    /// Returns the event with an identifier; `nil` if there is none.
    public func event(_ id: EventID) async throws -> HistoryRecord? {
        try await commits.read { database in
            try Row.fetchOne(
                database, sql: "SELECT number, body FROM event WHERE id = ?", arguments: [id.description]
            ).flatMap { try self.record($0, in: database) }
        }
    }

    /// The events of rows that start with the number and the body.
    ///
    /// Damaged rows are recorded and skipped.
    func records(_ rows: [Row], in database: Database) throws -> [HistoryRecord] {
        try rows.compactMap { try record($0, in: database) }
    }

    /// The event of a row that starts with the number and the body; `nil` if it is damaged, which is recorded.
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
    /// Creates the state from a column.
    init(stored number: Int) throws {
        guard let state = DeliveryState(rawValue: number) else {
            throw DamagedValue(reason: "the state \(number) is not valid")
        }
        self = state
    }
}

/// The body in an event's row, in the format of Standard Webhooks.
struct StoredBody: Decodable {
    var data: ScanEvent

    static func event(in body: Data) throws -> ScanEvent {
        try JSONDecoder().decode(StoredBody.self, from: body).data
    }
}
