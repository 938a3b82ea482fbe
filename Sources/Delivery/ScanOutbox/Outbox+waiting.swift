public import FoundationEssentials
internal import GRDB
internal import ScanEvents

/// What a destination has not got, and why.
public struct WaitingDeliveries: Sendable, Hashable {
    /// The destination's name.
    public var destination: String
    /// How many deliveries are still to be made.
    public var pending: Int
    /// When the next of them is attempted; nil where none is pending.
    public var nextAttempt: Date?
    /// The end of the pause that the destination has asked for by Retry-After; `nil` if there is none.
    public var pausedUntil: Date?
    /// How many deliveries were given up, or were never made because the destination wants no more.
    public var givenUp: Int
    /// Why the destination wants no more; nil where it does.
    public var disabled: String?
    /// When the last attempt failed that has not been made up for; nil where none has.
    public var lastAttempt: Date?
    /// The status of that attempt's answer; nil where there was none.
    public var lastStatus: Int?
    /// Why that attempt failed; nil where none has.
    public var lastError: String?
}

extension Outbox {
    /// How many of the newest deliveries of each state are looked through for the last failure of a destination.
    private static let rowsLookedAt = 10_000

    /// The destinations that wait for something, or for which something was given up, by name.
    ///
    /// - Parameter now: the time that pauses are counted from.
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

    /// The destinations that events wait for and that are not among the given ones, with the number of events, by name.
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

    /// The advice about events that wait for a destination that is not configured, as a clause.
    package static let remedyOfUnknownDestination =
        "configure it under that name again, or send them elsewhere: scan-outbox replay --since TIME --to NAME"

    /// The failure of the newest attempt, among the newest events of each state.
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
