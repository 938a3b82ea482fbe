/// An event of a camera, for a log.
public enum CaptureEvent: Sendable, Hashable {
    /// Streaming has started, in this format.
    case started(CaptureFormat)
    /// The camera cannot be used for now, and is retried.
    case lost(CaptureError)
    /// The video source has changed.
    case sourceChanged
    /// The bus has not enough bandwidth for the requested mode; this one is tried instead.
    case steppedDown(CaptureMode)
    /// No frame came for too long.
    case stalled
    /// A requested control cannot be set on the camera that came back.
    case controlRefused(CaptureError)
}
