/// Something that happened to a camera, for a log.
public enum CaptureEvent: Sendable, Hashable {
    /// Frames come, in this format.
    case started(CaptureFormat)
    /// The camera cannot be used for the time being, and is tried again.
    case lost(CaptureError)
    /// The picture that the device is fed with has changed.
    case sourceChanged
    /// The bus has no room for the mode that was asked for; this is tried in its place.
    case steppedDown(CaptureMode)
    /// No frame came for too long.
    case stalled
    /// A control that was wished for cannot be set on the camera that came back.
    case controlRefused(CaptureError)
}
