internal import FoundationEssentials
internal import GRDB
public import ScanEvents

extension Outbox {
    /// Returns a follower that is notified of each committed event and each changed delivery from now on.
    public func follow() -> OutboxFollower { followers.add() }

    /// The last committed event; `nil` if there is none.
    public func newestEvent() async throws -> EventID? {
        try await commits.read { database in
            try String.fetchOne(
                database.cachedStatement(sql: "SELECT id FROM event ORDER BY number DESC LIMIT 1")
            ).flatMap { EventID($0) }
        }
    }

    /// Returns the events committed after another one, in commit order.
    ///
    /// If that event does not exist, returns the events with larger identifiers, which grow with their creation
    /// time.
    ///
    /// - Parameters:
    ///   - id: the previous event; `nil` to begin with the first event.
    ///   - limit: the maximum number of events.
    public func events(after id: EventID?, limit: Int) async throws -> [HistoryRecord] {
        try await commits.read { database in
            var condition = "number > ?"
            var start: any DatabaseValueConvertible = Int64.min
            if let id {
                // Not by a row number that the caller remembers: numbers of deleted events are reused.
                let number = try Int64.fetchOne(
                    database.cachedStatement(sql: "SELECT number FROM event WHERE id = ?"),
                    arguments: [id.description])
                condition = number == nil ? "id > ?" : "number > ?"
                start = number ?? id.description
            }
            var found: [HistoryRecord] = []
            while true {
                let wanted = limit - found.count
                let rows = try Row.fetchAll(
                    database.cachedStatement(
                        sql: "SELECT number, body FROM event WHERE \(condition) ORDER BY number LIMIT ?"),
                    arguments: [start, wanted])
                found += try self.records(rows, in: database)
                // A page of damaged rows must not look like the end.
                guard found.count < limit, rows.count == wanted, wanted > 0,
                    let last = try? rows.last?.value(0, as: Int64.self)
                else { return found }
                condition = "number > ?"
                start = last
            }
        }
    }

    /// Returns the events with these identifiers and their deliveries.
    ///
    /// Missing events are omitted.
    public func events(_ ids: some Collection<EventID> & Sendable) async throws -> [HistoryRecord] {
        try await commits.read { database in
            try ids.compactMap { id in
                try Row.fetchOne(
                    database.cachedStatement(sql: "SELECT number, body FROM event WHERE id = ?"),
                    arguments: [id.description]
                ).flatMap { try self.record($0, in: database) }
            }
        }
    }

    /// Returns the events whose source has the detail `name` with this value, oldest first.
    ///
    /// - Parameters:
    ///   - name: the name of the detail, a plain word.
    ///   - value: the value to match.
    ///   - newest: the number of newest events to search.
    public func events(
        withDetail name: String, _ value: String, among newest: Int
    ) async throws -> [HistoryRecord] {
        try await commits.read { database in
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT number, body FROM (SELECT number, body FROM event ORDER BY number DESC LIMIT ?)
                        WHERE CASE WHEN json_valid(CAST(body AS TEXT))
                            THEN json_extract(CAST(body AS TEXT), '$.data.source.details.' || ?) END = ?
                        ORDER BY number
                        """), arguments: [newest, name, value])
            return try self.records(rows, in: database)
        }
    }
}
