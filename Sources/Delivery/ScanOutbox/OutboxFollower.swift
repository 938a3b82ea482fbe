public import ScanEvents
internal import Synchronization

/// The changes in an outbox since a follower's last call.
public struct OutboxChanges: Sendable, Hashable {
    /// Indicates whether events were committed.
    public var hasEvents = false
    /// The events with a changed delivery state.
    public var changed: Set<EventID> = []
    /// The number of delivery changes beyond the capacity of ``changed``.
    public var missed = 0

    /// Creates an empty set of changes.
    public init() {}
}

/// Collects the committed events and changed deliveries of an outbox, for as long as it is retained.
///
/// The changes between two calls are merged, so that a slow follower costs no more memory than a fast one.
public final class OutboxFollower: Sendable {
    /// The maximum number of changed events to keep between two calls.
    private static let maximumEvents = 4096

    /// Yields an element after changes; several changes coalesce into one element.
    ///
    /// For a single consumer.
    public let wakes: AsyncStream<Void>

    private let continuation: AsyncStream<Void>.Continuation
    private let changes = Mutex(OutboxChanges())

    init() {
        // One is enough: take() returns all changes.
        (wakes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Returns the changes since the last call.
    public func take() -> OutboxChanges {
        changes.withLock { changes in
            defer { changes = OutboxChanges() }
            return changes
        }
    }

    func committed() {
        changes.withLock { $0.hasEvents = true }
        continuation.yield()
    }

    func changed(_ ids: [EventID]) {
        changes.withLock { changes in
            for id in ids where !changes.changed.contains(id) {
                if changes.changed.count < Self.maximumEvents {
                    changes.changed.insert(id)
                } else {
                    changes.missed += 1
                }
            }
        }
        continuation.yield()
    }
}

/// The followers of an outbox that are still retained.
final class FollowerList: Sendable {
    private struct Entry: Sendable {
        weak var follower: OutboxFollower?
    }

    private let entries = Mutex<[Entry]>([])

    func add() -> OutboxFollower {
        let follower = OutboxFollower()
        entries.withLock { entries in
            entries.removeAll { $0.follower == nil }
            entries.append(Entry(follower: follower))
        }
        return follower
    }

    func committed() {
        for entry in entries.withLock({ $0 }) { entry.follower?.committed() }
    }

    func changed(_ ids: [String]) {
        let entries = entries.withLock { $0 }
        if entries.isEmpty { return }
        let ids = ids.compactMap { EventID($0) }
        for entry in entries { entry.follower?.changed(ids) }
    }
}
