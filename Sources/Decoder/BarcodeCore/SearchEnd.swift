/// A reason why the search of an image ended.
public enum SearchEnd: String, Sendable, Hashable, CaseIterable, Codable {
    /// Everything for this effort was tried.
    case complete
    /// Symbols were found, so passes that rarely find more were skipped. `thorough` includes them.
    case symbolsRead = "symbols_read"
    /// The requested maximum number of symbols was found.
    case maximumCount = "maximum_count"
    /// The time budget was used up.
    case timeBudget = "time_budget"
}
