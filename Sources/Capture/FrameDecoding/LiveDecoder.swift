public import BarcodeCore
@_exported public import VideoCapture

/// The result of decoding a camera frame, with its timing.
public struct FrameResult: Sendable {
    /// The frame.
    public var frame: CapturedFrame
    /// The decoded symbols, with corners in pixels of the full frame, even if a JPEG was reduced.
    public var reading: FrameReading
    /// The time from the exposure of the frame to its result.
    public var latency: Duration
    /// The time that decoding took.
    public var decodeTime: Duration
}

/// Decodes frames on a dedicated thread, so that it never blocks the shared thread pool of Swift concurrency.
///
/// The frames of a `Camera` are always the newest ones. The loop `for await frame in camera.frames` around
/// ``decode(_:at:)`` therefore skips frames that a newer one has replaced.
///
/// ```swift
/// let camera = try Camera()
/// let decoder = LiveDecoder(FrameDecoder())
/// for await frame in camera.frames {
///     for symbol in try await decoder.decode(frame).reading.newSymbols { print(symbol.text) }
/// }
/// ```
public actor LiveDecoder {
    private nonisolated let executor: ThreadExecutor
    private let now: @Sendable () -> Duration
    private var decoder: FrameDecoder

    /// The executor of the thread that this actor runs on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates a decoder on a new thread.
    ///
    /// - Parameters:
    ///   - decoder: decodes the frames in order.
    ///   - now: the clock of the frame timestamps; CLOCK_MONOTONIC by default.
    public init(_ decoder: FrameDecoder, now: @escaping @Sendable () -> Duration = { .monotonicNow }) {
        self.decoder = decoder
        self.now = now
        executor = ThreadExecutor()
    }

    /// Decodes a frame.
    ///
    /// - Parameters:
    ///   - frame: a frame of a camera or a recording.
    ///   - time: the time of exposure; `nil` for the frame's timestamp. A recording has its own time.
    /// - Throws: the errors of ``FrameDecoder/decode(_:at:scale:)``.
    public func decode(_ frame: CapturedFrame, at time: Duration? = nil) throws(DecodeError) -> FrameResult {
        let start = now()
        let reading = try decoder.decode(frame.image, at: time ?? frame.timestamp, scale: frame.scale)
        let end = now()
        return FrameResult(frame: frame, reading: reading, latency: end - frame.timestamp, decodeTime: end - start)
    }

    /// Changes the symbologies and the region, see ``FrameDecoder/set(symbologies:region:)``.
    public func set(symbologies: Set<Symbology>, region: FrameRegion?) {
        decoder.set(symbologies: symbologies, region: region)
    }
}
