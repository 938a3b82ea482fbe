internal import Dispatch
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Runs blocking calls on threads other than those of Swift's tasks.
///
/// A file system that hangs, such as a network share, then stops only the work that needs it. The threads are those
/// of Dispatch, whose pool grows to 64; the number of requests is bounded by the number of files in flight.
enum Blocking {
    /// A thread pool, by priority.
    ///
    /// It has one thread for each processor as long as none of them blocks. Long computations, such as over a large
    /// file, therefore use another pool, or two such files would delay everything else.
    enum Pool {
        /// For short operations.
        case short
        /// For operations that read a whole file.
        case reading
        /// For operations that copy a whole file, of whatever size.
        case copying

        fileprivate var queue: DispatchQueue {
            switch self {
            case .short: .global()
            case .reading: .global(qos: .utility)
            case .copying: .global(qos: .background)
            }
        }
    }

    static func run<Value: Sendable>(
        in pool: Pool = .short, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            pool.queue.async { continuation.resume(with: Result { try work() }) }
        }
    }

    static func value<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: work()) }
        }
    }
}

/// Tells operations on large files that the program is about to end.
final class StopFlag: Sendable {
    /// The number of bytes up to which an operation is finished anyway.
    private static let allowance: off_t = 64 << 20

    private let flag = Atomic(false)

    /// Requests the end of running operations.
    func set() { flag.store(true, ordering: .relaxed) }

    /// Throws `canceled` if the program is about to end and so many bytes have been processed that the rest may
    /// take long.
    func check(at offset: off_t) throws(Errno) {
        if offset >= Self.allowance && flag.load(ordering: .relaxed) { throw .canceled }
    }
}

/// Wakes a waiting loop; consecutive wakeups coalesce into one.
final class WakeupSignal: Sendable {
    private struct State {
        var isPending = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func wake() {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            if state.waiter == nil { state.isPending = true }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Waits for a wakeup, at most until `deadline`.
    func wait(until deadline: ContinuousClock.Instant) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                if (try? await Task.sleep(until: deadline, clock: .continuous)) != nil { self.wake() }
            }
            await next()
            group.cancelAll()
        }
    }

    private func next() async {
        await withCheckedContinuation { continuation in
            let isPending = state.withLock { state in
                if state.isPending {
                    state.isPending = false
                    return true
                }
                state.waiter = continuation
                return false
            }
            if isPending { continuation.resume() }
        }
    }
}
