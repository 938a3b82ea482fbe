/// The symbologies to look for in an image, and the effort.
public struct DecodeOptions: Sendable, Hashable {
    /// The symbologies to read.
    public var symbologies: Set<Symbology>
    /// The effort of the search.
    public var effort: Effort
    /// The time after which the search ends with the symbols that were found by then; `nil` for no limit.
    ///
    /// It ends within a fraction of a second; only a pass of zbar, which takes about 35 ms per megapixel, is finished.
    public var timeBudget: Duration?
    /// The number of symbols after which the search stops; `nil` for all.
    public var maximumCount: Int?

    /// Creates options; by default the standard symbologies with normal effort and no limit.
    public init(
        symbologies: Set<Symbology> = Symbology.standard, effort: Effort = .normal, timeBudget: Duration? = nil,
        maximumCount: Int? = nil
    ) {
        self.symbologies = symbologies
        self.effort = effort
        self.timeBudget = timeBudget
        self.maximumCount = maximumCount
    }

    /// The effort of a search.
    public enum Effort: String, Sendable, Hashable, CaseIterable {
        /// Searches at most 1.5 megapixels: for live frames and large symbols.
        case fast
        /// Searches at most six megapixels; if that finds nothing, or very small modules, searches the whole image.
        case normal
        /// Searches every size, dark on light and light on dark, even if symbols were found already.
        case thorough
    }
}

extension DecodeOptions.Effort: Comparable {
    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Compares two efforts in the order of their declaration.
    public static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }
}
