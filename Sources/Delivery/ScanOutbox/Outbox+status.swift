public import FoundationEssentials
internal import GRDB
internal import ScanEvents

/// How much an outbox holds.
public struct OutboxStatus: Sendable, Hashable {
    /// The counts of one destination.
    public struct Destination: Sendable, Hashable {
        /// How many deliveries are in each state; a state without any is missing.
        public var counts: [DeliveryState: Int]
        /// When the oldest event was read that is pending; nil when none is.
        public var oldestPending: Date?
        /// Why it is disabled; nil where it is not.
        public var disabled: String?
        /// Until when it has asked to be left alone; nil if it has not.
        public var pausedUntil: Date?
    }

    /// How many events there are.
    public var events: Int
    /// The destinations that anything was for, by name.
    public var destinations: [String: Destination]
}

extension Outbox {
    /// Counts what there is.
    ///
    /// It takes a tenth of a second a million events.
    ///
    /// - Parameter now: the time that pauses are counted from.
    public func status(now: Date = Date()) async throws -> OutboxStatus {
        let disabled = try await disabledDestinations()
        let paused = try await pausedDestinations(now: now)
        return try await commits.read { [damage] database in
            var status = OutboxStatus(
                events: try Int.fetchOne(database, sql: "SELECT count(*) FROM event") ?? 0, destinations: [:])
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT destination, state, count(*), min(time) FROM delivery GROUP BY destination, state")
            for row in rows {
                do {
                    let name: String = try row.value(0)
                    let state = try DeliveryState(stored: row.value(1))
                    var destination =
                        status.destinations[name]
                        ?? OutboxStatus.Destination(counts: [:], disabled: disabled[name], pausedUntil: paused[name])
                    destination.counts[state] = try row.value(2)
                    if state == .pending { destination.oldestPending = Date(milliseconds: try row.value(3)) }
                    status.destinations[name] = destination
                } catch {
                    damage.note("delivery", nil, error)
                }
            }
            return status
        }
    }

    /// How many deliveries a destination waits for, and when the oldest of their events was read.
    package func backlog(_ destination: String) async throws -> (depth: Int, oldest: Date?) {
        try await commits.read { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT count(*), min(time) FROM delivery INDEXED BY delivery_due
                    WHERE destination = ? AND state = 0
                    """, arguments: [destination])
            let oldest = try row?.value(1, as: Int64?.self)
            return (try row?.value(0) ?? 0, oldest.map { Date(milliseconds: $0) })
        }
    }
}
