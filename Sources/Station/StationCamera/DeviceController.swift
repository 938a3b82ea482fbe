internal import FrameDecoding
internal import VideoCapture

/// Does on a thread of its own what blocks on a driver: opening, closing, looking at cameras and setting them.
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

    func close(_ camera: Camera) {
        camera.stop()
    }

    func close(_ player: ReplayPlayer) {
        player.stop()
    }

    /// The cameras that could be looked at, and why the others could not.
    func cameras() -> [Result<CameraDescription, CaptureError>] {
        CameraList.all(calls: calls)
    }

    /// Sets controls of a camera that may be streaming, and reads them all.
    ///
    /// By a descriptor of its own: the driver takes settings from any.
    /// - Returns: the controls as they are then, and the settings that were refused.
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
