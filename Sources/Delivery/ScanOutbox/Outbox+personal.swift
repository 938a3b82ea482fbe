public import FoundationEssentials
internal import GRDB
internal import ScanEvents

/// What an outbox knows of an event's message, as the column `personal` has it.
enum PersonalState: Int, Sendable {
    /// Nothing in it is personal.
    case none = 0
    /// Nobody has looked: the event was stored before there was the column.
    case unknown = 1
    /// Something is, and it is there.
    case kept = 2
    /// Something was, and the message is gone.
    case withheld = 3
}

extension Outbox {
    /// Rows that one transaction looks at.
    private static let rowsLookedAt = 5000

    /// Takes away the messages that are personal and no longer needed.
    ///
    /// Those are delivered everywhere, or given up and older than what is kept; those for no destination as
    /// ``Retention/withholdsUnsent`` says. The event stays, with the kind of its
    /// content in the place of the message. What is pending anywhere is left alone. The bytes in the file are overwritten.
    ///
    /// - Returns: how many messages that were.
    @discardableResult
    public func withholdPersonal(_ retention: Retention, now: Date = Date()) async throws -> Int {
        // Also where they are kept: what nobody has looked at cannot be searched.
        while try await lookAtSome() {}
        guard let wait = retention.personalAge else { return 0 }
        let latest = now.milliseconds - wait.milliseconds
        let oldest = retention.age.map { now.milliseconds - $0.milliseconds } ?? .min
        var after: Int64? = .min
        var total = 0
        while let start = after {
            let (count, next) = try await withholdSome(
                after: start, latest: latest, oldest: oldest, isUnsentTaken: retention.withholdsUnsent)
            total += count
            after = next
        }
        if total > 0 { try await commits.emptyLog() }
        return total
    }

    /// Looks at messages that were stored before there was the column; whether there may be more.
    private func lookAtSome() async throws -> Bool {
        try await commits.commit { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT number, body FROM event WHERE personal = 1 LIMIT ?",
                arguments: [Self.rowsAtOnce])
            for row in rows {
                // One that cannot be read is met by whoever reads it.
                let event = try? StoredBody.event(in: row.value(1))
                let state: PersonalState = event?.personalContent == nil ? .none : .kept
                try database.cachedStatement(sql: "UPDATE event SET personal = ? WHERE number = ?")
                    .execute(arguments: [state.rawValue, try row.value(0, as: Int64.self)])
            }
            return rows.count == Self.rowsAtOnce
        }
    }

    /// - Parameters:
    ///   - latest: the time of the newest event that may be taken, in milliseconds.
    ///   - oldest: the time before which events go that were given up.
    ///   - isUnsentTaken: whether events for no destination count as delivered.
    /// - Returns: how many messages were taken away, and the row after which to go on; nil at the end.
    private func withholdSome(
        after: Int64, latest: Int64, oldest: Int64, isUnsentTaken: Bool
    ) async throws -> (Int, Int64?) {
        try await commits.commit { [damage] database in
            let numbers = try Int64.fetchAll(
                database.cachedStatement(
                    sql: "SELECT number FROM event WHERE personal = 2 AND number > ? ORDER BY number LIMIT ?"),
                arguments: [after, Self.rowsLookedAt])
            guard let last = numbers.last else { return (0, nil) }
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT number, body FROM event e WHERE personal = 2 AND number > ? AND number <= ?
                        AND time <= ? AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.event = e.number
                            AND (d.state = 0 OR d.state <> 1 AND e.time >= ?))
                        AND (? OR EXISTS (SELECT 1 FROM delivery d WHERE d.event = e.number))
                        """), arguments: [after, last, latest, oldest, isUnsentTaken])
            for row in rows {
                let number: Int64 = try row.value(0)
                let event: ScanEvent
                do {
                    event = try StoredBody.event(in: row.value(1)).withholdingPersonal()
                } catch {
                    damage.note("event", number, error)
                    continue
                }
                try database.cachedStatement(
                    sql: "UPDATE event SET text = ?, body = ?, personal = ? WHERE number = ?"
                ).execute(
                    arguments: [
                        Data(event.symbol.text.utf8), try PayloadFormat.standard.body(for: event),
                        (event.symbol.withheld == nil ? PersonalState.none : .withheld).rawValue, number,
                    ])
                try database.cachedStatement(sql: "UPDATE delivery SET body = NULL WHERE event = ?")
                    .execute(arguments: [number])
            }
            return (rows.count, numbers.count == Self.rowsLookedAt ? last : nil)
        }
    }
}
