import VideoCapture

/// Descriptions of camera events.
enum EventText {
    static func of(_ event: CaptureEvent) -> String {
        switch event {
        case .started(let format): "frame format: \(format)"
        case .lost(let error): "\(error); retrying until it is back"
        case .sourceChanged: "the input of the device has changed"
        case .steppedDown(let mode):
            "the USB bus has not enough bandwidth for these frames; trying \(mode.pixelFormat) \(mode.size)"
        case .stalled: "no frame arrived for some seconds; restarting the stream"
        case .controlRefused(let error): "\(error)"
        }
    }
}
