public import FoundationEssentials
internal import GRDB

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
    public func status() async throws -> OutboxStatus {
        let disabled = try await disabledDestinations()
        return try await commits.read { database in
            var status = OutboxStatus(
                events: try Int.fetchOne(database, sql: "SELECT count(*) FROM event") ?? 0, destinations: [:])
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT destination, state, count(*), min(time) FROM delivery GROUP BY destination, state")
            for row in rows {
                let name: String = row[0]
                guard let state = DeliveryState(rawValue: row[1]) else { continue }
                var destination =
                    status.destinations[name] ?? OutboxStatus.Destination(counts: [:], disabled: disabled[name])
                destination.counts[state] = row[2]
                if state == .pending { destination.oldestPending = Date(milliseconds: row[3]) }
                status.destinations[name] = destination
            }
            return status
        }
    }

    /// How many deliveries a destination waits for, and when the oldest of their events was read.
    func backlog(_ destination: String) async throws -> (depth: Int, oldest: Date?) {
        try await commits.read { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT count(*), min(time) FROM delivery INDEXED BY delivery_due
                    WHERE destination = ? AND state = 0
                    """, arguments: [destination])
            return (row?[0] ?? 0, (row?[1] as Int64?).map { Date(milliseconds: $0) })
        }
    }

    /// Checks the whole database; returns what is wrong, one sentence each, nothing where all is well.
    public func verify() async throws -> [String] {
        try await commits.read { database in
            var faults = try String.fetchAll(database, sql: "PRAGMA integrity_check(100)").filter { $0 != "ok" }
            let orphans = try Int.fetchOne(
                database, sql: "SELECT count(*) FROM delivery WHERE event NOT IN (SELECT number FROM event)")
            if let orphans, orphans > 0 { faults.append("\(orphans) deliveries belong to no event") }
            let bodies = try Row.fetchCursor(database, sql: "SELECT id, body FROM event")
            while let row = try bodies.next() {
                let id: String = row[0]
                do {
                    let event = try StoredBody.event(in: row[1])
                    if event.id.description != id { faults.append("the body of event \(id) has another identifier") }
                } catch {
                    faults.append("the body of event \(id) cannot be read")
                }
                if faults.count >= 100 { break }
            }
            return faults
        }
    }
}
