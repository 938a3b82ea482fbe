public import BarcodeCore
public import FoundationEssentials
public import ScanEvents

/// The rule by which a repeated scan counts as a duplicate and creates no event (debounce).
public enum DeduplicationPolicy: Sendable, Hashable {
    /// Never: every scan creates an event.
    case none
    /// The same content within a time after its last event.
    case window(Duration)
    /// The same content until a frame without it.
    case untilGone
    /// The same content until it has not been in any frame for a time.
    case untilUnseen(Duration)
}

extension DeduplicationPolicy {
    /// Returns the policy with a name: `none`, `window` or `until-gone`; `nil` for another name.
    public init?(name: String, seconds: Double) {
        switch name {
        case "none": self = .none
        case "window": self = .window(.milliseconds(Int64(seconds * 1000)))
        case "until-gone": self = .untilGone
        default: return nil
        }
    }
}

/// Applies a deduplication policy to the scans of one source and counts the dropped ones.
public struct Deduplicator: Sendable {
    /// The key for comparison: the symbology and the bytes.
    public struct Content: Sendable, Hashable {
        /// The symbology.
        public var symbology: Symbology
        /// The message and the add-on, byte for byte.
        public var bytes: [UInt8]

        /// Creates the key of a symbol.
        public init(_ symbol: ScannedSymbol) {
            symbology = symbol.symbology
            bytes = symbol.bytes
        }
    }

    /// The policy.
    public let policy: DeduplicationPolicy
    /// The number of scans dropped so far.
    public private(set) var dropped = 0

    private var known: [Content: Date] = [:]

    /// Creates a deduplicator that has seen nothing.
    public init(_ policy: DeduplicationPolicy) {
        self.policy = policy
    }

    /// Returns the new symbols of one image or frame, and counts the others as dropped.
    ///
    /// Equal contents within one image are one scan for every policy except ``DeduplicationPolicy/none``.
    public mutating func deduplicate(_ symbols: [ScannedSymbol], at time: Date) -> [ScannedSymbol] {
        var new: [ScannedSymbol] = []
        switch policy {
        case .none: return symbols
        case .window(let window):
            forget(after: window, at: time)
            for symbol in symbols where known[Content(symbol)] == nil {
                known[Content(symbol)] = time
                new.append(symbol)
            }
        case .untilUnseen(let wait):
            forget(after: wait, at: time)
            for symbol in symbols {
                if known[Content(symbol)] == nil { new.append(symbol) }
                known[Content(symbol)] = time
            }
        case .untilGone:
            var seen: [Content: Date] = [:]
            for symbol in symbols {
                let content = Content(symbol)
                if known[content] == nil && seen[content] == nil { new.append(symbol) }
                seen[content] = time
            }
            known = seen
        }
        dropped += symbols.count - new.count
        return new
    }

    /// Undoes a call whose new symbols could not be stored; what other calls have noted since stays.
    ///
    /// - Parameters:
    ///   - new: the symbols that the call returned.
    ///   - count: the number of symbols that it was given.
    ///   - time: its time.
    mutating func withdraw(_ new: [ScannedSymbol], of count: Int, at time: Date) {
        for content in new.map(Content.init) {
            // Of a window a later time is that of a later event; of other policies also that of a repetition of these.
            if case .window = policy, known[content] != time { continue }
            known[content] = nil
        }
        dropped -= count - new.count
    }

    /// Forgets contents whose time is further away than the wait, in the past or in the future.
    private mutating func forget(after wait: Duration, at time: Date) {
        let seconds = wait / .seconds(1)
        // On either side, because a clock that was set back must not silence a content for an hour.
        known = known.filter { abs(time.timeIntervalSince($0.value)) < seconds }
    }
}
