/// What the capture thread does next, and what follows from what it met: pure, no clock and no I/O of its own.
struct CaptureState: Sendable, Hashable {
    /// How the thread behaves when things go wrong.
    struct Timing: Sendable, Hashable {
        /// The wait before the first try to open a lost camera; it doubles from try to try.
        var firstRetry: Duration = .milliseconds(100)
        /// The longest wait between two tries: half of the second in which a camera that is back shall deliver.
        var maximumRetryDelay: Duration = .milliseconds(500)
        /// The longest wait for a frame before streaming is begun anew; long exposures take up to a second.
        var stall: Duration = .seconds(3)
    }

    /// What to do next.
    enum Action: Sendable, Hashable {
        /// Wait for so long.
        case pause(Duration)
        /// Open the camera, by its stable name where it has one, and start streaming.
        case open
        /// Start streaming on the open camera.
        case start
        /// Wait for a frame for so long at most.
        case capture(timeout: Duration)
    }

    /// What was met.
    enum Event: Sendable, Hashable {
        /// Streaming has begun.
        case started
        /// A frame came, good or bad.
        case frame
        /// No frame was there, and the time may be over.
        case silence
        /// The driver says that what it is fed with has changed.
        case sourceChanged
        /// The camera is gone, or cannot be used.
        case failed
    }

    private enum Phase: Sendable, Hashable {
        case closed(retryAt: Duration)
        case open
        case streaming(since: Duration)
    }

    let timing: Timing
    private var phase: Phase
    private var failures = 0
    /// Whether the last start was due to a stall: a second one in a row closes the camera.
    private var hasStalled = false

    /// A camera that is to be opened at once.
    init(timing: Timing = Timing(), now: Duration) {
        self.timing = timing
        phase = .closed(retryAt: now)
    }

    /// A camera that is open already, and is to be started.
    static func opened(timing: Timing = Timing(), now: Duration) -> CaptureState {
        var state = CaptureState(timing: timing, now: now)
        state.phase = .open
        return state
    }

    /// What to do at the time `now`.
    func action(at now: Duration) -> Action {
        switch phase {
        case .closed(let retryAt): now < retryAt ? .pause(retryAt - now) : .open
        case .open: .start
        case .streaming(let since): .capture(timeout: max(.zero, since + timing.stall - now))
        }
    }

    /// Whether the device has to be open in this state.
    var needsDevice: Bool {
        if case .closed = phase { false } else { true }
    }

    /// Takes note of what was met at the time `now`.
    mutating func note(_ event: Event, at now: Duration) {
        switch event {
        case .started:
            phase = .streaming(since: now)
        case .frame:
            guard case .streaming = phase else { return }
            failures = 0
            hasStalled = false
            phase = .streaming(since: now)
        case .silence:
            guard case .streaming(let since) = phase, now - since >= timing.stall else { return }
            if hasStalled {
                fail(at: now)
            } else {
                hasStalled = true
                phase = .open
            }
        case .sourceChanged:
            guard case .streaming = phase else { return }
            phase = .open
        case .failed:
            fail(at: now)
        }
    }

    private mutating func fail(at now: Duration) {
        var wait = timing.firstRetry
        for _ in 0..<min(failures, 16) where wait < timing.maximumRetryDelay { wait *= 2 }
        failures += 1
        hasStalled = false
        phase = .closed(retryAt: now + min(wait, timing.maximumRetryDelay))
    }
}
