internal import FrameDecoding
internal import VideoCapture

/// Runs blocking driver calls on a thread of its own: opening, closing, listing and configuring cameras.
actor DeviceController {
    private nonisolated let executor = ThreadExecutor()
    private let calls: any V4L2Calls

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(calls: any V4L2Calls) {
        self.calls = calls
    }

    func open(
        path: String?, request: CaptureRequest, onEvent: @escaping @Sendable (CaptureEvent) -> Void
    ) throws(CaptureError) -> Camera {
        try Camera(path: path, request: request, calls: calls, onEvent: onEvent)
    }

    func open(
        command: CaptureCommand, onEvent: @escaping @Sendable (CaptureEvent) -> Void
    ) throws(CaptureError) -> Camera {
        try Camera(command: command, onEvent: onEvent)
    }

    func close(_ camera: Camera) {
        camera.stop()
    }

    func close(_ player: ReplayPlayer) {
        player.stop()
    }

    /// Returns the cameras, with an error for each that cannot be inspected.
    func cameras() -> [Result<CameraDescription, CaptureError>] {
        CameraList.all(calls: calls)
    }

    /// Sets controls of a camera, even while it is streaming, and reads all controls.
    ///
    /// This uses a second file descriptor; drivers accept settings from any.
    /// - Returns: the new controls, and the errors for settings that were refused.
    func set(
        _ settings: [ControlSetting], path: String
    ) throws(CaptureError) -> (controls: [CameraControl], refusals: [CaptureError]) {
        let device = try CaptureDevice(path: path, calls: calls)
        var refusals: [CaptureError] = []
        for setting in settings {
            do throws(CaptureError) {
                try device.set(setting.name, to: setting.value)
            } catch {
                refusals.append(error)
            }
        }
        return (device.controls(), refusals)
    }
}
