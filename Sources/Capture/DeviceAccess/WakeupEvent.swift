internal import CLinux
internal import Glibc

/// Interrupts the wait of another thread through an eventfd(2).
package final class WakeupEvent: Sendable {
    /// The descriptor to poll; negative if there is none, and poll(2) ignores negative descriptors.
    package let descriptor: Int32

    /// Creates an event that is not signaled.
    package init() { descriptor = qz_device_wakeup() }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Signals the event: the current wait ends, or else the next one ends at once.
    package func wake() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    /// Resets the event.
    package func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }
}
