public import FoundationEssentials
internal import GRDB
internal import ScanEvents

/// The undelivered events of a destination, and the reason.
public struct WaitingDeliveries: Sendable, Hashable {
    /// The destination's name.
    public var destination: String
    /// The number of pending deliveries.
    public var pending: Int
    /// The time of the next attempt; `nil` if none is pending.
    public var nextAttempt: Date?
    /// The end of the pause that the destination has asked for by `Retry-After`; `nil` if there is none.
    public var pausedUntil: Date?
    /// The number of dead letters and of deliveries disabled because the destination wants no more events.
    public var givenUp: Int
    /// The reason for which it is disabled; `nil` if it is enabled.
    public var disabled: String?
    /// The time of the last failed attempt of a delivery that has not arrived since; `nil` if there is none.
    public var lastAttempt: Date?
    /// The status of its response; `nil` if there was none.
    public var lastStatus: Int?
    /// The reason for which it failed; `nil` if there is none.
    public var lastError: String?
}

extension Outbox {
    /// The number of newest deliveries in each state to search for the last failure of a destination.
    private static let rowsLookedAt = 10_000

    /// The destinations with pending or given-up deliveries, sorted by name.
    ///
    /// - Parameter now: the time to count pauses from.
    public func waiting(now: Date = Date()) async throws -> [WaitingDeliveries] {
        let disabled = try await disabledDestinations()
        let paused = try await pausedDestinations(now: now)
        return try await commits.read { [damage] database in
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT d.destination, sum(d.state = 0), min(CASE d.state WHEN 0 THEN d.next_attempt_at END),
                            sum(d.state <> 0)
                        FROM delivery d INDEXED BY delivery_state WHERE d.state IN (0, 2, 3)
                        GROUP BY d.destination ORDER BY d.destination
                        """))
            return try rows.compactMap { row in
                do {
                    let name: String = try row.value(0)
                    let next = try row.value(2, as: Int64?.self).map { Date(milliseconds: $0) }
                    var waiting = WaitingDeliveries(
                        destination: name, pending: try row.value(1),
                        nextAttempt: next.map { max($0, paused[name] ?? $0) }, pausedUntil: paused[name],
                        givenUp: try row.value(3), disabled: disabled[name])
                    if let failure = try Self.lastFailure(of: name, in: database) {
                        waiting.lastAttempt = try failure.value(0, as: Int64?.self).map { Date(milliseconds: $0) }
                        waiting.lastStatus = try failure.value(1)
                        waiting.lastError = try failure.value(2)
                    }
                    return waiting
                } catch  where !(error is DatabaseError) {
                    damage.note("delivery", nil, error)
                    return nil
                }
            }
        }
    }

    /// The destinations that events wait for and that are not among the known ones, with their number of events, by
    /// name.
    package func waiting(besides known: Set<String>) async throws -> [(name: String, count: Int)] {
        try await commits.read { [damage] database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT destination, count(*) FROM delivery INDEXED BY delivery_due WHERE state = 0
                    GROUP BY destination ORDER BY destination
                    """
            ).compactMap { row in
                do {
                    let name: String = try row.value(0)
                    return known.contains(name) ? nil : (name, try row.value(1))
                } catch {
                    damage.note("delivery", nil, error)
                    return nil
                }
            }
        }
    }

    /// The advice for events that wait for a destination that is not configured, as a clause.
    package static let remedyOfUnknownDestination =
        "configure it under that name again, or send them elsewhere: scan-outbox replay --since TIME --to NAME"

    /// The failure of the newest attempt, searched among the newest events of each state.
    private static func lastFailure(of destination: String, in database: Database) throws -> Row? {
        let newest = (["0", "2", "3"]).map { state in
            """
            SELECT * FROM (SELECT destination, last_attempt_at, last_status, last_error
                FROM delivery INDEXED BY delivery_state WHERE state = \(state) ORDER BY time DESC LIMIT \(rowsLookedAt))
            """
        }
        return try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT last_attempt_at, last_status, last_error FROM (\(newest.joined(separator: " UNION ALL ")))
                    WHERE destination = ? AND last_error IS NOT NULL
                    ORDER BY last_attempt_at DESC LIMIT 1
                    """), arguments: [destination])
    }
}
