internal import BarcodeCore
internal import FrameDecoding
internal import VideoCapture

extension StationCamera {
    /// The mutable state of a station's camera.
    struct Store {
        var state: State
        var counts = Counts()
        var hasEnded = false
        /// The number of the session, so that late events of an earlier session are ignored.
        var session = 0
        /// The device that is open or to be opened; `nil` for none, and during the search for the first one.
        var device: String?
        /// The settings of each device, by path, applied whenever it starts, in order.
        var controls: [String: [ControlSetting]] = [:]
        let initialControls: [ControlSetting]
        var meter = RateMeter()
        var waits: [Int: TriggerWait] = [:]
        var answered = AnsweredCodes()
        var advice = ReadingAdvice()
        var stateWatchers: [Int: AsyncStream<State>.Continuation] = [:]
        var viewWatchers: [Int: AsyncStream<View>.Continuation] = [:]
        var isViewEmpty = true
        /// Unreadable pictures of a recording.
        var skipped: Set<String> = []
        /// The decoder's target.
        var target: SearchTarget
        private var nextNumber = 0

        init(state: State, controls: [ControlSetting], symbologies: Set<Symbology>) {
            self.state = state
            initialControls = controls
            target = SearchTarget(symbologies: symbologies, region: nil)
        }

        /// Returns a number that was never returned before.
        mutating func number() -> Int {
            defer { nextNumber += 1 }
            return nextNumber
        }

        mutating func beginSession() -> Int {
            session = number()
            meter = RateMeter()
            device = nil
            advice = ReadingAdvice()
            counts.capture = CaptureCounts()
            change { state in
                state = State(mode: state.mode, region: state.region)
            }
            return session
        }

        /// Changes the state, and notifies the watchers if it differs.
        mutating func change(_ body: (inout State) -> Void) {
            var new = state
            body(&new)
            guard new != state else { return }
            state = new
            for output in stateWatchers.values { output.yield(new) }
        }

        /// The search target for the next frame; `nil` if it need not be decoded.
        func wanted(among standard: Set<Symbology>) -> SearchTarget? {
            guard state.mode == .continuous || !waits.isEmpty else { return nil }
            // Includes more than the requested symbologies: if a person shows the wrong kind of code, the page can
            // say so.
            var symbologies = standard
            for wait in waits.values { symbologies.formUnion(wait.symbologies) }
            return SearchTarget(
                symbologies: symbologies, region: state.region.map { FrameRegion($0, isRelative: true) })
        }
    }

    /// The symbologies and the region that a decoder searches for.
    struct SearchTarget: Hashable {
        var symbologies: Set<Symbology>
        var region: FrameRegion?
    }
}

/// The frame rate, measured over about the last second.
struct RateMeter {
    private var start: Duration?
    private var count = 0
    private(set) var rate = 0.0

    /// Counts a frame.
    ///
    /// Returns true if there is a new rate.
    mutating func note(_ time: Duration) -> Bool {
        guard let start, time >= start else {
            self.start = time
            count = 0
            return false
        }
        count += 1
        let span = time - start
        guard span >= .seconds(1) else { return false }
        rate = (Double(count) / (span / .seconds(1)) * 10).rounded() / 10
        self.start = time
        count = 0
        return true
    }
}
