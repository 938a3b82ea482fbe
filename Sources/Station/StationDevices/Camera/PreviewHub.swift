internal import BarcodeCore
internal import FrameDecoding
internal import ImageCodecs
internal import Synchronization
internal import VideoCapture

/// Encodes frames as JPEG for viewers: once per frame for all of them, and not at all without viewers.
final class PreviewHub: Sendable {
    /// The maximum length of the longer side of a preview, in pixels.
    static let maximumSide = 1280

    /// A frame to encode.
    struct Job: Sendable {
        var frame: CapturedFrame
        var size: PixelSize
        var symbols: [Symbol]
        var advice: UnreadSymbol.Reason?
    }

    private struct Viewer {
        var output: AsyncStream<StationCamera.Preview>.Continuation
        var interval: Duration
        /// The time of the next wanted frame.
        var due = Duration.zero
    }

    private struct State {
        var viewers: [Int: Viewer] = [:]
        var nextViewer = 0
        var encoded = 0
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let encoder: PreviewEncoder
    private let maximumSide: Int
    private let jobs: AsyncStream<Job>
    private let submit: AsyncStream<Job>.Continuation

    /// - Parameter maximumSide: the maximum length of the longer side of a picture, in pixels.
    init(quality: Int, maximumSide: Int = PreviewHub.maximumSide) {
        encoder = PreviewEncoder(quality: quality)
        self.maximumSide = maximumSide
        // A frame that waits during the encoding of another has no value once a newer one arrives.
        (jobs, submit) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The number of encoded frames.
    var encoded: Int { state.withLock { $0.encoded } }

    /// The number of viewers.
    var viewers: Int { state.withLock { $0.viewers.count } }

    /// Returns the frames for one viewer, at most `rate` a second.
    func stream(atMost rate: Double) -> AsyncStream<StationCamera.Preview> {
        // A slow viewer gets the newest frame instead of a queue of old ones.
        let (stream, output) = AsyncStream.makeStream(
            of: StationCamera.Preview.self, bufferingPolicy: .bufferingNewest(1))
        let rate = rate.isFinite && rate > 0 ? rate : 1
        let number: Int? = state.withLock { state in
            guard !state.hasEnded else { return nil }
            defer { state.nextViewer += 1 }
            state.viewers[state.nextViewer] = Viewer(output: output, interval: .seconds(1 / max(0.001, rate)))
            return state.nextViewer
        }
        guard let number else {
            output.finish()
            return stream
        }
        output.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.viewers.removeValue(forKey: number) }
        }
        return stream
    }

    /// Queues a frame if a viewer wants one now.
    ///
    /// Returns true if it was queued.
    @discardableResult
    func offer(
        _ frame: CapturedFrame, size: PixelSize, symbols: [Symbol], advice: UnreadSymbol.Reason? = nil
    ) -> Bool {
        let isWanted = isWanted(at: frame.timestamp)
        if isWanted { submit.yield(Job(frame: frame, size: size, symbols: symbols, advice: advice)) }
        return isWanted
    }

    private func isWanted(at time: Duration) -> Bool {
        state.withLock { state in state.viewers.values.contains { $0.due <= time } }
    }

    /// Encodes and delivers frames until the task is cancelled.
    ///
    /// - Parameter onFailure: gets the error of a frame that could not be encoded.
    func run(onFailure: @Sendable (DecodeError) -> Void) async {
        // A frame that was queued during the encoding of the previous one may not be wanted anymore.
        for await job in jobs where isWanted(at: job.frame.timestamp) {
            do throws(DecodeError) {
                let jpeg = try await encoder.jpeg(of: job.frame.image, maximumSide: maximumSide)
                deliver(
                    StationCamera.Preview(
                        jpeg: jpeg, size: job.size, sequence: job.frame.sequence, symbols: job.symbols,
                        advice: job.advice),
                    at: job.frame.timestamp)
            } catch {
                onFailure(error)
            }
        }
    }

    private func deliver(_ preview: StationCamera.Preview, at time: Duration) {
        let outputs = state.withLock { state in
            state.encoded += 1
            var outputs: [AsyncStream<StationCamera.Preview>.Continuation] = []
            for (number, var viewer) in state.viewers where viewer.due <= time {
                // Viewers with equal rates share a time grid, so that each frame is encoded once for all of them.
                viewer.due = viewer.interval * ((time / viewer.interval).rounded(.down) + 1)
                state.viewers[number] = viewer
                outputs.append(viewer.output)
            }
            return outputs
        }
        for output in outputs { output.yield(preview) }
    }

    /// Ends all streams; later ones are empty.
    func end() {
        let viewers = state.withLock { state in
            state.hasEnded = true
            defer { state.viewers = [:] }
            return state.viewers
        }
        for viewer in viewers.values { viewer.output.finish() }
        submit.finish()
    }
}

/// Encodes pictures on a thread of its own.
private actor PreviewEncoder {
    private nonisolated let executor = ThreadExecutor()
    private let quality: Int

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(quality: Int) {
        self.quality = quality
    }

    func jpeg(of image: LumaImage, maximumSide: Int) throws(DecodeError) -> [UInt8] {
        var image = image
        while max(image.width, image.height) > maximumSide, min(image.width, image.height) > 1 {
            image = image.halved()
        }
        guard image.width > 0, image.height > 0 else { throw DecodeError(.corrupt, "is a frame without pixels") }
        return try JPEGWriter.encode(image, quality: quality)
    }
}
