internal import StationDevices

/// A stream of frames that can be ended from outside, even during a wait for the next frame.
final class PreviewSource: Sendable {
    private let frames: AsyncStream<StationCamera.Preview>
    private let output: AsyncStream<StationCamera.Preview>.Continuation
    private let pump: Task<Void, Never>

    init(_ previews: AsyncStream<StationCamera.Preview>) {
        // Only the newest is kept: an older frame has no value.
        let (frames, output) = AsyncStream.makeStream(
            of: StationCamera.Preview.self, bufferingPolicy: .bufferingNewest(1))
        (self.frames, self.output) = (frames, output)
        pump = Task {
            for await preview in previews { output.yield(preview) }
            output.finish()
        }
    }

    deinit { pump.cancel() }

    /// Returns the next frame; `nil` at the end.
    ///
    /// Only one task may call this.
    func next() async -> StationCamera.Preview? {
        for await preview in frames { return preview }
        return nil
    }

    func end() {
        pump.cancel()
        output.finish()
    }
}
