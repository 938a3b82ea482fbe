public import BarcodeCore

/// The identity of a reading: the symbology and the message.
struct ReadingKey: Sendable, Hashable {
    var symbology: Symbology
    var bytes: [UInt8]
    var addOn: String?

    init(_ symbol: Symbol) {
        symbology = symbol.symbology
        bytes = symbol.bytes
        addOn = symbol.addOn
    }
}

/// The number of frames that must agree before a reading of a weak symbology is confirmed.
public struct ConsensusPolicy: Sendable, Hashable {
    /// The frames that have to agree, at least 1.
    public var needed: Int
    /// The number of frames, the last one included, among which they are counted.
    public var window: Int
    /// The symbologies that need it.
    public var symbologies: Set<Symbology>

    /// The symbologies without a check, such as ITF, Codabar and Code 39.
    public static let uncheckedSymbologies = Set(
        SymbologyTraits.all.filter { $0.check == .none }.map(\.symbology))

    /// The given rule; two of three frames for symbologies without a check by default.
    public init(needed: Int = 2, of window: Int = 3, symbologies: Set<Symbology> = uncheckedSymbologies) {
        self.needed = max(1, needed)
        self.window = max(self.needed, window)
        self.symbologies = symbologies
    }
}

/// Counts in how many of the last frames each weak reading was made.
struct AgreementVotes: Sendable {
    let rule: ConsensusPolicy
    private var frames: [Set<ReadingKey>] = []

    init(rule: ConsensusPolicy) {
        self.rule = rule
    }

    /// The symbols of one frame that are confirmed by now.
    mutating func confirmed(among symbols: [Symbol]) -> [Symbol] {
        let weak = Set(symbols.filter { rule.symbologies.contains($0.symbology) }.map(ReadingKey.init))
        frames.append(weak)
        if frames.count > rule.window { frames.removeFirst() }
        return symbols.filter { symbol in
            guard rule.symbologies.contains(symbol.symbology) else { return true }
            let key = ReadingKey(symbol)
            return frames.count { $0.contains(key) } >= rule.needed
        }
    }
}
