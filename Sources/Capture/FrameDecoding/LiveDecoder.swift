public import BarcodeCore
@_exported public import VideoCapture

/// What a frame of a camera came to, and how long that took.
public struct FrameResult: Sendable {
    /// The frame.
    public var frame: CapturedFrame
    /// What was read; corners are in pixels of what the camera saw, also where a JPEG was reduced.
    public var reading: FrameReading
    /// From the exposure of the frame to its result.
    public var latency: Duration
    /// What reading took.
    public var decodeTime: Duration
}

/// Decodes frames on a thread of its own, so that no thread that tasks share waits for it.
///
/// The frames of a `Camera` are the newest at any time, so the loop `for await frame in camera.frames` around
/// ``decode(_:at:)`` never decodes one that a newer one has followed.
public actor LiveDecoder {
    private nonisolated let executor: ThreadExecutor
    private let now: @Sendable () -> Duration
    private var decoder: FrameDecoder

    /// The thread that this actor runs on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A decoder on a new thread.
    ///
    /// - Parameters:
    ///   - decoder: what reads the frames, one after the other.
    ///   - now: the clock that frames are stamped with; CLOCK_MONOTONIC unless said otherwise.
    public init(_ decoder: FrameDecoder, now: @escaping @Sendable () -> Duration = { .monotonicNow }) {
        self.decoder = decoder
        self.now = now
        executor = ThreadExecutor()
    }

    /// Reads a frame.
    ///
    /// - Parameters:
    ///   - frame: what the camera or the recording gave.
    ///   - time: when the frame was exposed; nil for its timestamp. A recording has a time of its own.
    /// - Throws: what ``FrameDecoder/decode(_:at:scale:)`` throws.
    public func decode(_ frame: CapturedFrame, at time: Duration? = nil) throws(DecodeError) -> FrameResult {
        let start = now()
        let reading = try decoder.decode(frame.image, at: time ?? frame.timestamp, scale: frame.scale)
        let end = now()
        return FrameResult(frame: frame, reading: reading, latency: end - frame.timestamp, decodeTime: end - start)
    }

    /// Searches for something else, or elsewhere, see ``FrameDecoder/search(for:in:)``.
    public func search(for symbologies: Set<Symbology>, in region: FrameRegion?) {
        decoder.search(for: symbologies, in: region)
    }
}
