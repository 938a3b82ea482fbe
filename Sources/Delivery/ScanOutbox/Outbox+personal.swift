public import FoundationEssentials
internal import GRDB
internal import ScanEvents

/// The state of an event's message with regard to personal data, as stored in the column `personal`.
enum PersonalState: Int, Sendable {
    /// The message has no personal data.
    case none = 0
    /// Not examined: the event was stored before the column existed.
    case unknown = 1
    /// The message has personal data and is kept.
    case kept = 2
    /// The message had personal data and was removed.
    case withheld = 3
}

extension Outbox {
    /// The number of rows examined in a transaction.
    private static let rowsLookedAt = 5000

    /// Removes personal messages that are no longer needed.
    ///
    /// These are messages that are delivered everywhere, or given up and older than the retention; for those
    /// without a destination ``Retention/withholdsUnsent`` decides. The event stays, with its kind of content
    /// instead of the message. Events with pending deliveries do not change. The bytes in the file are overwritten.
    ///
    /// - Returns: the number of removed messages.
    @discardableResult
    public func withholdPersonal(_ retention: Retention, now: Date = Date()) async throws -> Int {
        // Even if they are kept, because a message that has not been examined cannot be searched.
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

    /// Examines messages stored before the column existed; returns true if there may be more.
    private func lookAtSome() async throws -> Bool {
        try await commits.commit { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT number, body FROM event WHERE personal = 1 LIMIT ?",
                arguments: [Self.rowsAtOnce])
            for row in rows {
                // An unreadable row is reported when it is read for another purpose.
                let event = try? StoredBody.event(in: row.value(1))
                let state: PersonalState = event?.personalKind == nil ? .none : .kept
                try database.cachedStatement(sql: "UPDATE event SET personal = ? WHERE number = ?")
                    .execute(arguments: [state.rawValue, try row.value(0, as: Int64.self)])
            }
            return rows.count == Self.rowsAtOnce
        }
    }

    /// - Parameters:
    ///   - latest: the time of the newest event to include, in milliseconds.
    ///   - oldest: the time before which given-up events are included.
    ///   - isUnsentTaken: true if events without a destination count as delivered.
    /// - Returns: the number of removed messages, and the row to continue after; `nil` at the end.
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
