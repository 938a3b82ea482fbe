public import FoundationEssentials
internal import GRDB
public import ScanEvents

/// A selection of deliveries to replay.
public enum ReplaySelection: Sendable, Hashable {
    /// The deliveries of one event.
    case event(EventID)
    /// The deliveries of events scanned from `since`, inclusive, to `until`, exclusive.
    case time(since: Date, until: Date)
    /// All deliveries in a state, dead or disabled.
    case state(DeliveryState)
}

extension Outbox {
    /// Sends events again with their original identifiers and bytes, except those whose messages were removed.
    ///
    /// - Parameters:
    ///   - selection: the deliveries to replay.
    ///   - destinations: the destinations to send to, including new ones for an event; `nil` for its original
    ///     destinations.
    ///   - now: the time at which the deliveries become due.
    /// - Returns: the number of deliveries that are now due.
    /// - Throws: ``OutboxError``: `not_found` if there is no such event, `withheld` if its message was removed.
    public func replay(
        _ selection: ReplaySelection, to destinations: [Destination]? = nil, now: Date = Date()
    ) async throws -> Int {
        var count = 0
        var after = ReplayCursor(time: .min, number: 0)
        while case let events = try await nextEvents(of: selection, after: after), let last = events.last {
            // An index out of order would cause an endless loop.
            guard (last.time, last.number) > (after.time, after.number) else { throw OutboxError.corrupt(path) }
            count += try await replay(events.map(\.number), selection: selection, to: destinations, now: now)
            after = last
        }
        if count == 0, case .event(let id) = selection {
            guard let record = try await event(id) else {
                throw OutboxError(.notFound, "the outbox \(path) has no event \(id)")
            }
            if record.event.symbol.withheld != nil {
                throw OutboxError(
                    .withheld,
                    "the message of the event \(id) was personal and was removed after its delivery; see keep.personal")
            }
        }
        accepted.signal()
        if case .event(let id) = selection { followers.changed([id.description]) }
        return count
    }

    /// The position of an event in the order of times, so that a replay can proceed in small steps.
    private struct ReplayCursor: Sendable {
        var time: Int64
        var number: Int64
    }

    private func nextEvents(of selection: ReplaySelection, after: ReplayCursor) async throws -> [ReplayCursor] {
        let sql: String
        var arguments: StatementArguments
        switch selection {
        case .event(let id):
            sql = "SELECT time, number FROM event WHERE id = ? AND (time, number) > (?, ?) LIMIT ?"
            arguments = [id.description]
        case .time(let since, let until):
            sql = """
                SELECT time, number FROM event INDEXED BY event_time WHERE time >= ? AND time < ?
                AND (time, number) > (?, ?) ORDER BY time, number LIMIT ?
                """
            arguments = [since.milliseconds, until.milliseconds]
        case .state(let state):
            sql = """
                SELECT DISTINCT time, event FROM delivery INDEXED BY delivery_state
                WHERE state = ? AND (time, event) > (?, ?) ORDER BY time, event LIMIT ?
                """
            arguments = [state.rawValue]
        }
        arguments += [after.time, after.number, Self.rowsAtOnce]
        return try await commits.read { [arguments, path] database in
            try Row.fetchAll(database, sql: sql, arguments: arguments).map { row in
                guard let time = try? row.value(0, as: Int64.self), let number = try? row.value(1, as: Int64.self)
                else { throw OutboxError.corrupt(path) }
                return ReplayCursor(time: time, number: number)
            }
        }
    }

    private func replay(
        _ numbers: [Int64], selection: ReplaySelection, to destinations: [Destination]?, now: Date
    ) async throws -> Int {
        try await commits.commit { [damage] database in
            var count = 0
            for number in numbers {
                let state = try Int.fetchOne(
                    database.cachedStatement(sql: "SELECT personal FROM event WHERE number = ?"), arguments: [number])
                if state == PersonalState.withheld.rawValue { continue }
                if let destinations {
                    do {
                        try Self.addDeliveries(of: number, to: destinations, now: now, in: database)
                    } catch  where error is DecodingError || error is RowDecodingError {
                        damage.note("event", number, error)
                        continue
                    }
                }
                var sql = """
                    UPDATE delivery SET state = 0, attempts = 0, leased = 0, next_attempt_at = ?, delay = 0
                    WHERE event = ?
                    """
                var arguments: StatementArguments = [now.milliseconds, number]
                if case .state(let state) = selection {
                    sql += " AND state = ?"
                    arguments += [state.rawValue]
                }
                if let destinations {
                    sql += " AND destination IN (\(destinations.map { _ in "?" }.joined(separator: ", ")))"
                    arguments += StatementArguments(destinations.map(\.name))
                }
                try database.cachedStatement(sql: sql).execute(arguments: arguments)
                count += database.changesCount
            }
            return count
        }
    }

    private static func addDeliveries(
        of number: Int64, to destinations: [Destination], now: Date, in database: Database
    ) throws {
        guard
            let body = try Data.fetchOne(database, sql: "SELECT body FROM event WHERE number = ?", arguments: [number])
        else { return }
        let event = try StoredBody.event(in: body)
        for destination in destinations where destination.filter.admits(event) {
            let delivery = try OutboxEntry.delivery(of: event, to: destination)
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO delivery (event, destination, state, next_attempt_at, time, media_type, body)
                    VALUES (?, ?, 0, ?, ?, ?, ?)
                    """,
                arguments: [
                    number, delivery.destination, now.milliseconds, event.time.milliseconds, delivery.mediaType,
                    delivery.body,
                ])
            try database.execute(
                sql: """
                    UPDATE event SET destinations = (SELECT count(*) FROM delivery WHERE event = number)
                    WHERE number = ?
                    """, arguments: [number])
        }
    }
}
