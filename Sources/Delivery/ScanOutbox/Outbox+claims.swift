package import FoundationEssentials
internal import GRDB
package import ScanEvents

/// A delivery that this process has leased for an attempt.
package struct Claim: Sendable, Hashable {
    /// The number of the event's row.
    package var event: Int64
    /// The destination's name.
    package var destination: String
    /// The event's identifier, which receivers use for idempotency.
    package var id: String
    /// The number of earlier attempts.
    package var attempts: Int
    /// The time of the scan, in milliseconds since 1970.
    package var time: Int64
    /// The media type of the bytes, such as `application/json`.
    package var mediaType: String
    /// The exact bytes to send.
    package var body: Data
    /// The event as stored in the outbox; `nil` if it is the same as ``body``.
    package var eventBody: Data?

    /// The scan event.
    ///
    /// - Throws: a decoding error if the row is damaged.
    package func storedEvent() throws -> ScanEvent { try StoredBody.event(in: eventBody ?? body) }
}

extension Claim {
    /// A limit above that of any schedule.
    private static let maximumAttempts = 1_000_000

    fileprivate init(_ row: Row, event: Int64, destination: String) throws {
        self.init(
            event: event, destination: destination, id: try row.value(1), attempts: try row.value(2),
            time: try row.value(3), mediaType: try row.value(4, as: String?.self) ?? PayloadFormat.standard.mediaType,
            body: try row.value(5), eventBody: try row.value(6, as: Data?.self))
        guard EventID(id) != nil else { throw DamagedValue(reason: "the identifier of its event is not valid") }
        guard 0...Self.maximumAttempts ~= attempts else { throw DamagedValue(reason: "\(attempts) attempts") }
    }
}

/// The changes to a delivery after an attempt.
package struct Settlement: Sendable {
    /// The attempted delivery.
    package var claim: Claim
    /// The new state.
    package var state: DeliveryState
    /// The delay before the next attempt; `nil` in a final state.
    package var delay: Duration?
    /// The pause of the whole destination; `nil` for none.
    package var pause: Duration?
    /// The status of the response; `nil` if there was none.
    package var status: Int?
    /// The reason of a failure; `nil` on success.
    package var reason: String?
    /// The time at which the attempt ended.
    package var attemptedAt: Date

    /// Creates the settlement of a claim.
    package init(
        _ claim: Claim, state: DeliveryState, delay: Duration? = nil, pause: Duration? = nil, status: Int? = nil,
        reason: String? = nil, attemptedAt: Date
    ) {
        self.claim = claim
        self.state = state
        self.delay = delay
        self.pause = pause
        self.status = status
        self.reason = reason
        self.attemptedAt = attemptedAt
    }
}

extension Outbox {
    /// Leases up to `limit` due deliveries of a destination, the longest due first.
    ///
    /// They are not leased again until the lease has expired or the outbox is reopened.
    package func claim(_ destination: String, limit: Int, now: Date, lease: Duration) async throws -> [Claim] {
        let until = now.milliseconds + lease.milliseconds
        return try await commits.commit { [damage, path] database in
            let due = try database.cachedStatement(
                sql: """
                    SELECT d.event, e.id, d.attempts, d.time, d.media_type, coalesce(d.body, e.body),
                        iif(d.body IS NULL, NULL, e.body)
                    FROM delivery d INDEXED BY delivery_due JOIN event e ON e.number = d.event
                    WHERE d.destination = ? AND d.state = 0 AND d.next_attempt_at <= ?
                    ORDER BY d.next_attempt_at LIMIT ?
                    """)
            // The row itself must be due, so no index is used but that of the primary key. A damaged row without a time
            // is leased too: it is named and left out below.
            let lease = try database.cachedStatement(
                sql: """
                    UPDATE delivery SET leased = 1, next_attempt_at = ?
                    WHERE event = ? AND destination = ? AND +state = 0 AND (+next_attempt_at > ?) IS NOT TRUE
                    """)
            while true {
                let rows = try Row.fetchAll(due, arguments: [destination, now.milliseconds, limit])
                var claims: [Claim] = []
                for row in rows {
                    guard let event = try? row.value(0, as: Int64.self) else { throw OutboxError.corrupt(path) }
                    try lease.execute(arguments: [until, event, destination, now.milliseconds])
                    // An index entry without a row, or one that says other things than its row, would be returned again
                    // and again.
                    guard database.changesCount == 1 else { throw OutboxError.corrupt(path) }
                    do {
                        claims.append(try Claim(row, event: event, destination: destination))
                    } catch {
                        damage.note("delivery", event, error)
                    }
                }
                // If all of them are damaged, there may be others behind them.
                if !claims.isEmpty || rows.isEmpty { return claims }
            }
        }
    }

