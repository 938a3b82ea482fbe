public import FoundationEssentials
internal import GRDB
internal import ScanEvents

extension Outbox {
    /// The maximum number of rows changed in a transaction, so that storing an event never waits long.
    static let rowsAtOnce = 1000

    /// Disables a destination that wants no more events, and its pending deliveries.
    public func disable(_ destination: String, reason: String, now: Date = Date()) async throws {
        try await commits.commit { database in
            try database.execute(
                sql: """
                    INSERT INTO disabled (destination, since, reason) VALUES (?, ?, ?)
                    ON CONFLICT DO UPDATE SET since = excluded.since, reason = excluded.reason
                    """, arguments: [destination, now.milliseconds, reason])
        }
        var count = Self.rowsAtOnce
        while count == Self.rowsAtOnce {
            let events = try await disableSome(of: destination)
            followers.changed(events)
            count = events.count
        }
    }

    /// Disables some pending deliveries; returns the identifiers of their events.
    private func disableSome(of destination: String) async throws -> [String] {
        try await commits.commit { database in
            try String.fetchAll(
                database,
                sql: """
                    UPDATE delivery SET state = 3, leased = 0 WHERE (event, destination) IN (
                        SELECT event, destination FROM delivery WHERE destination = ? AND state = 0 LIMIT ?)
                        AND state = 0
                    RETURNING (SELECT id FROM event WHERE number = delivery.event)
                    """, arguments: [destination, Self.rowsAtOnce])
        }
    }

    /// Enables a destination again and ends any pause that it has asked for.
    ///
    /// Deliveries disabled in the meantime are sent by a replay.
    public func enable(_ destination: String) async throws {
        try await commits.commit { database in
            try database.execute(sql: "DELETE FROM disabled WHERE destination = ?", arguments: [destination])
            try database.execute(sql: "DELETE FROM paused WHERE destination = ?", arguments: [destination])
        }
    }

    /// The reasons for which destinations are disabled, by name.
    public func disabledDestinations() async throws -> [String: String] {
        try await commits.read { [damage] database in
            var disabled: [String: String] = [:]
            for row in try Row.fetchAll(database, sql: "SELECT destination, reason FROM disabled") {
                do {
                    disabled[try row.value(0)] = try row.value(1, as: String.self)
                } catch {
                    damage.note("disabled", nil, error)
                }
            }
            return disabled
        }
    }

    /// The ends of the pauses that destinations have asked for, by name.
    ///
    /// No pause is longer than requested, even if the clock was changed.
    public func pausedDestinations(now: Date = Date()) async throws -> [String: Date] {
        try await commits.read { [damage] database in
            var paused: [String: Date] = [:]
            for row in try Row.fetchAll(database, sql: "SELECT destination, until, delay FROM paused") {
                do {
                    let (name, until, delay): (String, Int64, Int64) =
                        (try row.value(0), try row.value(1), try row.value(2))
                    if until > now.milliseconds {
                        paused[name] = Date(milliseconds: min(until, now.milliseconds &+ delay))
                    }
                } catch {
                    damage.note("paused", nil, error)
                }
            }
            return paused
        }
    }
}
