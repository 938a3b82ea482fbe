public import ScanEvents
internal import Synchronization

/// What has happened in an outbox since a follower last asked.
public struct OutboxNews: Sendable, Hashable {
    /// Whether events were committed.
    public var hasEvents = false
    /// The events of which a delivery changed its state.
    public var changed: Set<EventID> = []
    /// How many changes of deliveries came on top of those that ``changed`` has room for.
    public var missed = 0

    /// Nothing.
    public init() {}
}

/// Hears of each commit of events and of each change of a delivery, for as long as it is kept.
///
/// What happens between two looks is put together, so that a slow follower costs no more memory than a fast one.
public final class OutboxFollower: Sendable {
    /// The most events whose deliveries changed that are kept between two looks.
    private static let maximumEvents = 4096

    /// An element after something has happened; several happenings are one element.
    ///
    /// For one task.
    public let wakes: AsyncStream<Void>

    private let continuation: AsyncStream<Void>.Continuation
    private let news = Mutex(OutboxNews())

    init() {
        // One is enough: take() hands out all that there is.
        (wakes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// What has happened since it was last asked.
    public func take() -> OutboxNews {
        news.withLock { news in
            defer { news = OutboxNews() }
            return news
        }
    }

    func committed() {
        news.withLock { $0.hasEvents = true }
        continuation.yield()
    }

    func changed(_ ids: [EventID]) {
        news.withLock { news in
            for id in ids where !news.changed.contains(id) {
                if news.changed.count < Self.maximumEvents { news.changed.insert(id) } else { news.missed += 1 }
            }
        }
        continuation.yield()
    }
}

/// The followers of an outbox that are still kept by somebody.
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
