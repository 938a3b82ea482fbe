internal import BarcodeCore
internal import FrameDecoding
internal import Synchronization
internal import VideoCapture

/// Plays a recording again and again as if it were a camera.
///
/// One thread of its own reads the files and keeps the time. A picture of a folder stays for a while, so that a person
/// sees it; a stream is played at its own rate.
final class ReplayPlayer: Sendable {
    /// What is worth telling.
    enum Event: Sendable {
        /// Frames come.
        case started
        /// A picture, or a stream from here on, cannot be read, and is passed over.
        case skipped(CaptureError)
        /// There is nothing at all to play; it is tried again.
        case empty(CaptureError)
    }

    /// How long a picture stays.
    static let stay = 1.5

    /// The newest frame, again and again; ends after ``stop()``.
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
    ///   - framesPerSecond: the rate of pictures, and of a stream that does not say its own.
    ///   - calls: the clock and the waiting.
    ///   - onEvent: is told on the thread of the player.
    init(
        path: String, framesPerSecond: Double, calls: any V4L2Calls, onEvent: @escaping @Sendable (Event) -> Void
    ) {
        // Frames are worth nothing once there is a newer one, so the stream keeps only that.
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

/// Goes through a recording, once with each call.
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
        var last = CaptureError(.badRecording, "holds no frame", subject: path)
        do throws(CaptureError) {
            // Opened anew for each round, so that a folder may change while it is played.
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
            // Where it fell behind it goes on from now, and does not hurry.
            next = max(next, now) + interval
            var shown = frame
            shown.timestamp = calls.now()
            shown.sequence = sequence
            sequence &+= 1
            deliver(shown)
        }
    }
}
