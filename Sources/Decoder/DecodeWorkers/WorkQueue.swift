internal import Synchronization

/// A first-in, first-out queue of work for the workers.
///
/// Its callers bound its length, since each waits for its result.
final class WorkQueue<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Element] = []
        var takers: [CheckedContinuation<Element?, Never>] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Adds work.
    ///
    /// - Returns: false if the queue is closed.
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

    /// Puts work back at the front of the queue.
    ///
    /// - Returns: false if the queue is closed, because the takers may be gone.
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

    /// Waits for work; `nil` once the queue is closed and empty.
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

    /// Closes the queue; pending work is still handed out unless it is discarded.
    ///
    /// - Returns: the discarded work.
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
