public import FoundationEssentials
internal import GRDB
internal import ScanEvents

/// How long events are kept that need nothing more: delivered everywhere, or meant for nobody.
///
/// What is pending, dead or disabled anywhere is never pruned.
public struct Retention: Sendable, Hashable {
    /// The age from which they are deleted; nil for never.
    public var age: Duration?
    /// The number beyond which the oldest are deleted; nil for never.
    public var count: Int?
    /// The age from which personal messages are taken out of events that need nothing more; nil for never.
    ///
    /// See ``Outbox/withholdPersonal(_:now:)``.
    public var personalAge: Duration?
    /// Whether personal messages are taken out of events for no destination too, because somebody has been shown them.
    ///
    /// Otherwise nobody has them yet, and they stay as long as their events.
    public var withholdsUnsent: Bool

    /// Thirty days, and 100,000 events; personal messages until they are delivered.
    public static let standard = Retention(age: .seconds(30 * 86_400), count: 100_000)

    /// A retention by age and by count.
    public init(age: Duration?, count: Int?, personalAge: Duration? = .zero, withholdsUnsent: Bool = false) {
        self.age = age
        self.count = count
        self.personalAge = personalAge
        self.withholdsUnsent = withholdsUnsent
    }
}

extension Outbox {
    /// Deletes what is older, or more, than is kept; returns how many events that were.
    @discardableResult
    public func prune(_ retention: Retention, now: Date = Date()) async throws -> Int {
        guard let cutoff = try await cutoff(of: retention, now: now) else { return 0 }
        var total = 0
        while case let count = try await pruneSome(before: cutoff), count > 0 { total += count }
        return total
    }

    /// The time before which nothing is kept, in milliseconds; nil when all is.
    private func cutoff(of retention: Retention, now: Date) async throws -> Int64? {
        var cutoff = retention.age.map { now.milliseconds - $0.milliseconds }
        if let count = retention.count {
            let newest = try await commits.read { database in
                // The newest event that is too many, of those delivered somewhere and of those for nobody.
                try Int64.fetchOne(
                    database,
                    sql: """
                        SELECT time FROM (
                            SELECT * FROM (SELECT time FROM delivery WHERE state = 1
                                GROUP BY time, event ORDER BY time DESC LIMIT :count + 1)
                            UNION ALL
                            SELECT * FROM (SELECT time FROM event WHERE destinations = 0
                                ORDER BY time DESC LIMIT :count + 1)
                        ) ORDER BY time DESC LIMIT 1 OFFSET :count
                        """, arguments: ["count": count])
            }
            if let newest { cutoff = max(cutoff ?? .min, newest &+ 1) }
        }
        return cutoff
    }

    private func pruneSome(before cutoff: Int64) async throws -> Int {
        try await commits.commit { database in
            try database.execute(
                sql: """
                    DELETE FROM event WHERE number IN (
                        SELECT d.event FROM delivery d WHERE d.state = 1 AND d.time < :cutoff AND NOT EXISTS (
                            SELECT 1 FROM delivery o WHERE o.event = d.event AND o.state <> 1)
                        LIMIT :limit)
                    """, arguments: ["cutoff": cutoff, "limit": Self.rowsAtOnce])
            let delivered = database.changesCount
            try database.execute(
                sql: """
                    DELETE FROM event WHERE number IN (
                        SELECT number FROM event WHERE destinations = 0 AND time < :cutoff LIMIT :limit)
                    """, arguments: ["cutoff": cutoff, "limit": Self.rowsAtOnce])
            return delivered + database.changesCount
        }
    }
}
