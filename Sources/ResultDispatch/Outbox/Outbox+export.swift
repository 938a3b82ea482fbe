public import FoundationEssentials
internal import GRDB

extension Outbox {
    /// Hands out the events of a time range in the order of their times, a part at a time: memory stays flat.
    public func forEachEvent(
        since: Date?, until: Date?, _ body: ([HistoryRecord]) async throws -> Void
    ) async throws {
        var time = since?.milliseconds ?? .min
        var number: Int64 = .min
        let end = until?.milliseconds ?? .max
        while true {
            let (lastTime, lastNumber) = (time, number)
            let part = try await commits.read { database in
                try Row.fetchAll(
                    database,
                    sql: """
                        SELECT time, number, body FROM event
                        WHERE (time, number) > (?, ?) AND time < ? ORDER BY time, number LIMIT ?
                        """, arguments: [lastTime, lastNumber, end, Self.rowsAtOnce]
                ).map { row in
                    (
                        time: row[0] as Int64, number: row[1] as Int64,
                        record: try Self.record(number: row[1], body: row[2], in: database)
                    )
                }
            }
            guard let last = part.last else { return }
            try await body(part.map(\.record))
            (time, number) = (last.time, last.number)
        }
    }
}
