package import CLinux

/// The system calls that capturing is made of: the kernel's, or those of a camera that a test plays.
///
/// Calls answer as the kernel does inside: zero or more, or the negative errno.
package protocol V4L2Calls: Sendable {
    /// Opens a device without blocking: a descriptor, or the negative errno.
    func open(_ path: String) -> CInt
    /// Closes a descriptor.
    func close(_ descriptor: CInt)
    /// ioctl(2) with the struct that belongs to the request: 0, or the negative errno.
    func control(_ descriptor: CInt, _ request: qz_v4l2_request, _ argument: UnsafeMutableRawPointer) -> CInt
    /// Maps a buffer of the driver; nil where that fails.
    func map(_ descriptor: CInt, length: Int, offset: Int) -> UnsafeMutableRawBufferPointer?
    /// Ends a mapping.
    func unmap(_ memory: UnsafeMutableRawBufferPointer)
    /// Waits for a frame or an event of the device, for ``wake()``, or for the time to pass.
    func poll(_ descriptor: CInt, timeout: Duration) -> PollOutcome
    /// Waits for ``wake()`` or for the time to pass.
    func pause(_ duration: Duration)
    /// Ends the wait that is under way, or the next one.
    func wake()
    /// The time of CLOCK_MONOTONIC, which drivers stamp frames with.
    func now() -> Duration
    /// The devices that there are.
    func devices() -> [DeviceNode]
    /// Who has a device open, as a list for people: `zoom (process 812)`.
    func holders(of path: String) -> [String]
}

/// What a wait ended with.
package struct PollOutcome: Sendable, Hashable {
    /// A frame can be taken.
    package var hasFrame = false
    /// The driver has something to say.
    package var hasEvent = false
    /// The device reports an error, or is gone.
    package var hasError = false

    package init(hasFrame: Bool = false, hasEvent: Bool = false, hasError: Bool = false) {
        self.hasFrame = hasFrame
        self.hasEvent = hasEvent
        self.hasError = hasError
    }
}

/// A device file of a camera, with the names that lead to it.
public struct DeviceNode: Sendable, Hashable {
    /// The device file, such as `/dev/video0`.
    public var path: String
    /// Names that stay the same when the camera is plugged in anew, those by its identity first, then those by its
    /// port.
    public var stablePaths: [String]

    /// A device file and its stable names.
    public init(path: String, stablePaths: [String]) {
        self.path = path
        self.stablePaths = stablePaths
    }
}
