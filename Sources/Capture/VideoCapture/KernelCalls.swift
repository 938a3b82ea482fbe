package import CLinux
internal import DeviceAccess
internal import Glibc

/// The system calls of the real kernel.
package final class KernelCalls: V4L2Calls {
    /// Becomes readable to end a wait.
    private let wakeup = WakeupEvent()

    package init() {}

    package func open(_ path: String) -> CInt { DeviceFiles.open(path, forWriting: true) }

    package func close(_ descriptor: CInt) { _ = Glibc.close(descriptor) }

    package func control(
        _ descriptor: CInt, _ request: qz_v4l2_request, _ argument: UnsafeMutableRawPointer
    ) -> CInt {
        qz_v4l2_ioctl(descriptor, request, argument)
    }

    package func map(_ descriptor: CInt, length: Int, offset: Int) -> UnsafeMutableRawBufferPointer? {
        guard let memory = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, off_t(offset)),
            memory != MAP_FAILED
        else { return nil }
        return UnsafeMutableRawBufferPointer(start: memory, count: length)
    }

    package func unmap(_ memory: UnsafeMutableRawBufferPointer) {
        munmap(memory.baseAddress, memory.count)
    }

    package func poll(_ descriptor: CInt, timeout: Duration) -> PollOutcome {
        var waits = [
            pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN | POLLPRI), revents: 0),
        ]
        // A signal may end the wait early, which is harmless, because the caller checks the clock.
        _ = Glibc.poll(&waits, nfds_t(descriptor < 0 ? 1 : 2), CInt(clamping: timeout.milliseconds))
        if waits[0].revents != 0 { wakeup.clear() }
        let found = Int32(waits[1].revents)
        return PollOutcome(
            hasFrame: found & POLLIN != 0, hasEvent: found & POLLPRI != 0,
            hasError: found & (POLLERR | POLLHUP | POLLNVAL) != 0)
    }

    package func pause(_ duration: Duration) {
        _ = poll(-1, timeout: duration)
    }

    package func wake() { wakeup.wake() }

    package func now() -> Duration { .monotonicNow }

    package func devices() -> [DeviceNode] { CameraFiles.all() }

    package func holders(of path: String) -> [String] { CameraFiles.holders(of: path) }
}

extension Duration {
    /// The duration in whole milliseconds, rounded up so that a wait is never empty.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return max(0, seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    /// The current time of CLOCK_MONOTONIC.
    public static var monotonicNow: Duration { DeviceFiles.now() }
}
