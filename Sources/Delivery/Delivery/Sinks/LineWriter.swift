internal import BarcodeCore
internal import DequeModule
internal import Glibc
internal import ScanOutbox
internal import Synchronization

/// Writes lines to an open file on a thread of its own, one whole line after the other, for any number of callers.
///
/// A stalled reader holds up only that thread. A line that was begun is completed before another one begins, even
/// if its caller has stopped waiting, so a reader never sees interleaved lines.
package final class LineWriter: Sendable {
    /// The outcome of writing a line.
    package enum Outcome: Sendable, Hashable {
        /// The system has accepted all of it.
        case written
        /// It timed out or its task was canceled before the system had accepted all of it.
        case abandoned
        /// The file is closed, or has no reader any more.
        case closed
        /// The system refused it with this error number.
        case failed(Int32)
    }

    /// Standard output, which several parts of a program write to.
    package static let standardOutput = LineWriter(descriptor: STDOUT_FILENO)

    /// The number of bytes that a write to a pipe with any room accepts without blocking, by POSIX.
    private static let atOnce = 4096
    /// The maximum number of abandoned lines to remember, so that they are not written twice.
    private static let maximumRemembered = 256

    private struct Line {
        var number: UInt64
        var name: String?
        var rest: ArraySlice<UInt8>
        var isBegun = false
        /// `nil` if the caller has stopped waiting.
        var waiter: CheckedContinuation<Outcome, Never>?
    }

    private struct State {
        var lines: Deque<Line> = []
        var next: UInt64 = 0
        /// Indicates whether the thread is currently writing a part of the first line.
        var isWriting = false
        /// Indicates whether the system refused the first line, which then waits for the next one.
        var isRefused = false
        var isClosed = false
        /// The names of lines that were written after they had been abandoned.
        var late: Deque<String> = []
        var isStarted = false
    }

    /// The time in milliseconds after which the thread looks for new lines if there is no pipe.
    private static let interval: Int32 = 50

    private let descriptor: Int32
    private let state = Mutex(State())
    /// A pipe that wakes the thread; -1 if the system has none.
    private let wakeup: (reading: Int32, writing: Int32)
    private let closing: (stream: AsyncStream<Void>, end: AsyncStream<Void>.Continuation)

    /// Creates a writer for an open file, for the lifetime of the process.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
        var ends: [Int32] = [-1, -1]
        // A process with too many open files has none, and the thread looks for lines at intervals instead.
        _ = pipe(&ends)
        for end in ends where end >= 0 {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        wakeup = (ends[0], ends[1])
        let (stream, end) = AsyncStream.makeStream(of: Void.self)
        closing = (stream, end)
    }

    /// Writes bytes and a line feed.
    ///
    /// - Parameter name: identifies the line. A partly written line that is abandoned is still completed. A caller
    ///   that submits it again under the same name waits for that, and it is not written twice.
    package func write(_ bytes: [UInt8], name: String? = nil) async -> Outcome {
        start()
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome = state.withLock { state -> Outcome? in
                    // A later cancellation has to wait for the lock, and then finds the line.
                    Task.isCancelled ? .abandoned : Self.add(bytes, name, number, continuation, &state)
                }
                if let outcome { continuation.resume(returning: outcome) } else { wake() }
            }
        } onCancel: {
            abandon(number)
        }
    }

    /// Returns when the file is closed, its reader is gone, or the task is canceled.
    ///
    /// For a single task.
    package func untilClosed() async {
        start()
        for await _ in closing.stream {}
    }

    /// Indicates whether the file is closed or its reader is gone.
    package var isClosed: Bool { state.withLock { $0.isClosed } }

    private static func add(
        _ bytes: [UInt8], _ name: String?, _ number: UInt64, _ continuation: CheckedContinuation<Outcome, Never>,
        _ state: inout State
    ) -> Outcome? {
        if let name {
            if let index = state.late.firstIndex(of: name) {
                state.late.remove(at: index)
                return .written
            }
            if let first = state.lines.first, first.name == name, first.waiter == nil {
                state.lines[0].number = number
                state.lines[0].waiter = continuation
                state.isRefused = false
                return nil
            }
        }
        if state.isClosed { return .closed }
        state.isRefused = false
        state.lines.append(Line(number: number, name: name, rest: bytes + [0x0A], waiter: continuation))
        return nil
    }

    private func abandon(_ number: UInt64) {
        let waiter = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            guard let index = state.lines.firstIndex(where: { $0.number == number }) else { return nil }
            defer {
                if index == 0 && (state.lines[0].isBegun || state.isWriting) {
                    state.lines[0].waiter = nil
                } else {
                    state.lines.remove(at: index)
                }
            }
            return state.lines[index].waiter
        }
        waiter?.resume(returning: .abandoned)
    }

    private func start() {
        let mustStart = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        guard mustStart else { return }
        OwnedThread { self.run() }.detach()
    }

    private func wake() {
        // A full pipe wakes the thread too; an interrupted call does not.
        while Glibc.write(wakeup.writing, [0], 1) < 0, errno == EINTR {}
    }

    /// Runs the thread: waits for room and writes as much as fits, until the file is closed.
    private func run() {
        // If there was no standard output at the start, a read-only file has its descriptor.
        let mode = fcntl(descriptor, F_GETFL)
        if mode < 0 || mode & O_ACCMODE == O_RDONLY { return close() }
        separateFromAHalfLine(isAppending: mode & O_APPEND != 0)
        while true {
            let hasWork = state.withLock { !$0.lines.isEmpty && !$0.isRefused }
            // Poll even without work: a pipe reports the end of its reader before the next line is lost to it.
            var requests = [
                pollfd(fd: descriptor, events: hasWork ? Int16(POLLOUT) : 0, revents: 0),
                pollfd(fd: wakeup.reading, events: Int16(POLLIN), revents: 0),
            ]
            let timeout = wakeup.reading < 0 ? Self.interval : -1
            guard poll(&requests, 2, timeout) > 0 else { continue }
            if requests[1].revents != 0 {
                var bytes = [UInt8](repeating: 0, count: 64)
                _ = read(wakeup.reading, &bytes, bytes.count)
            }
            if requests[0].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { return close() }
            if requests[0].revents != 0 && !writeSome() { return close() }
        }
    }

    /// Ends a line that an earlier process left half written in a file, as on a full disk: the first line would
    /// become a part of it, and could not be read.
    private func separateFromAHalfLine(isAppending: Bool) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        let end = isAppending ? status.st_size : lseek(descriptor, 0, SEEK_CUR)
        // A file that was opened for writing alone is opened again to read it.
        let file = end > 0 ? open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC) : -1
        guard file >= 0 else { return }
        defer { Glibc.close(file) }
        var last: UInt8 = 0x0A
        guard pread(file, &last, 1, end - 1) == 1, last != 0x0A else { return }
        // The end of a line that was begun, which waits for room if there still is none.
        state.withLock { $0.lines.prepend(Line(number: 0, rest: [0x0A], isBegun: true)) }
    }

    /// Writes a part of the first line; `false` if the file is closed.
    private func writeSome() -> Bool {
        let part = state.withLock { state in
            state.isWriting = !state.lines.isEmpty
            return Array(state.lines.first?.rest.prefix(Self.atOnce) ?? [])
        }
        if part.isEmpty { return true }
        // On a stopped terminal even a short write blocks, so do not hold the lock.
        let count = Glibc.write(descriptor, part, part.count)
        let error = count < 0 ? errno : 0
        let (waiters, outcome) = state.withLock { state in Self.wrote(count, error, &state) }
        for waiter in waiters { waiter.resume(returning: outcome) }
        return outcome != .closed
    }

    private static func wrote(
        _ count: Int, _ error: Int32, _ state: inout State
    ) -> ([CheckedContinuation<Outcome, Never>], Outcome) {
        state.isWriting = false
        if count > 0 {
            state.lines[0].isBegun = true
            state.lines[0].rest.removeFirst(count)
            guard state.lines[0].rest.isEmpty else { return ([], .written) }
            let line = state.lines.removeFirst()
            if line.waiter == nil, let name = line.name {
                state.late.append(name)
                if state.late.count > maximumRemembered { state.late.removeFirst() }
            }
            return (line.waiter.map { [$0] } ?? [], .written)
        }
        switch error {
        case 0, EINTR, EAGAIN:
            if state.lines[0].waiter == nil && !state.lines[0].isBegun { state.lines.removeFirst() }
            return ([], .written)
        case EPIPE, EBADF, EIO: return ([], .closed)
        default:
            // A line that was begun must be completed once there is room; the next submitted line triggers that. Those
            // behind it cannot be written before.
            let first = state.lines[0]
            let others = first.isBegun ? state.lines.dropFirst().compactMap(\.waiter) : []
            if first.isBegun {
                state.lines = [first]
                state.lines[0].waiter = nil
                state.isRefused = true
            } else {
                state.lines.removeFirst()
            }
            return ((first.waiter.map { [$0] } ?? []) + others, .failed(error))
        }
    }

    private func close() {
        let lines = state.withLock { state in
            defer { state.lines = [] }
            state.isClosed = true
            return state.lines
        }
        for line in lines { line.waiter?.resume(returning: .closed) }
        closing.end.finish()
    }
}
