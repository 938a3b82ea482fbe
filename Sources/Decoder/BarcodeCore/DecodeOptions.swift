/// What to look for in a picture, and how hard.
public struct DecodeOptions: Sendable, Hashable {
    /// The symbologies to read.
    public var symbologies: Set<Symbology>
    /// How hard to search.
    public var effort: Effort
    /// The time after which no further pass is begun; nil for no limit.
    ///
    /// A pass that runs is not broken off: zbar cannot be. A full-size pass takes about 35 ms a megapixel.
    public var timeBudget: Duration?
    /// The number of symbols after which to stop; nil for all.
    public var maximumCount: Int?

    /// The given choice; without one, the standard symbologies with normal effort and no limit.
    public init(
        symbologies: Set<Symbology> = Symbology.standard, effort: Effort = .normal, timeBudget: Duration? = nil,
        maximumCount: Int? = nil
    ) {
        self.symbologies = symbologies
        self.effort = effort
        self.timeBudget = timeBudget
        self.maximumCount = maximumCount
    }

    /// How hard to search.
    public enum Effort: String, Sendable, Hashable, CaseIterable {
        /// Searches a megapixel at most: for live frames and large codes.
        case fast
        /// Searches four megapixels at most, and where that shows nothing the whole picture in every way there is.
        case normal
        /// Every size, dark on light and light on dark, whatever has been found already.
        case thorough
    }
}

extension DecodeOptions.Effort: Comparable {
    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The order of efforts is that in which they are declared.
    public static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }
}
