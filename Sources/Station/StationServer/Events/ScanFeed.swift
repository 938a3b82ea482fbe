internal import ScanEvents
internal import Synchronization

/// The newest scans as they are sent, in the order of their commits, so that many pages share the work of one.
///
/// Whoever is further behind than this reaches reads them from the outbox.
final class ScanFeed: Sendable {
    /// A scan, and the whole server-sent event of it.
    struct Entry: Sendable {
        var id: EventID
        var bytes: [UInt8]
    }

    /// How many scans there are at most, and of how many bytes together.
    private let maximumEntries: Int
    private let maximumBytes: Int

    private struct State {
        var entries: [Entry] = []
        var bytes = 0
        /// The places of the entries; the first entry has the number `first`.
        var places: [EventID: Int] = [:]
        var first = 0
        /// The scan before the first entry; nil where that was the first there ever was.
        var base: EventID?
    }

    private let state: Mutex<State>

    /// A feed that goes on after an event.
    init(after base: EventID?, maximumEntries: Int = 512, maximumBytes: Int = 4 << 20) {
        self.maximumEntries = maximumEntries
        self.maximumBytes = maximumBytes
        state = Mutex(State(base: base))
    }

    /// Starts anew after an event.
    func reset(after base: EventID?) { state.withLock { $0 = State(base: base) } }

    /// The last scan that the feed has seen.
    var head: EventID? { state.withLock { $0.entries.last?.id ?? $0.base } }

    func append(_ entries: [Entry]) {
        state.withLock { state in
            for entry in entries {
                state.places[entry.id] = state.first + state.entries.count
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
            for entry in state.entries.prefix(surplus) { state.places[entry.id] = nil }
            state.entries.removeFirst(surplus)
            state.first += surplus
            state.bytes = bytes
        }
    }

    /// The scans after one; nil where that one is not among those that the feed knows.
    func entries(after id: EventID?) -> [Entry]? {
        state.withLock { state in
            if let id, let place = state.places[id] { return Array(state.entries[(place - state.first + 1)...]) }
            return id == state.base ? state.entries : nil
        }
    }
}
