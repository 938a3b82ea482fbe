internal import Dispatch
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Runs what may block on threads that are not those of Swift's tasks.
///
/// A file system that hangs, as one on the network does, then stops what needs it and nothing else. The pool is that of
/// Dispatch, which grows to 64 threads; how many are asked for is bounded by the number of files in flight.
enum Blocking {
    /// A pool of threads: that of a priority.
    ///
    /// It has a thread for each processor as long as none of them waits. What computes for long, as over a large file,
    /// therefore belongs to another pool, or two such files would keep everything else waiting.
    enum Pool {
        /// For what is soon done.
        case short
        /// For what reads a whole file.
        case reading
        /// For what copies a whole file, whatever its size.
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

/// Tells what reads or copies a large file that the program is about to end.
final class StopFlag: Sendable {
    /// Whatever is not larger is finished.
    private static let allowance: off_t = 64 << 20

    private let flag = Atomic(false)

    /// Has what is under way end.
    func set() { flag.store(true, ordering: .relaxed) }

    /// Throws `canceled` if the program is about to end and a file has been worked on for so many bytes that its rest may
    /// take long.
    func check(at offset: off_t) throws(Errno) {
        if offset >= Self.allowance && flag.load(ordering: .relaxed) { throw .canceled }
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
