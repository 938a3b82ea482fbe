import VideoCapture

/// Descriptions of camera events.
enum EventText {
    static func of(_ event: CaptureEvent) -> String {
        switch event {
        case .started(let format): "frames come as \(format)"
        case .lost(let error): "\(error); it is tried again until it is back"
        case .sourceChanged: "the picture that the device is fed with has changed"
        case .steppedDown(let mode):
            "the USB bus has no room for these frames; trying \(mode.pixelFormat) \(mode.size)"
        case .stalled: "no frame came for some seconds; streaming is begun anew"
        case .controlRefused(let error): "\(error)"
        }
    }
}
