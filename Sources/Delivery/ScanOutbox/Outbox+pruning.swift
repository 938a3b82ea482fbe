public import FoundationEssentials
internal import GRDB
internal import ScanEvents

/// The retention of events that are done with: delivered everywhere, or without a destination.
///
/// Events with a pending, dead or disabled delivery are never pruned.
public struct Retention: Sendable, Hashable {
    /// The age from which events are deleted; `nil` for never.
    public var age: Duration?
    /// The number of events above which the oldest are deleted; `nil` for no limit.
    public var count: Int?
    /// The age from which personal messages are removed from events that are done with; `nil` for never.
    ///
    /// See ``Outbox/withholdPersonal(_:now:)``.
    public var personalAge: Duration?
    /// Indicates whether personal messages are also removed from events without a destination, because a person has
    /// seen them.
    ///
    /// Otherwise nobody has received them yet, and they stay as long as their events.
    public var withholdsUnsent: Bool

    /// Thirty days and 100,000 events; personal messages are kept until they are delivered.
    public static let standard = Retention(age: .seconds(30 * 86_400), count: 100_000)

    /// Creates a retention by age and count.
    public init(age: Duration?, count: Int?, personalAge: Duration? = .zero, withholdsUnsent: Bool = false) {
        self.age = age
        self.count = count
        self.personalAge = personalAge
        self.withholdsUnsent = withholdsUnsent
    }
}

extension Outbox {
    /// Deletes events beyond the retention; returns the number of deleted events.
    @discardableResult
    public func prune(_ retention: Retention, now: Date = Date()) async throws -> Int {
        if parts != nil { try await commits.commit { try MessageParts.removeExpired(at: now, in: $0) } }
        guard let cutoff = try await cutoff(of: retention, now: now) else { return 0 }
        var total = 0
        while case let count = try await pruneSome(before: cutoff), count > 0 { total += count }
        return total
    }

    /// The position of an event in the order of times, and of storage for equal times.
    private struct Position: Sendable {
        var time: Int64
        var number: Int64
    }

    /// The position of the first event to keep; `nil` to keep all.
    private func cutoff(of retention: Retention, now: Date) async throws -> Position? {
        let cutoff = retention.age.map { Position(time: now.milliseconds - $0.milliseconds, number: .min) }
        guard let count = retention.count else { return cutoff }
        let newest = try await commits.read { [path] database -> Position? in
            // The newest excess event, both of the delivered events and of those without a destination.
            try Row.fetchOne(
                database,
                sql: """
                    SELECT time, number FROM (
                        SELECT * FROM (SELECT d.time AS time, d.event AS number FROM delivery d
                            WHERE d.state = 1 AND NOT EXISTS (
                                SELECT 1 FROM delivery o WHERE o.event = d.event AND o.state <> 1)
                            GROUP BY d.time, d.event ORDER BY d.time DESC, d.event DESC LIMIT :count + 1)
                        UNION ALL
                        SELECT * FROM (SELECT time, number FROM event WHERE destinations = 0
                            ORDER BY time DESC, number DESC LIMIT :count + 1)
                    ) ORDER BY time DESC, number DESC LIMIT 1 OFFSET :count
                    """, arguments: ["count": count]
            ).map { row in
                guard let time = try? row.value(0, as: Int64.self), let number = try? row.value(1, as: Int64.self)
                else { throw OutboxError.corrupt(path) }
                return Position(time: time, number: number)
            }
        }
        guard let newest else { return cutoff }
        if let cutoff, newest.time < cutoff.time { return cutoff }
        return Position(time: newest.time, number: newest.number &+ 1)
    }

    private func pruneSome(before cutoff: Position) async throws -> Int {
        try await commits.commit { database in
            let arguments: StatementArguments = [
                "time": cutoff.time, "number": cutoff.number, "limit": Self.rowsAtOnce,
            ]
            try database.execute(
                sql: """
                    DELETE FROM event WHERE number IN (
                        SELECT d.event FROM delivery d WHERE d.state = 1 AND (d.time, d.event) < (:time, :number)
                        AND NOT EXISTS (SELECT 1 FROM delivery o WHERE o.event = d.event AND o.state <> 1)
                        LIMIT :limit)
                    """, arguments: arguments)
            let delivered = database.changesCount
            try database.execute(
                sql: """
                    DELETE FROM event WHERE number IN (
                        SELECT number FROM event WHERE destinations = 0 AND (time, number) < (:time, :number)
                        LIMIT :limit)
                    """, arguments: arguments)
            return delivered + database.changesCount
        }
    }
}
