public import FoundationEssentials
internal import GRDB
internal import ScanEvents

/// The counts of an outbox.
public struct OutboxStatus: Sendable, Hashable {
    /// The counts of one destination.
    public struct Destination: Sendable, Hashable {
        /// The number of deliveries in each state; states without deliveries are omitted.
        public var counts: [DeliveryState: Int]
        /// The scan time of the oldest pending event; `nil` if there is none.
        public var oldestPending: Date?
        /// The reason for which it is disabled; `nil` if it is enabled.
        public var disabled: String?
        /// The end of the pause that it has asked for; `nil` if there is none.
        public var pausedUntil: Date?
    }

    /// The number of events.
    public var events: Int
    /// The destinations that have deliveries, by name.
    public var destinations: [String: Destination]
}

extension Outbox {
    /// Counts the content of the outbox.
    ///
    /// Takes a tenth of a second for a million events.
    ///
    /// - Parameter now: the time to count pauses from.
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

    /// The number of pending deliveries of a destination, and the scan time of the oldest of their events.
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
