public import BarcodeCore
public import VideoCapture

extension StationCamera {
    /// Where the frames come from.
    public enum Source: Sendable, Hashable {
        /// A V4L2 device by its path; nil for the first camera that there is.
        case device(path: String?)
        /// Pictures or a Y4M recording that are played again and again, in place of a camera.
        ///
        /// Each picture of a folder stays for a second and a half; a recording that says its rate is played at that.
        case replay(path: String, framesPerSecond: Double)
        /// No camera at all.
        case none
    }

    /// When codes are read.
    public enum Mode: String, Sendable, Hashable, Codable {
        /// All the time.
        case continuous
        /// Only while somebody asked, see ``StationCamera/trigger(symbologies:timeout:)``.
        case trigger
    }

    /// What was read in a frame.
    public struct Reading: Sendable, Hashable {
        /// The symbols, in pixels of the full frame.
        public var symbols: [Symbol]
        /// Pixels of the full frame.
        public var size: PixelSize
        /// The camera's name, for people.
        public var card: String
        /// The device's path or the recording's.
        public var path: String
        /// The file of a recording that the frame is; nil for a camera.
        public var file: String?
    }

    /// A frame for people to look at.
    public struct Preview: Sendable, Hashable {
        /// A gray JPEG of the frame, no side longer than 1,280 pixels.
        public var jpeg: [UInt8]
        /// Pixels of the full frame, which `symbols` are measured in.
        public var size: PixelSize
        /// The number of the frame.
        public var sequence: UInt32
        /// What is in view in just this frame; nothing where it was not read.
        public var symbols: [Symbol]
    }

    /// What is in view, for an overlay.
    public struct View: Sendable, Hashable {
        /// Pixels of the full frame, which `symbols` are measured in.
        public var size: PixelSize
        /// The number of the frame.
        public var sequence: UInt32
        /// What is in view, told before or not.
        public var symbols: [Symbol]
    }

    /// What is known of the camera now.
    public struct State: Sendable, Hashable {
        /// Whether frames come.
        public enum Status: String, Sendable, Hashable, Codable {
            /// It is being opened.
            case starting
            /// Frames come.
            case running
            /// It is gone, busy or broken; `problem` says why, and it is tried again.
            case lost
            /// There is no camera; where one was wanted, it is looked for again and again.
            case none
        }

        /// Whether frames come.
        public var status: Status = .starting
        /// Why they don't, for people.
        public var problem: String?
        /// The device's path or the recording's.
        public var path: String?
        /// The camera's name, for people.
        public var card: String?
        /// Pixels of a frame.
        public var size: PixelSize?
        /// Frames a second, measured.
        public var rate = 0.0
        /// When codes are read.
        public var mode: Mode
        /// The part of the frame that is read, in parts of its width and height from the upper left; nil for all.
        public var region: Rectangle?
        /// The camera's controls.
        public var controls: [CameraControl] = []
    }

    /// What was counted since the start.
    public struct Counts: Sendable, Hashable {
        /// Frames that were taken.
        public var frames = 0
        /// Frames that were read for codes.
        public var decoded = 0
        /// Frames that could not be read for codes.
        public var failed = 0
        /// Pictures of a recording that could not be opened, counted in each round.
        public var skippedPictures = 0
        /// Frames that were packed for whoever looked.
        public var encoded = 0
        /// How often the camera was lost.
        public var lost = 0
        /// Frames that never came here, as the last frame of the device told it.
        public var capture = CaptureCounts()
    }
}
