internal import ScanEvents
internal import Synchronization

/// A cache of the newest scans as server-sent events, in the order of their commits, shared by all pages.
///
/// A client that is further behind reads from the outbox.
final class ScanFeed: Sendable {
    /// A scan and its complete server-sent event.
    struct Entry: Sendable {
        var id: EventID
        var bytes: [UInt8]
    }

    /// The maximum number of scans, and their maximum total size in bytes.
    private let maximumEntries: Int
    private let maximumBytes: Int

    private struct State {
        var entries: [Entry] = []
        var bytes = 0
        /// The index of each entry; the first entry has the index `first`.
        var indices: [EventID: Int] = [:]
        var first = 0
        /// The scan before the first entry; `nil` if the first entry is the first scan of the outbox.
        var base: EventID?
    }

    private let state: Mutex<State>

    /// Creates a feed that starts after an event.
    init(after base: EventID?, maximumEntries: Int = 512, maximumBytes: Int = 4 << 20) {
        self.maximumEntries = maximumEntries
        self.maximumBytes = maximumBytes
        state = Mutex(State(base: base))
    }

    /// Restarts the feed after an event.
    func reset(after base: EventID?) { state.withLock { $0 = State(base: base) } }

    /// The newest scan of the feed.
    var head: EventID? { state.withLock { $0.entries.last?.id ?? $0.base } }

    func append(_ entries: [Entry]) {
        state.withLock { state in
            for entry in entries {
                state.indices[entry.id] = state.first + state.entries.count
                state.entries.append(entry)
                state.bytes += entry.bytes.count
            }
            var surplus = max(0, state.entries.count - maximumEntries)
            var bytes = state.bytes - state.entries.prefix(surplus).reduce(0) { $0 + $1.bytes.count }
            while bytes > maximumBytes && surplus < state.entries.count - 1 {
                bytes -= state.entries[surplus].bytes.count
                surplus += 1
            }
            guard surplus > 0 else { return }
            state.base = state.entries[surplus - 1].id
            for entry in state.entries.prefix(surplus) { state.indices[entry.id] = nil }
            state.entries.removeFirst(surplus)
            state.first += surplus
            state.bytes = bytes
        }
    }

    /// Returns the scans after `id`; `nil` if the feed does not know that scan.
    func entries(after id: EventID?) -> [Entry]? {
        state.withLock { state in
            if let id, let index = state.indices[id] { return Array(state.entries[(index - state.first + 1)...]) }
            return id == state.base ? state.entries : nil
        }
    }
}
