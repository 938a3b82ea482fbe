internal import BarcodeCore

/// A row of ``SearchStrategy/schedule``: a method of finding symbols, with the condition and the pyramid levels for
/// which it runs.
///
/// The search walks the rows and knows none of them by name.
struct SearchStrategy: Sendable {
    /// A method of finding and reading symbols in one pyramid level, which several rows may use.
    struct Method: Sendable {
        /// The unique name.
        let name: String
        /// The sentence for readers of `--explain`.
        let title: String
        /// The symbologies that it can find.
        let symbologies: Set<Symbology>
        /// True if each row searches a level again, because other methods have changed the state.
        var isRepeated = false
        /// Searches the image at 1/2^`level` of its size for the state's symbologies, and adds the symbols to the
        /// state.
        let search: @Sendable (_ state: inout SearchState, _ level: Int) throws(DecodeError) -> Void
    }

    /// The method.
    ///
    /// It searches each level only once, however many rows name it, unless it is repeated.
    let method: Method
    /// The symbologies to search; if empty, the row is skipped.
    var symbologies: Set<Symbology>
    /// The least effort at which it runs.
    ///
    /// It also runs at every greater effort, so that more effort never finds fewer symbols.
    let effort: DecodeOptions.Effort
    /// The pyramid levels to search, in this order.
    let sizes: Sizes
    /// The condition for each of the levels.
    let condition: Condition
    /// The rule for the thresholds of the binary images to search.
    let threshold: BinaryImage.Threshold

    /// Creates a row of the schedule.
    init(
        _ method: Method, _ effort: DecodeOptions.Effort, _ sizes: Sizes, if condition: Condition = .always,
        by threshold: BinaryImage.Threshold = .mean
    ) {
        (self.method, symbologies) = (method, method.symbologies)
        (self.effort, self.sizes, self.condition, self.threshold) = (effort, sizes, condition, threshold)
    }

    /// The sentence for readers of `--explain`.
    var title: String {
        switch threshold {
        case .mean: method.title
        case .pale: method.title + ", in pale print"
        case .midrange: method.title + ", by other thresholds"
        case .light: method.title + ", in light print"
        case .shadow: method.title + ", across the edges of shadows"
        }
    }
}

extension SearchStrategy {
    /// Returns the strategies that can find any of the requested symbologies, each restricted to them.
    static func all(for wanted: Set<Symbology>) -> [SearchStrategy] {
        // The common case, in which sets with shared storage are compared at once.
        wanted == Symbology.standard ? allForStandard : chosen(schedule, for: wanted)
    }

    /// Returns those of some strategies that can find any of the requested symbologies, in their order, as
    /// ``all(for:)`` does.
    static func chosen(_ strategies: [SearchStrategy], for wanted: Set<Symbology>) -> [SearchStrategy] {
        strategies.compactMap { strategy in
            var strategy = strategy
            strategy.symbologies.formIntersection(wanted)
            return strategy.symbologies.isEmpty ? nil : strategy
        }
    }

    private static let allForStandard = chosen(schedule, for: Symbology.standard)
}
