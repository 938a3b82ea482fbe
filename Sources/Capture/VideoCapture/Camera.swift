internal import BarcodeCore
internal import DeviceAccess
internal import Synchronization

/// A camera that always delivers its newest frame, runs for hours and reconnects after unplugging.
///
/// A dedicated thread waits for the driver. ``frames`` buffers one frame, so a slow consumer gets the newest and
/// never an old one. A lost camera is reopened by its stable name until ``stop()``.
///
/// ```swift
/// let camera = try Camera(request: CaptureRequest(size: PixelSize(width: 1920, height: 1080)))
/// for await frame in camera.frames {
///     print(frame.sequence, frame.image.width, frame.image.height)
/// }
/// ```
public final class Camera: Sendable {
    /// The stream of the newest frames, for one consumer; ends after ``stop()``.
    public let frames: AsyncStream<CapturedFrame>
    /// The path that the camera was opened with.
    public let path: String
    /// The name of the camera, as its driver reports it.
    public let card: String

    private let wake: @Sendable () -> Void
    private let status: Status
    private let thread: OwnedThread

    /// The state that the thread and the owner share.
    private final class Status: Sendable {
        struct State {
            var isStopped = false
            var counts = CaptureCounts()
            var overwritten = 0
        }

        let state = Mutex(State())

        func withOverwritten(_ counts: CaptureCounts) -> CaptureCounts {
            var counts = counts
            counts.overwritten = state.withLock { $0.overwritten }
            return counts
        }

        /// Passes a frame on, and counts one that it replaces.
        func yield(_ frame: CapturedFrame, to output: AsyncStream<CapturedFrame>.Continuation) {
            var frame = frame
            frame.counts = withOverwritten(frame.counts)
            if case .dropped = output.yield(frame) { state.withLock { $0.overwritten += 1 } }
        }
    }

    // Unchecked: created by one thread, then used by the capture thread only.
    private final class Work<Loop: FrameLoop & ~Copyable>: @unchecked Sendable {
        private var loop: Loop

        init(_ loop: consuming Loop) {
            self.loop = loop
        }

        /// Runs the loop until the camera is stopped.
        func run(_ status: Status, output: AsyncStream<CapturedFrame>.Continuation) {
            while !status.state.withLock({ $0.isStopped }) {
                loop.step()
                let counts = loop.counts
                status.state.withLock { $0.counts = counts }
            }
            loop.close()
            output.finish()
        }
    }

    /// Opens a camera, sets its controls and starts streaming.
    ///
    /// - Parameters:
    ///   - path: the device; `nil` for the first camera.
    ///   - request: the preferred size, rate and pixel format.
    ///   - controls: the controls to set before streaming, and again whenever the camera comes back.
    ///   - onEvent: receives the events of the camera, on the capture thread except during the first start.
    /// - Throws: ``CaptureError`` if the camera cannot be used now. Later errors go to `onEvent`.
    public convenience init(
        path: String? = nil, request: CaptureRequest = .init(), controls: [ControlSetting] = [],
        onEvent: @escaping @Sendable (CaptureEvent) -> Void = { _ in }
    ) throws(CaptureError) {
        try self.init(path: path, request: request, controls: controls, calls: KernelCalls(), onEvent: onEvent)
    }

    /// Opens a camera with the given system calls.
    package init(
        path: String?, request: CaptureRequest, controls: [ControlSetting] = [], calls: any V4L2Calls,
        onEvent: @escaping @Sendable (CaptureEvent) -> Void = { _ in }
    ) throws(CaptureError) {
        let devices = calls.devices()
        let path = if let path { path } else { try CameraList.first(among: devices, calls: calls) }
        let device = try CaptureDevice(path: path, calls: calls)
        let card = device.card
        let status = Status()
        // A newer frame makes older ones useless, so the stream keeps only the newest.
        let (frames, output) = AsyncStream.makeStream(of: CapturedFrame.self, bufferingPolicy: .bufferingNewest(1))
        var loop = CaptureLoop(
            device: device, location: DeviceLocation(path: path, among: devices), request: request, controls: controls,
            calls: calls, report: onEvent,
            deliver: { status.yield($0, to: output) })
        try loop.begin()
        let work = Work(loop)
        self.path = path
        self.card = card
        wake = { calls.wake() }
        self.frames = frames
        self.status = status
        thread = OwnedThread { work.run(status, output: output) }
    }

    /// Starts a command that writes frames, and starts it again whenever it ends, stalls or writes invalid data.
    ///
    /// - Parameters:
    ///   - command: the command, or the network address.
    ///   - onEvent: receives the events of the command, on the capture thread.
    /// - Throws: ``CaptureError`` with the code `not_found` if the program is not installed. All other errors go to
    ///   `onEvent`, because a camera in a network may come later.
    public convenience init(
        command: CaptureCommand, onEvent: @escaping @Sendable (CaptureEvent) -> Void = { _ in }
    ) throws(CaptureError) {
        try self.init(command: command, timing: CommandLoop.timing, onEvent: onEvent)
    }

    /// Starts a command with the given timing.
    init(
        command: CaptureCommand, timing: CaptureState.Timing, onEvent: @escaping @Sendable (CaptureEvent) -> Void
    ) throws(CaptureError) {
        try command.checkProgram()
        let status = Status()
        let wakeup = WakeupEvent()
        let (frames, output) = AsyncStream.makeStream(of: CapturedFrame.self, bufferingPolicy: .bufferingNewest(1))
        let work = Work(
            CommandLoop(
                command, wakeup: wakeup, timing: timing, report: onEvent, deliver: { status.yield($0, to: output) }))
        path = command.name
        card = command.name
        wake = { wakeup.wake() }
        self.frames = frames
        self.status = status
        thread = OwnedThread { work.run(status, output: output) }
    }

    deinit {
        stop()
    }

    /// The frame counts so far.
    public var counts: CaptureCounts {
        status.withOverwritten(status.state.withLock { $0.counts })
    }

    /// Stops streaming, closes the camera and waits for the thread: for one frame at most, or for a command to end,
    /// which is killed after a second.
    public func stop() {
        let isFirst = status.state.withLock { state in
            defer { state.isStopped = true }
            return !state.isStopped
        }
        guard isFirst else { return }
        wake()
        thread.join()
    }
}
