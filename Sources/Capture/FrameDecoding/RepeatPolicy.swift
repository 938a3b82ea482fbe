internal import BarcodeCore

/// The rule for reporting the same code again (debounce).
public struct RepeatPolicy: Sendable, Hashable {
    /// The time out of view after which a code counts as gone and is reported on its return.
    ///
    /// It is counted from the first frame without the code. A code must not count as gone because one or two frames
    /// are blurred.
    public var absence: Duration
    /// The time after which a code in view is reported again; `nil` for never.
    public var window: Duration?

    /// Creates a rule; by default a code is gone after a second, and is never reported again while it stays in
    /// view.
    public init(absence: Duration = .seconds(1), window: Duration? = nil) {
        self.absence = absence
        self.window = window
    }
}

/// Tracks the codes in view, and selects the ones to report (debounce).
struct RepeatFilter: Sendable {
    private struct TrackedCode: Sendable {
        /// The time of the first frame without the code since it was last seen; `nil` while it is in view.
        var missedSince: Duration?
        var lastReported: Duration
    }

    let rule: RepeatPolicy
    private var tracked: [ReadingKey: TrackedCode] = [:]

    init(rule: RepeatPolicy) {
        self.rule = rule
    }

    /// The number of codes that are tracked.
    var count: Int { tracked.count }

    /// Returns the symbols of a frame that are to be reported; two symbols with the same message in one frame count
    /// as one code.
    mutating func newSymbols(among symbols: [Symbol], at time: Duration) -> [Symbol] {
        let seen = Set(symbols.map(ReadingKey.init))
        // The time counts from a frame without the code: a gap between frames, as on a busy machine, is not an
        // absence.
        for (key, code) in tracked where !seen.contains(key) || code.missedSince != nil {
            let since = code.missedSince ?? time
            if time - since >= rule.absence {
                tracked[key] = nil
            } else {
                tracked[key]?.missedSince = seen.contains(key) ? nil : since
            }
        }
        var reported: [Symbol] = []
        for symbol in symbols {
            let key = ReadingKey(symbol)
            let isDue =
                tracked[key].map { code in rule.window.map { time - code.lastReported >= $0 } ?? false } ?? true
            if isDue {
                reported.append(symbol)
                tracked[key] = TrackedCode(lastReported: time)
            }
        }
        return reported
    }
}
