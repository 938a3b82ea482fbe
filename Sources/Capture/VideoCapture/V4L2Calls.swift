package import CLinux

/// The system calls for capturing: those of the kernel, or of a simulated camera in tests.
///
/// Calls return zero or more, or the negative errno, as inside the kernel.
package protocol V4L2Calls: Sendable {
    /// Opens a device in non-blocking mode, and returns a descriptor or the negative errno.
    func open(_ path: String) -> CInt
    /// Closes a descriptor.
    func close(_ descriptor: CInt)
    /// Calls ioctl(2) with the struct of the request, and returns 0 or the negative errno.
    func control(_ descriptor: CInt, _ request: qz_v4l2_request, _ argument: UnsafeMutableRawPointer) -> CInt
    /// Maps a buffer of the driver; `nil` if that fails.
    func map(_ descriptor: CInt, length: Int, offset: Int) -> UnsafeMutableRawBufferPointer?
    /// Unmaps a buffer.
    func unmap(_ memory: UnsafeMutableRawBufferPointer)
    /// Waits for a frame or an event of the device, for ``wake()``, or for the timeout.
    func poll(_ descriptor: CInt, timeout: Duration) -> PollOutcome
    /// Waits for ``wake()`` or for the timeout.
    func pause(_ duration: Duration)
    /// Interrupts the current wait, or the next one.
    func wake()
    /// The time of CLOCK_MONOTONIC, with which drivers stamp frames.
    func now() -> Duration
    /// Returns the cameras in the system.
    func devices() -> [DeviceNode]
    /// Returns the processes that have a device open, for people: `zoom (process 812)`.
    func holders(of path: String) -> [String]
}

/// The outcome of a wait.
package struct PollOutcome: Sendable, Hashable {
    /// A frame can be taken.
    package var hasFrame = false
    /// The driver has an event.
    package var hasEvent = false
    /// The device reports an error, or is gone.
    package var hasError = false

    package init(hasFrame: Bool = false, hasEvent: Bool = false, hasError: Bool = false) {
        self.hasFrame = hasFrame
        self.hasEvent = hasEvent
        self.hasError = hasError
    }
}

/// A device file of a camera, with its stable names.
public struct DeviceNode: Sendable, Hashable {
    /// The device file, such as `/dev/video0`.
    public var path: String
    /// Names that stay the same when the camera is plugged in again: by identity first, then by port.
    public var stablePaths: [String]

    /// Creates a device node.
    public init(path: String, stablePaths: [String]) {
        self.path = path
        self.stablePaths = stablePaths
    }
}
