/// The error correction level: the share of damaged codewords that a symbol tolerates.
public enum QRErrorCorrectionLevel: String, Sendable, Hashable, CaseIterable {
    /// About 7 %.
    case low = "L"
    /// About 15 %.
    case medium = "M"
    /// About 25 %.
    case quartile = "Q"
    /// About 30 %.
    case high = "H"

    /// Creates the level from the two bits in the format information (ISO/IEC 18004, table of indicators); L is 01.
    init(indicator: Int) {
        switch indicator & 3 {
        case 0: self = .medium
        case 1: self = .low
        case 2: self = .high
        default: self = .quartile
        }
    }

    /// The two bits in the format information.
    package var indicator: Int {
        switch self {
        case .medium: 0
        case .low: 1
        case .high: 2
        case .quartile: 3
        }
    }

    /// The column in the tables of the standard, in the order L, M, Q, H.
    var column: Int {
        switch self {
        case .low: 0
        case .medium: 1
        case .quartile: 2
        case .high: 3
        }
    }
}
