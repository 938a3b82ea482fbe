internal import BarcodeCore
internal import DequeModule
internal import ScanOutbox
internal import Synchronization

/// Runs blocking attempts, such as those of a file on a network share, on a thread of its own, one after the other.
///
/// An attempt that times out continues, because a system call cannot be canceled. A caller that asks for the same
/// event again waits for it, or learns at once that it succeeded. The attempt is not made twice.
final class AttemptThread: Sendable {
    typealias Attempt = @Sendable () -> DeliveryOutcome

    /// The maximum number of attempts to remember that succeeded after their callers had stopped waiting.
    private static let maximumRemembered = 256

    private struct Job: Sendable {
        var number: UInt64
        var id: String
        var attempt: Attempt
    }

    private struct State {
        var last: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<DeliveryOutcome, Never>] = [:]
        /// The attempts that are not waiting yet; a canceled one is removed.
        var coming: Set<UInt64> = []
        /// The running attempt and its waiter; `nil` if the caller has stopped waiting.
        var current: (id: String, waiter: UInt64?)?
        var late: Deque<String> = []
        var isStarted = false
    }

    /// The state shared by the thread and its owner.
    private final class Core: Sendable {
        let queue = JobQueue<Job>()
        let state = Mutex(State())

        func run() {
            while let job = queue.next() {
                let isWanted = state.withLock { state in
                    guard state.waiters[job.number] != nil else { return false }
                    state.current = (job.id, job.number)
                    return true
                }
                if isWanted { finish(job.attempt()) }
            }
        }

        private func finish(_ outcome: DeliveryOutcome) {
            let waiter = state.withLock { state -> CheckedContinuation<DeliveryOutcome, Never>? in
                guard let current = state.current else { return nil }
                state.current = nil
                if let number = current.waiter { return state.waiters.removeValue(forKey: number) }
                guard outcome.kind == .delivered else { return nil }
                state.late.append(current.id)
                if state.late.count > maximumRemembered { state.late.removeFirst() }
                return nil
            }
            waiter?.resume(returning: outcome)
        }
    }

    private let core = Core()

    deinit { core.queue.close() }

    /// Makes an attempt for the event with an identifier; it fails if it exceeds the timeout.
    func attempt(_ id: String, timeout: Duration, _ attempt: @escaping Attempt) async -> DeliveryOutcome {
        let outcome = await withTimeout(timeout) { await self.attempt(id, attempt) }
        return outcome ?? .failed("it took longer than \(timeout.words)")
    }

    /// Runs a final action after the attempts before it and accepts no others.
    ///
    /// Waits for that at most two seconds.
    func close(_ last: @escaping @Sendable () -> Void = {}) async {
        _ = await withTimeout(.seconds(2)) {
            await self.attempt("") {
                last()
                return .delivered()
            }
        }
        core.queue.close()
    }

    private func attempt(_ id: String, _ attempt: @escaping Attempt) async -> DeliveryOutcome {
        let number = core.state.withLock { state in
            state.last += 1
            state.coming.insert(state.last)
            return state.last
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome = core.state.withLock { state -> DeliveryOutcome? in
                    if state.coming.remove(number) == nil { return .failed("it was canceled") }
                    if let index = state.late.firstIndex(of: id) {
                        state.late.remove(at: index)
                        return .delivered()
                    }
                    state.waiters[number] = continuation
                    if let current = state.current, current.id == id, current.waiter == nil {
                        state.current = (id, number)
                    } else {
                        core.queue.add(Job(number: number, id: id, attempt: attempt))
                    }
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) } else { start() }
            }
        } onCancel: {
            let waiter = core.state.withLock { state -> CheckedContinuation<DeliveryOutcome, Never>? in
                state.coming.remove(number)
                guard let waiter = state.waiters.removeValue(forKey: number) else { return nil }
                if state.current?.waiter == number { state.current?.waiter = nil }
                return waiter
            }
            waiter?.resume(returning: .failed("it was canceled"))
        }
    }

    private func start() {
        let mustStart = core.state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        if mustStart { OwnedThread { [core] in core.run() }.detach() }
    }
}
