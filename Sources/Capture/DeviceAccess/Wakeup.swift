internal import CLinux
internal import Glibc

/// Ends the wait of a thread from another one, by eventfd(2).
package final class Wakeup: Sendable {
    /// The file to wait for; negative where there is none, for which poll(2) does not wait.
    package let descriptor: Int32

    /// A file that is not yet readable.
    package init() { descriptor = qz_device_wakeup() }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Makes the file readable: the wait that is under way ends, or the next one.
    package func wake() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    /// Takes that it was woken.
    package func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }
}
