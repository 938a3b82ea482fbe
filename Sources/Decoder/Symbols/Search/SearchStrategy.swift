internal import BarcodeCore

/// One row of ``SearchStrategy/schedule``: a way of finding symbols, and when and in which sizes of a picture it is tried.
///
/// The search walks the rows and knows none of them by name.
struct SearchStrategy: Sendable {
    /// A way of finding and reading symbols in one size of a picture, which several rows may name.
    struct Method: Sendable {
        /// The name, which tells it from others.
        let name: String
        /// The sentence for people who read `--explain`.
        let title: String
        /// The symbologies that it can give.
        let symbologies: Set<Symbology>
        /// Indicates that each row searches a size of the picture anew: for what others have left since.
        var isRepeated = false
        /// Searches the picture at 1/2^`level` of its size for the scene's symbologies, and adds what it reads to the scene.
        let search: @Sendable (_ scene: inout SearchScene, _ level: Int) throws(DecodeError) -> Void
    }

    /// The search itself: one size of the picture is searched once by it, however many rows name it, unless it is repeated.
    let method: Method
    /// The symbologies that are looked for; where there are none the row is left out.
    var symbologies: Set<Symbology>
    /// The least effort at which it runs; it runs at every greater one too, so that more effort never reads less.
    let effort: DecodeOptions.Effort
    /// The sizes of the picture that are searched, in this order.
    let sizes: Sizes
    /// The condition that must hold for each of the sizes.
    let condition: Condition
    /// Indicates that print is looked for that is hardly darker than its paper.
    let isPale: Bool

    /// Makes a row of the schedule.
    init(
        _ method: Method, _ effort: DecodeOptions.Effort, _ sizes: Sizes, if condition: Condition = .always,
        inPalePrint isPale: Bool = false
    ) {
        (self.method, symbologies) = (method, method.symbologies)
        (self.effort, self.sizes, self.condition, self.isPale) = (effort, sizes, condition, isPale)
    }

    /// The sentence for people who read `--explain`.
    var title: String { isPale ? method.title + ", in pale print" : method.title }
}

extension SearchStrategy {
    /// All rows that can give one of the wanted symbologies, each with those of its symbologies that are wanted.
    static func all(for wanted: Set<Symbology>) -> [SearchStrategy] {
        // Most pictures are searched for these, and sets that share their elements are compared at once.
        wanted == Symbology.standard ? allForStandard : chosen(schedule, for: wanted)
    }

    /// Those of some rows that can give one of the wanted symbologies, in their order, as ``all(for:)`` has them.
    static func chosen(_ strategies: [SearchStrategy], for wanted: Set<Symbology>) -> [SearchStrategy] {
        strategies.compactMap { strategy in
            var strategy = strategy
            strategy.symbologies.formIntersection(wanted)
            return strategy.symbologies.isEmpty ? nil : strategy
        }
    }

    private static let allForStandard = chosen(schedule, for: Symbology.standard)
}
