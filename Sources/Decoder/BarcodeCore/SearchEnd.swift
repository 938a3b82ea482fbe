/// The reason for which a search through a picture ended.
public enum SearchEnd: String, Sendable, Hashable, CaseIterable, Codable {
    /// All that the effort provides for was tried.
    case complete
    /// Symbols were read, so passes that seldom read more were left out. `thorough` does them.
    case symbolsRead = "symbols_read"
    /// As many symbols as were asked for were read.
    case maximumCount = "maximum_count"
    /// The time budget was used up.
    case timeBudget = "time_budget"
}
