internal import BarcodeCore

/// When a code that was reported may be reported again.
public struct RepeatPolicy: Sendable, Hashable {
    /// The time out of view, counted from the first frame without it, after which it counts as gone, so that its return is
    /// news.
    ///
    /// A frame or two in which it is blurred must not end its stay.
    public var absence: Duration
    /// The time after which it is reported again although it has stayed in view; nil for never.
    public var window: Duration?

    /// The given rule; gone after a second, and never reported again while it stays, unless said otherwise.
    public init(absence: Duration = .seconds(1), window: Duration? = nil) {
        self.absence = absence
        self.window = window
    }
}

/// Keeps which codes are in view, and lets through what is news.
struct RearmGate: Sendable {
    private struct Stay: Sendable {
        /// The time of the first frame without it since it was last seen; nil while it is in view.
        var missedSince: Duration?
        var lastReported: Duration
    }

    let rule: RepeatPolicy
    private var stays: [ReadingKey: Stay] = [:]

    init(rule: RepeatPolicy) {
        self.rule = rule
    }

    /// The number of codes that are remembered.
    var count: Int { stays.count }

    /// The symbols of a frame that are to be reported; two of the same message in one frame are one code.
    mutating func news(among symbols: [Symbol], at time: Duration) -> [Symbol] {
        let seen = Set(symbols.map(ReadingKey.init))
        // Counted from a frame that does not show it: no frame at all, on a machine that is busy, is no absence.
        for (key, stay) in stays where !seen.contains(key) || stay.missedSince != nil {
            let since = stay.missedSince ?? time
            if time - since >= rule.absence {
                stays[key] = nil
            } else {
                stays[key]?.missedSince = seen.contains(key) ? nil : since
            }
        }
        var reported: [Symbol] = []
        for symbol in symbols {
            let key = ReadingKey(symbol)
            let isNews =
                stays[key].map { stay in rule.window.map { time - stay.lastReported >= $0 } ?? false } ?? true
            if isNews {
                reported.append(symbol)
                stays[key] = Stay(lastReported: time)
            }
        }
        return reported
    }
}
