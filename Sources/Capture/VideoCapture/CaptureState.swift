/// The state machine of the capture thread: pure, with no clock and no I/O of its own.
struct CaptureState: Sendable, Hashable {
    /// The timing of retries and timeouts.
    struct Timing: Sendable, Hashable {
        /// The delay before the first attempt to reopen a lost camera; it doubles with each attempt (backoff).
        var firstRetry: Duration = .milliseconds(100)
        /// The longest delay between two attempts: half of the second within which a returned camera must deliver.
        var maximumRetryDelay: Duration = .milliseconds(500)
        /// The timeout of a frame before streaming is restarted; long exposures take up to a second.
        var stall: Duration = .seconds(3)
    }

    /// The next action.
    enum Action: Sendable, Hashable {
        /// Wait for this time.
        case pause(Duration)
        /// Open the camera, by its stable name if it has one, and start streaming.
        case open
        /// Start streaming on the open camera.
        case start
        /// Wait for a frame for at most this time.
        case capture(timeout: Duration)
    }

    /// An event of the camera.
    enum Event: Sendable, Hashable {
        /// Streaming has started.
        case started
        /// A frame came, intact or not.
        case frame
        /// No frame came, and the timeout may have passed.
        case silence
        /// The driver reports that the video source has changed.
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
    /// Indicates whether the last start was due to a stall; a second stall in a row closes the camera.
    private var hasStalled = false

    /// Creates a state that opens the camera at once.
    init(timing: Timing = Timing(), now: Duration) {
        self.timing = timing
        phase = .closed(retryAt: now)
    }

    /// Returns the state of an open camera that is to be started.
    static func opened(timing: Timing = Timing(), now: Duration) -> CaptureState {
        var state = CaptureState(timing: timing, now: now)
        state.phase = .open
        return state
    }

    /// Returns the action at the time `now`.
    func action(at now: Duration) -> Action {
        switch phase {
        case .closed(let retryAt): now < retryAt ? .pause(retryAt - now) : .open
        case .open: .start
        case .streaming(let since): .capture(timeout: max(.zero, since + timing.stall - now))
        }
    }

    /// Indicates whether the device must be open in this state.
    var needsDevice: Bool {
        if case .closed = phase { false } else { true }
    }

    /// Handles an event at the time `now`.
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
