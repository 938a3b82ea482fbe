internal import Dispatch
internal import Synchronization

/// Runs what may block on threads that are not those of Swift's tasks.
///
/// A file system that hangs, as one on the network does, then stops what needs it and nothing else. The pool is that of
/// Dispatch, which grows to 64 threads; how many are asked for is bounded by the number of files in flight.
enum Blocking {
    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try work() }) }
        }
    }

    static func value<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: work()) }
        }
    }
}

/// Wakes a loop that waits; several rings in a row are one.
final class Doorbell: Sendable {
    private struct State {
        var isRung = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func ring() {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            if state.waiter == nil { state.isRung = true }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Waits for a ring, and no longer than until `deadline`.
    func wait(until deadline: ContinuousClock.Instant) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                if (try? await Task.sleep(until: deadline, clock: .continuous)) != nil { self.ring() }
            }
            await next()
            group.cancelAll()
        }
    }

    private func next() async {
        await withCheckedContinuation { continuation in
            let isRung = state.withLock { state in
                if state.isRung {
                    state.isRung = false
                    return true
                }
                state.waiter = continuation
                return false
            }
            if isRung { continuation.resume() }
        }
    }
}
