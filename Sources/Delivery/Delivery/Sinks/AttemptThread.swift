internal import BarcodeCore
internal import DequeModule
internal import ScanOutbox
internal import Synchronization

/// Makes attempts that block, such as those of a file on a share, on a thread of its own, one after the other.
///
/// An attempt whose time is over goes on, since a system call cannot be taken back. Whoever asks for the same event again
/// waits for it, or hears at once that it came to a good end: it is not made twice.
final class AttemptThread: Sendable {
    typealias Attempt = @Sendable () -> DeliveryOutcome

    /// The most attempts that are remembered which came to a good end when nobody waited for them any more.
    private static let maximumRemembered = 256

    private struct Job: Sendable {
        var number: UInt64
        var id: String
        var attempt: Attempt
    }

    private struct State {
        var last: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<DeliveryOutcome, Never>] = [:]
        /// Those that are yet to wait; who is cancelled before is taken out.
        var coming: Set<UInt64> = []
        /// The attempt that is under way, and who waits for it, perhaps nobody.
        var current: (id: String, waiter: UInt64?)?
        var late: Deque<String> = []
        var isStarted = false
    }

    /// What the thread and its owner share.
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

    /// Makes an attempt for the event of an identifier; one that takes longer than it may has failed.
    func attempt(_ id: String, timeout: Duration, _ attempt: @escaping Attempt) async -> DeliveryOutcome {
        let outcome = await withTimeout(timeout) { await self.attempt(id, attempt) }
        return outcome ?? .failed("it took longer than \(timeout.words)")
    }

    /// Makes what is left to do once the attempts before it have ended, and takes no others; it is not waited for.
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
                    if state.coming.remove(number) == nil { return .failed("it was cancelled") }
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
            waiter?.resume(returning: .failed("it was cancelled"))
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
