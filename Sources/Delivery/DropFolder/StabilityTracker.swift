/// Detects when files have settled: once their size, time and inode have been unchanged for a while (debounce).
///
/// A value without I/O or a clock: the caller passes monotonic times. Files that are due are returned in the order
/// in which they became due, and then no longer tracked.
struct StabilityTracker {
    /// A time of a monotonic clock.
    typealias Instant = Duration

    private struct Waiting {
        var identity: FileIdentity
        var isOpen: Bool
        /// The time since which the file has been waiting.
        var since: Instant
        var due: Instant
        /// The number of the entry in ``order`` that is valid.
        var turn: UInt64
    }

    private var waiting: [RelativePath: Waiting] = [:]
    /// The entries that may be due, earliest first.
    private var order = DueQueue()
    private var turns: UInt64 = 0

    /// The number of waiting files.
    var count: Int { waiting.count }

    /// Records the current state of a file.
    ///
    /// It is due after `window` if it does not change until then.
    ///
    /// - Parameters:
    ///   - restarts: true to restart the window even if the file has not changed, such as when it has just been
    ///     closed.
    ///   - isOpen: true if the last notification said that it is being written.
    mutating func observe(
        _ path: RelativePath, _ identity: FileIdentity, window: Duration, at now: Instant, restarts: Bool = false,
        isOpen: Bool = false
    ) {
        if let known = waiting[path], known.identity == identity, !restarts { return }
        turns += 1
        let due = now + window
        waiting[path] = Waiting(
            identity: identity, isOpen: isOpen, since: waiting[path]?.since ?? now, due: due, turn: turns)
        order.insert(DueQueue.Element(due: due, turn: turns, path: path))
    }

    /// Forgets a file that has disappeared or is being processed.
    mutating func forget(_ path: RelativePath) {
        waiting.removeValue(forKey: path)
    }

    /// Forgets the files below a folder.
    mutating func forget(below folder: RelativePath) {
        waiting = waiting.filter { !$0.key.isWithin(folder) }
    }

    /// Indicates whether a file is waiting.
    func contains(_ path: RelativePath) -> Bool { waiting[path] != nil }

    /// Removes and returns the files that were unchanged for their window, with their identity.
    mutating func takeDue(at now: Instant) -> [(path: RelativePath, identity: FileIdentity, isOpen: Bool)] {
        var due: [(path: RelativePath, identity: FileIdentity, isOpen: Bool)] = []
        while let first = order.first, first.due <= now {
            order.removeFirst()
            guard let entry = waiting[first.path], entry.turn == first.turn else { continue }
            waiting.removeValue(forKey: first.path)
            due.append((first.path, entry.identity, entry.isOpen))
        }
        return due
    }

    /// The time since which the longest-waiting file has been waiting; `nil` if there is none.
    var oldest: Instant? { waiting.values.lazy.map(\.since).min() }

    /// The time when something is due next; `nil` if nothing is waiting.
    var nextDue: Instant? { waiting.isEmpty ? nil : order.first?.due }
}

/// A heap of elements, ordered by due time.
struct DueQueue {
    struct Element {
        var due: Duration
        var turn: UInt64
        var path: RelativePath

        fileprivate func isBefore(_ other: Element) -> Bool {
            due == other.due ? turn < other.turn : due < other.due
        }
    }

    private var heap: [Element] = []

    var first: Element? { heap.first }

    mutating func insert(_ element: Element) {
        heap.append(element)
        var place = heap.count - 1
        while place > 0, heap[place].isBefore(heap[(place - 1) / 2]) {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func removeFirst() {
        guard let last = heap.popLast(), !heap.isEmpty else { return }
        heap[0] = last
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            if least == place { return }
            heap.swapAt(place, least)
            place = least
        }
    }
}
