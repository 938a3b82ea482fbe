internal import BarcodeCore
internal import FrameDecoding
internal import Synchronization
internal import VideoCapture

/// Plays a recording in a loop, in place of a camera.
///
/// A thread of its own reads the files and keeps the pace. A picture of a folder is shown for a while, so that a
/// person can see it. A stream plays at its own rate.
/// sees it; a stream is played at its own rate.
final class ReplayPlayer: Sendable {
    /// An event of the player.
    enum Event: Sendable {
        /// Frames are arriving.
        case started
        /// A picture, or the rest of a stream, cannot be read and is skipped.
        case skipped(CaptureError)
        /// There is nothing to play; the player tries again.
        case empty(CaptureError)
    }

    /// The time for which a picture is shown, in seconds.
    static let stay = 1.5

    /// The frames, of which only the newest is kept; ends after ``stop()``.
    let frames: AsyncStream<CapturedFrame>

    private let calls: any V4L2Calls
    private let isStopped: Flag
    private let thread: OwnedThread

    private final class Flag: Sendable {
        private let value = Mutex(false)

        var isSet: Bool { value.withLock { $0 } }

        func set() { value.withLock { $0 = true } }
    }

    /// Starts to play.
    ///
    /// - Parameters:
    ///   - framesPerSecond: the rate for pictures, and for a stream without a rate of its own.
    ///   - calls: the clock and the waiting.
    ///   - onEvent: is called on the player's thread.
    init(
        path: String, framesPerSecond: Double, calls: any V4L2Calls, onEvent: @escaping @Sendable (Event) -> Void
    ) {
        // The stream keeps only the newest frame, because older ones have no value.
        let (frames, output) = AsyncStream.makeStream(of: CapturedFrame.self, bufferingPolicy: .bufferingNewest(1))
        let isStopped = Flag()
        self.frames = frames
        self.calls = calls
        self.isStopped = isStopped
        thread = OwnedThread {
            var round = ReplayRound(path: path, rate: framesPerSecond, calls: calls)
            while !isStopped.isSet {
                round.play(until: { isStopped.isSet }, onEvent: onEvent) { output.yield($0) }
            }
            output.finish()
        }
    }

    /// Ends the frames and waits for the thread.
    func stop() {
        isStopped.set()
        calls.wake()
        thread.join()
    }
}

/// Plays a recording once per call.
struct ReplayRound {
    let path: String
    let rate: Double
    let calls: any V4L2Calls
    private var sequence: UInt32 = 0
    private var hasStarted = false
    private var next = Duration.zero

    init(path: String, rate: Double, calls: any V4L2Calls) {
        self.path = path
        self.rate = max(0.1, min(1000, rate.isFinite ? rate : 30))
        self.calls = calls
    }

    mutating func play(
        until isStopped: () -> Bool, onEvent: (ReplayPlayer.Event) -> Void, deliver: (CapturedFrame) -> Void
    ) {
        let before = sequence
        var last = CaptureError(.badRecording, "contains no frame", subject: path)
        do throws(CaptureError) {
            // Opened again for each round, so that a folder may change in between.
            var recording = try RecordedFrames(path: path)
            let times = recording.holdsPictures ? max(1, Int(ReplayPlayer.stay * rate)) : 1
            let interval = Duration.seconds(1 / (recording.rate ?? rate))
            while !isStopped() {
                do throws(CaptureError) {
                    guard let frame = try recording.next() else { break }
                    if !hasStarted { onEvent(.started) }
                    hasStarted = true
                    show(frame, times: times, interval: interval, until: isStopped, deliver: deliver)
                } catch {
                    onEvent(.skipped(error))
                    last = error
                    if !recording.holdsPictures { break }
                }
            }
        } catch {
            last = error
        }
        if sequence == before, !isStopped() {
            hasStarted = false
            onEvent(.empty(last))
            calls.pause(.seconds(1))
        }
    }

    private mutating func show(
        _ frame: CapturedFrame, times: Int, interval: Duration, until isStopped: () -> Bool,
        deliver: (CapturedFrame) -> Void
    ) {
        for _ in 0..<times where !isStopped() {
            let now = calls.now()
            if next > now { calls.pause(next - now) }
            // After a delay it continues at the normal rate, without catching up.
            next = max(next, now) + interval
            var shown = frame
            shown.timestamp = calls.now()
            shown.sequence = sequence
            sequence &+= 1
            deliver(shown)
        }
    }
}
