internal import Synchronization

/// Work that waits for a worker, first come, first served.
///
/// Its length is bounded by its callers: each waits for the answer to what it put in.
final class WorkQueue<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Element] = []
        var takers: [CheckedContinuation<Element?, Never>] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Puts work in.
    ///
    /// - Returns: false when the queue is closed and takes no more.
    func put(_ element: Element) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            if state.takers.isEmpty {
                state.waiting.append(element)
            } else {
                state.takers.removeFirst().resume(returning: element)
            }
            return true
        }
    }

    /// Puts work back that was taken, before all else.
    ///
    /// - Returns: false when the queue is closed: whoever would take it may be gone.
    func putBack(_ element: Element) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            if state.takers.isEmpty {
                state.waiting.insert(element, at: 0)
            } else {
                state.takers.removeFirst().resume(returning: element)
            }
            return true
        }
    }

    /// Waits for work; nil once the queue is closed and empty.
    func take() async -> Element? {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                if !state.waiting.isEmpty {
                    continuation.resume(returning: state.waiting.removeFirst())
                } else if state.isClosed {
                    continuation.resume(returning: nil)
                } else {
                    state.takers.append(continuation)
                }
            }
        }
    }

    /// Takes no more work; what waits is still handed out unless it is discarded.
    ///
    /// - Returns: what was discarded.
    @discardableResult
    func close(discarding: Bool = false) -> [Element] {
        state.withLock { state in
            state.isClosed = true
            for taker in state.takers { taker.resume(returning: nil) }
            state.takers = []
            guard discarding else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
