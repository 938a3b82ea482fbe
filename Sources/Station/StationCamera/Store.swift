internal import BarcodeCore
internal import FrameDecoding
internal import VideoCapture

extension StationCamera {
    /// Everything about a station's camera that changes.
    struct Store {
        var state: State
        var counts = Counts()
        var hasEnded = false
        /// The number of the session, so that what an earlier one says late is not taken for its word.
        var session = 0
        /// The device that is or shall be open; nil for none, and while the first one is looked for.
        var device: String?
        /// What devices are set to whenever they start, in the order of the settings.
        var controls: [String: [ControlSetting]] = [:]
        let initialControls: [ControlSetting]
        var meter = RateMeter()
        var waits: [Int: TriggerWait] = [:]
        var answered = AnsweredCodes()
        var stateWatchers: [Int: AsyncStream<State>.Continuation] = [:]
        var viewWatchers: [Int: AsyncStream<View>.Continuation] = [:]
        var isViewEmpty = true
        /// Pictures of a recording that were found to be unreadable.
        var skipped: Set<String> = []
        /// What the decoder searches for.
        var target: SearchTarget
        private var nextNumber = 0

        init(state: State, controls: [ControlSetting], symbologies: Set<Symbology>) {
            self.state = state
            initialControls = controls
            target = SearchTarget(symbologies: symbologies, region: nil)
        }

        /// A number that was never given before.
        mutating func number() -> Int {
            defer { nextNumber += 1 }
            return nextNumber
        }

        mutating func beginSession() -> Int {
            session = number()
            meter = RateMeter()
            device = nil
            counts.capture = CaptureCounts()
            change { state in
                state = State(mode: state.mode, region: state.region)
            }
            return session
        }

        /// Changes the state, and tells whoever watches where that made a difference.
        mutating func change(_ body: (inout State) -> Void) {
            var new = state
            body(&new)
            guard new != state else { return }
            state = new
            for output in stateWatchers.values { output.yield(new) }
        }

        /// What the next frame is to be searched for; nil where it need not be read.
        func wanted(among standard: Set<Symbology>) -> SearchTarget? {
            guard state.mode == .continuous || !waits.isEmpty else { return nil }
            // Also others than those that are waited for: who shows a code of the wrong kind is to see that it was seen.
            var symbologies = standard
            for wait in waits.values { symbologies.formUnion(wait.symbologies) }
            return SearchTarget(
                symbologies: symbologies, region: state.region.map { FrameRegion($0, isRelative: true) })
        }
    }

    /// What a decoder searches for, and where.
    struct SearchTarget: Hashable {
        var symbologies: Set<Symbology>
        var region: FrameRegion?
    }
}

/// Frames a second, over the last second or so.
struct RateMeter {
    private var start: Duration?
    private var count = 0
    private(set) var rate = 0.0

    /// Counts a frame; whether there is a new rate.
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
