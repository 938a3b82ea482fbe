public import BarcodeCore
public import VideoCapture

extension StationCamera {
    /// The source of the frames.
    public enum Source: Sendable, Hashable {
        /// A V4L2 device by its path; `nil` for the first camera found.
        case device(path: String?)
        /// A command that writes frames, or the address of a camera in a network.
        case command(CaptureCommand)
        /// Pictures or a Y4M recording, played in a loop in place of a camera.
        ///
        /// Each picture of a folder is shown for 1.5 seconds. A recording with a rate of its own plays at that rate.
        case replay(path: String, framesPerSecond: Double)
        /// No camera at all.
        case none
    }

    /// The time when frames are decoded.
    public enum Mode: String, Sendable, Hashable, Codable {
        /// All the time.
        case continuous
        /// While a request waits, see ``StationCamera/trigger(symbologies:timeout:acceptsAnswered:onRepetition:)``.
        case trigger
    }

    /// The symbols decoded in a frame.
    public struct Reading: Sendable, Hashable {
        /// The symbols, in pixels of the full frame.
        public var symbols: [Symbol]
        /// The size of the full frame, in pixels.
        public var size: PixelSize
        /// The camera's name, for people.
        public var card: String
        /// The path of the device or recording.
        public var path: String
        /// The file of the frame in a recording; `nil` for a camera.
        public var file: String?
    }

    /// A frame for viewers.
    public struct Preview: Sendable, Hashable {
        /// A gray JPEG of the frame, no side longer than 1,280 pixels.
        public var jpeg: [UInt8]
        /// The size of the full frame in pixels, which `symbols` refer to.
        public var size: PixelSize
        /// The sequence number of the frame.
        public var sequence: UInt32
        /// The symbols in this frame; empty if it was not decoded.
        public var symbols: [Symbol]
        /// The reason why a code in view has not been read for a while; `nil` if there is none.
        public var advice: UnreadSymbol.Reason?
    }

    /// The symbols in view, for an overlay.
    public struct View: Sendable, Hashable {
        /// The size of the full frame in pixels, which `symbols` refer to.
        public var size: PixelSize
        /// The sequence number of the frame.
        public var sequence: UInt32
        /// The symbols in view, reported before or not.
        public var symbols: [Symbol]
    }

    /// The current state of the camera.
    public struct State: Sendable, Hashable {
        /// The status of a camera.
        public enum Status: String, Sendable, Hashable, Codable {
            /// It is being opened.
            case starting
            /// Frames come.
            case running
            /// It is disconnected, busy or broken; `problem` has the reason. It is tried again.
            case lost
            /// There is no camera. If one was requested, the search goes on.
            case none
        }

        /// The status.
        public var status: Status = .starting
        /// The reason why there are no frames, for people.
        public var problem: String?
        /// The path of the device or recording.
        public var path: String?
        /// The camera's name, for people.
        public var card: String?
        /// The size of a frame, in pixels.
        public var size: PixelSize?
        /// The measured frame rate, in frames a second.
        public var rate = 0.0
        /// The mode, which determines when frames are decoded.
        public var mode: Mode
        /// The region that is decoded, in fractions of the frame's width and height from the upper left; `nil` for
        /// all.
        public var region: Rectangle?
        /// The camera's controls.
        public var controls: [CameraControl] = []
    }

    /// The counters since the start.
    public struct Counts: Sendable, Hashable {
        /// Captured frames.
        public var frames = 0
        /// Decoded frames.
        public var decoded = 0
        /// Frames whose decoding failed.
        public var failed = 0
        /// Pictures of a recording that could not be opened, counted in each round.
        public var skippedPictures = 0
        /// Frames encoded for viewers.
        public var encoded = 0
        /// The number of times the camera was lost.
        public var lost = 0
        /// Frames lost before they got here, as reported by the device's last frame.
        public var capture = CaptureCounts()
    }
}
