internal import StationCamera

/// Frames that can be ended from outside, also while somebody waits for the next.
final class PreviewSource: Sendable {
    private let frames: AsyncStream<StationCamera.Preview>
    private let output: AsyncStream<StationCamera.Preview>.Continuation
    private let pump: Task<Void, Never>

    init(_ previews: AsyncStream<StationCamera.Preview>) {
        // The newest alone: a frame that waits is worth nothing.
        let (frames, output) = AsyncStream.makeStream(
            of: StationCamera.Preview.self, bufferingPolicy: .bufferingNewest(1))
        (self.frames, self.output) = (frames, output)
        pump = Task {
            for await preview in previews { output.yield(preview) }
            output.finish()
        }
    }

    deinit { pump.cancel() }

    /// The next frame; nil at the end.
    ///
    /// For one task.
    func next() async -> StationCamera.Preview? {
        for await preview in frames { return preview }
        return nil
    }

    func end() {
        pump.cancel()
        output.finish()
    }
}
