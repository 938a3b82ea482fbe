public import BarcodeCore
public import FoundationEssentials
public import ScanEvents

/// When a source's reading counts as a repetition of one before, and makes no event.
public enum DeduplicationPolicy: Sendable, Hashable {
    /// Never: every reading is an event.
    case none
    /// The same content within a time after it was last an event.
    case window(Duration)
    /// The same content until a look has come that did not show it.
    case untilGone
    /// The same content until no look has shown it for a time.
    case untilUnseen(Duration)
}

extension DeduplicationPolicy {
    /// The policy of a name: `none`, `window` or `until-gone`; nil for another name.
    public init?(name: String, seconds: Double) {
        switch name {
        case "none": self = .none
        case "window": self = .window(.milliseconds(Int64(seconds * 1000)))
        case "until-gone": self = .untilGone
        default: return nil
        }
    }
}

/// Applies a policy to what one source reads.
///
/// It counts what it drops.
public struct Deduplicator: Sendable {
    /// What is compared: the symbology and the bytes.
    public struct Content: Sendable, Hashable {
        /// The symbology.
        public var symbology: Symbology
        /// The message and the add-on, byte for byte.
        public var bytes: [UInt8]

        /// The content of a symbol.
        public init(_ symbol: ScannedSymbol) {
            symbology = symbol.symbology
            bytes = symbol.bytes
        }
    }

    /// The policy.
    public let policy: DeduplicationPolicy
    /// How many readings were dropped so far.
    public private(set) var dropped = 0

    private var known: [Content: Date] = [:]

    /// Nothing seen yet.
    public init(_ policy: DeduplicationPolicy) {
        self.policy = policy
    }

    /// The symbols of one look, a picture or a frame, that are new; the others are counted.
    ///
    /// Twice the same content within one look is one reading for every policy but ``DeduplicationPolicy/none``.
    public mutating func admit(_ symbols: [ScannedSymbol], at time: Date) -> [ScannedSymbol] {
        var admitted: [ScannedSymbol] = []
        switch policy {
        case .none: return symbols
        case .window(let window):
            forget(after: window, at: time)
            for symbol in symbols where known[Content(symbol)] == nil {
                known[Content(symbol)] = time
                admitted.append(symbol)
            }
        case .untilUnseen(let wait):
            forget(after: wait, at: time)
            for symbol in symbols {
                if known[Content(symbol)] == nil { admitted.append(symbol) }
                known[Content(symbol)] = time
            }
        case .untilGone:
            var seen: [Content: Date] = [:]
            for symbol in symbols {
                let content = Content(symbol)
                if known[content] == nil && seen[content] == nil { admitted.append(symbol) }
                seen[content] = time
            }
            known = seen
        }
        dropped += symbols.count - admitted.count
        return admitted
    }
    /// Forgets what was noted longer ago than a time, or later than now.
    private mutating func forget(after wait: Duration, at time: Date) {
        let seconds = Double(wait.components.seconds) + Double(wait.components.attoseconds) * 1e-18
        // Out of the window on either side: a clock that went back must not silence a content for an hour.
        known = known.filter { abs(time.timeIntervalSince($0.value)) < seconds }
    }
}