    /// Releases claims that were not attempted.
    package func release(_ claims: [Claim], now: Date) async throws {
        if claims.isEmpty { return }
        try await commits.commit { database in
            for claim in claims {
                try database.cachedStatement(
                    sql: """
                        UPDATE delivery SET leased = 0, next_attempt_at = ?
                        WHERE event = ? AND destination = ? AND leased = 1
                        """
                ).execute(arguments: [now.milliseconds, claim.event, claim.destination])
            }
        }
    }

    /// Stores the results of attempts.
    ///
    /// A delivery that was delivered under an earlier lease does not change. One whose destination was disabled
    /// meanwhile is not tried again.
    package func settle(_ settlements: [Settlement]) async throws {
        try await commits.commit { database in
            for settlement in settlements { try Self.settle(settlement, in: database) }
        }
        followers.changed(settlements.map(\.claim.id))
    }

    private static func settle(_ settlement: Settlement, in database: Database) throws {
        let claim = settlement.claim
        let delay = settlement.delay?.milliseconds ?? 0
        if let pause = settlement.pause?.milliseconds {
            // An attempt beside the one that was told to wait may have been told of less. A clock that was set back does
            // not make a pause longer than it is.
            try database.cachedStatement(
                sql: """
                    INSERT INTO paused (destination, until, delay) VALUES (?, ?, ?)
                    ON CONFLICT (destination) DO UPDATE SET until = excluded.until, delay = excluded.delay
                    WHERE excluded.until > min(until, ? + delay)
                    """
            ).execute(arguments: [
                claim.destination, settlement.attemptedAt.milliseconds + pause, pause,
                settlement.attemptedAt.milliseconds,
            ])
        }
        try database.cachedStatement(
            sql: """
                UPDATE delivery SET state = iif(state = 3 AND ?1 = 0, 3, ?1), attempts = ?2, leased = 0,
                    next_attempt_at = ?3, delay = ?4, last_attempt_at = ?5, last_status = ?6, last_error = ?7
                WHERE event = ?8 AND destination = ?9 AND state <> 1
                """
        ).execute(
            arguments: [
                settlement.state.rawValue, claim.attempts + 1, settlement.attemptedAt.milliseconds + delay, delay,
                settlement.attemptedAt.milliseconds, settlement.status, settlement.reason,
                claim.event, claim.destination,
            ])
    }

    /// Makes deliveries due that failed because the receiver was unreachable, now that it is back.
    ///
    /// Attempts without a response, or with status 429, 502, 503 or 504, say nothing about their events.
    ///
    /// - Parameters:
    ///   - refused: the events on which the receiver failed while it took others.
    ///   - isCounted: `false` not to count the last such attempt, so that an early retry uses up no attempt.
    /// - Returns: the number of deliveries that became due.
    @discardableResult
    package func retryUnreached(
        _ destination: String, besides refused: [Int64] = [], isCounted: Bool = false, now: Date
    ) async throws -> Int {
        let refused = "[\(refused.map(String.init).joined(separator: ","))]"
        var total = 0
        var count = Self.rowsAtOnce
        while count == Self.rowsAtOnce {
            count = try await commits.commit { database in
                try database.cachedStatement(
                    sql: """
                        UPDATE delivery SET next_attempt_at = :now, delay = 0, attempts = max(attempts - :uncounted, 0)
                        WHERE (event, destination) IN (
                            SELECT event, destination FROM delivery INDEXED BY delivery_due
                            WHERE destination = :destination AND state = 0 AND next_attempt_at > :now AND leased = 0
                                AND last_error IS NOT NULL
                                AND (last_status IS NULL OR last_status IN (429, 502, 503, 504))
                                AND event NOT IN (SELECT value FROM json_each(:refused))
                            LIMIT :limit)
                        """
                ).execute(arguments: [
                    "now": now.milliseconds, "destination": destination, "limit": Self.rowsAtOnce, "refused": refused,
                    "uncounted": isCounted ? 0 : 1,
                ])
                return database.changesCount
            }
            total += count
        }
        return total
    }

    /// The remaining pause of a destination; `nil` if there is none.
    ///
    /// It is never longer than the requested pause, even if the clock was changed.
    package func pause(of destination: String, now: Date) async throws -> Duration? {
        try await pausedDestinations(now: now)[destination].map {
            .milliseconds($0.milliseconds - now.milliseconds)
        }
    }

    /// Makes the leases of an ended process due.
    static func reclaimLeases(_ database: Database) throws {
        try database.execute(
            sql: "UPDATE delivery SET leased = 0, next_attempt_at = 0 WHERE leased = 1")
    }

    /// Corrects next attempts that are further away than their delay, because the clock was set back.
    package func repairAfterClockJump(now: Date) async throws {
        try await commits.commit { database in
            try database.execute(
                sql: """
                    UPDATE delivery SET next_attempt_at = :now + delay
                    WHERE state = 0 AND leased = 0 AND next_attempt_at > :now + delay
                    """, arguments: ["now": now.milliseconds])
        }
    }
}
