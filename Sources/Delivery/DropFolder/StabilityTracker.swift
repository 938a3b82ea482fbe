/// Says when files are whole: once their size, time and inode have been the same for a while.
///
/// Without I/O and without a clock: times are handed in, of a clock that does not jump. What is due comes in the order
/// in which it became so, and is then no longer waited for.
struct StabilityTracker {
    /// A moment of a clock that does not jump.
    typealias Instant = Duration

    private struct Waiting {
        var identity: FileIdentity
        var isOpen: Bool
        /// Since when it is waited for.
        var since: Instant
        var due: Instant
        /// Which of the entries in ``order`` counts.
        var turn: UInt64
    }

    private var waiting: [RelativePath: Waiting] = [:]
    /// What may be due, the earliest first.
    private var order = DueQueue()
    private var turns: UInt64 = 0

    /// How many files are waited for.
    var count: Int { waiting.count }

    /// Notes how a file looks now; it is due after `window`, if it does not change until then.
    ///
    /// - Parameters:
    ///   - restarts: whether the window begins anew although nothing about the file has changed, as when somebody has
    ///     just closed it.
    ///   - isOpen: whether it was last heard of as being written to.
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

    /// Forgets a file, which is gone or was taken by someone.
    mutating func forget(_ path: RelativePath) {
        waiting.removeValue(forKey: path)
    }

    /// Forgets what lies below a folder.
    mutating func forget(below folder: RelativePath) {
        waiting = waiting.filter { !$0.key.isWithin(folder) }
    }

    /// Whether a file is waited for.
    func contains(_ path: RelativePath) -> Bool { waiting[path] != nil }

    /// The files that have not changed for their window, with how they looked all the while.
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

    /// Since when the file is waited for that has waited longest; nil when none is.
    var oldest: Instant? { waiting.values.lazy.map(\.since).min() }

    /// When something is due next; nil when nothing is waited for.
    var nextDue: Instant? { waiting.isEmpty ? nil : order.first?.due }
}

/// A heap of what is due when.
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
