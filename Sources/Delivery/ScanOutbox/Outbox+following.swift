internal import FoundationEssentials
internal import GRDB
public import ScanEvents

extension Outbox {
    /// Hears from now on of each commit of events and of each change of a delivery.
    public func follow() -> OutboxFollower { followers.add() }

    /// The event that was committed last; nil where there is none.
    public func newestEvent() async throws -> EventID? {
        try await commits.read { database in
            try String.fetchOne(
                database.cachedStatement(sql: "SELECT id FROM event ORDER BY number DESC LIMIT 1")
            ).flatMap { EventID($0) }
        }
    }

    /// Events that were committed after another, in the order of the commits.
    ///
    /// Where the other one is no more, or was never here, they are those whose identifiers are larger: identifiers
    /// grow with the time that they were made.
    ///
    /// - Parameters:
    ///   - id: the event before them; nil for the first that there is.
    ///   - limit: the most events.
    public func events(after id: EventID?, limit: Int) async throws -> [HistoryRecord] {
        try await commits.read { database in
            var condition = "number > ?"
            var start: any DatabaseValueConvertible = Int64.min
            if let id {
                // By the identifier and not by a number that the caller remembers: numbers of deleted events are
                // given out again.
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
                // Rows that are damaged must not look like the end of all.
                guard found.count < limit, rows.count == wanted, wanted > 0,
                    let last = try? rows.last?.value(0, as: Int64.self)
                else { return found }
                condition = "number > ?"
                start = last
            }
        }
    }

    /// The events of identifiers and what became of them; those that are no more are left out.
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

    /// The events in whose source the detail `name` has this value, the oldest first.
    ///
    /// - Parameters:
    ///   - name: the detail's name, which is a plain word.
    ///   - value: what it has to be.
    ///   - newest: how many of the newest events are looked at.
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
