internal import BarcodeCore

extension Symbol {
    /// The confidence of a message with at least some evidence.
    private typealias Level = (leastEvidence: Int, confidence: Double)

    // Each confidence is a lower bound of the share of right messages that was counted, by the one-sided 95 % interval
    // of Wilson, rounded down. `make test-confidence` counts again; docs/reliability.md has the result.

    /// Symbologies with error correction, whose evidence is the percentage of it that was not used.
    private static let errorCorrection: [Level] = [(50, 0.999), (1, 0.995), (0, 0.98)]
    /// Symbologies with check characters over the whole message.
    ///
    /// Here and below, the evidence is the weight: in most readings the number of rows that agree.
    private static let checksum: [Level] = [(9, 0.998), (3, 0.99), (0, 0.95)]
    /// Symbologies with a check digit.
    private static let checkDigit: [Level] = [(9, 0.995), (3, 0.99), (0, 0.95)]
    /// Symbologies without a check, in which no wrong element alone makes a character another one.
    private static let selfChecking: [Level] = [(9, 0.995), (3, 0.97), (0, 0.9)]
    /// Symbologies in which a wrong or missing bar often makes another valid message.
    private static let weak: [Level] = [(0, 0.95)]
    /// Pharmacode: a few bars of any print are one, so a share of right ones depends on the print alone.
    private static let anyBars: [Level] = [(0, 0.5)]

    /// The confidence that corresponds to the check of the symbology and to the evidence for the message.
    var estimatedConfidence: Double {
        let traits = symbology.traits
        let evidence = traits.check == .errorCorrection ? Int(100 * (1 - (correctionUsed ?? 1))) : weight
        return levels(traits).first { evidence >= $0.leastEvidence }?.confidence ?? 0
    }

    private func levels(_ traits: SymbologyTraits) -> [Level] {
        if symbology == .pharmacode { return Self.anyBars }
        if traits.isEasilyMisread { return Self.weak }
        return switch traits.check {
        case .errorCorrection: Self.errorCorrection
        case .checksum: Self.checksum
        case .checkDigit: Self.checkDigit
        case .none: Self.selfChecking
        }
    }
}
