internal import Glibc

/// A pipe that wakes a thread which polls several files.
final class WakeupPipe: Sendable {
    /// Becomes readable after ``wake()``.
    let descriptor: Int32
    private let end: Int32

    /// Creates a pipe; `nil` if the process has too many open files.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (descriptor, end) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(end)
    }

    func wake() { _ = write(end, [0], 1) }

    /// Discards all pending wakeups.
    func clear() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(descriptor, &bytes, bytes.count) == bytes.count {}
    }
}
