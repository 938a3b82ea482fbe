public import BarcodeCore
public import Logging
public import ServiceLifecycle
public import VideoCapture

/// A camera that is there for as long as the station is: it reads codes, and shows itself to whoever looks.
///
/// It survives a device that is unplugged and comes back, and a change of the device. Nothing is encoded while nobody
/// looks.
public final class StationCamera: Service {
    /// Where the frames come from.
    public enum Source: Sendable, Hashable {
        /// A V4L2 device by its path; nil for the first camera that there is.
        case device(path: String?)
        /// Pictures or a Y4M recording that are played again and again, in place of a camera.
        case replay(path: String, framesPerSecond: Double)
        /// No camera at all.
        case none
    }

    /// When codes are read.
    public enum Mode: String, Sendable, Hashable {
        /// All the time.
        case continuous
        /// Only while somebody asked, see ``StationCamera/trigger(formats:timeout:)``.
        case trigger
    }

    /// What was read in a frame: symbols that were not in view before.
    public struct Reading: Sendable {
        /// The symbols, in pixels of the full frame.
        public var symbols: [Symbol]
        /// Pixels of the full frame.
        public var size: FrameSize
        /// The camera's name, for people.
        public var card: String
    }

    /// A frame for people to look at.
    public struct Preview: Sendable {
        /// A JPEG of the frame, no wider than 1,280 pixels.
        public var jpeg: [UInt8]
        /// Pixels of the full frame, which `symbols` are measured in.
        public var size: FrameSize
        /// The number of the frame.
        public var sequence: UInt32
        /// What is in view.
        public var symbols: [Symbol]
    }

    /// What is known of the camera now.
    public struct State: Sendable, Hashable {
        /// Whether frames come.
        public enum Status: String, Sendable, Hashable {
            /// It is being opened.
            case starting
            /// Frames come.
            case running
            /// It is gone, busy or broken; `problem` says why, and it is tried again.
            case lost
            /// There is no camera.
            case none
        }

        /// Whether frames come.
        public var status: Status
        /// Why they don't, for people.
        public var problem: String?
        /// The device's path or the recording's.
        public var path: String?
        /// The camera's name, for people.
        public var card: String?
        /// Pixels of a frame.
        public var size: FrameSize?
        /// Frames a second, measured.
        public var rate: Double
        /// When codes are read.
        public var mode: Mode
        /// The part of the frame that is read, in parts of its width and height from the upper left; nil for all.
        public var region: Rectangle?
        /// The camera's controls.
        public var controls: [CameraControl]
    }

    /// A camera.
    ///
    /// - Parameters:
    ///   - source: where the frames come from.
    ///   - mode: when codes are read.
    ///   - onReading: hears of each reading, one after the other; frames are dropped while it works.
    ///   - logger: says what becomes of the device.
    public init(
        source: Source, mode: Mode = .continuous, onReading: @escaping @Sendable (Reading) async -> Void, logger: Logger
    ) {}

    /// Plays until a graceful shutdown.
    public func run() async throws {}

    /// What is known of the camera now.
    public var state: State {
        State(status: .none, rate: 0, mode: .continuous, controls: [])
    }

    /// States as they change, the newest only; the first comes at once.
    public func states() -> AsyncStream<State> { AsyncStream { $0.finish() } }

    /// The cameras that there are.
    public func cameras() async -> [CameraDescription] { [] }

    /// Goes on with another device.
    public func select(path: String) async throws(CaptureError) {}

    /// Sets one of the camera's controls.
    public func set(_ control: String, to value: Int) async throws(CaptureError) {}

    /// Reads in a part of the frame alone: parts of its width and height from the upper left; nil for all.
    public func set(region: Rectangle?) {}

    /// Says when codes are read.
    public func set(mode: Mode) {}

    /// Waits for a symbol, in view already or not.
    ///
    /// - Parameters:
    ///   - formats: what is waited for; nothing stands for every symbology.
    ///   - timeout: how long.
    /// - Returns: the symbols of the first frame that shows one, or none when the time is up.
    /// - Throws: `CancellationError`.
    public func trigger(formats: Set<Symbology>, timeout: Duration) async throws -> [Symbol] { [] }

    /// Frames to look at, at most so many a second, the newest only; ends with the camera.
    public func previews(atMost rate: Double) -> AsyncStream<Preview> { AsyncStream { $0.finish() } }

    /// The next frame to look at; nil where none comes within a second.
    public func preview() async -> Preview? { nil }
}
