public import FoundationEssentials
internal import GRDB
internal import ScanEvents

extension Outbox {
    /// Passes the events of a time range to a closure, in the order of their times.
    ///
    /// Works in batches to limit memory.
    public func forEachEvent(
        since: Date?, until: Date?, _ body: ([HistoryRecord]) async throws -> Void
    ) async throws {
        var time = since?.milliseconds ?? .min
        var number: Int64 = .min
        let end = until?.milliseconds ?? .max
        while true {
            let (lastTime, lastNumber) = (time, number)
            let part = try await commits.read { database in
                let rows = try Row.fetchAll(
                    database,
                    sql: """
                        SELECT number, body, time FROM event
                        WHERE (time, number) > (?, ?) AND time < ? ORDER BY time, number LIMIT ?
                        """, arguments: [lastTime, lastNumber, end, Self.rowsAtOnce])
                let last = try rows.last.map { row in
                    guard let time = try? row.value(2, as: Int64.self), let number = try? row.value(0, as: Int64.self)
                    else { throw OutboxError.corrupt(self.path) }
                    return (time: time, number: number)
                }
                return (last: last, records: try self.records(rows, in: database))
            }
            guard let last = part.last else { return }
            // An index out of order would cause an endless loop.
            guard last > (lastTime, lastNumber) else { throw OutboxError.corrupt(path) }
            try await body(part.records)
            (time, number) = last
        }
    }
}
