internal import BarcodeCore

/// One way of finding and reading symbols in a picture: a row of ``SearchStrategy/all``.
///
/// The search walks the rows and knows none of them by name: a row says itself which symbologies it can give, at which
/// effort and in which sizes of the picture it runs, and how it reads.
struct SearchStrategy: Sendable {
    /// What it does, for people who read `--explain`.
    let title: String
    /// The symbologies that it can give; where none of them is wanted the row is left out.
    var symbologies: Set<Symbology>
    /// The least effort at which it runs; it runs at every greater one too, so that more effort never reads less.
    let effort: DecodeOptions.Effort
    /// Whether it is left out once rows of the same or less effort have read something.
    ///
    /// What rows of greater effort have read does not count: with less effort they would not have run, and what the row
    /// reads would then be missed by looking harder.
    var isLastResort = false
    /// Indicates that a last resort is not left out where a symbol was read whose modules would be hardly seen in the next
    /// smaller size: where one is so small, others are that were not seen there.
    var findsSmallModules = false
    /// Sizes of the picture, as ``PyramidLevels`` numbers them, in the order in which they are searched.
    let levels: @Sendable (PyramidLevels) -> [Int]
    /// Searches one size of the picture, and adds what it reads to the scene.
    ///
    /// At one size it is run once, however many rows name it.
    let method: Method

    /// A search by itself, which several rows may name for other sizes or with another effort.
    struct Method: Sendable {
        /// Tells it from others.
        let name: String
        /// Searches the picture at 1/2^`level` of its size.
        let search: @Sendable (_ scene: inout SearchScene, _ level: Int) throws(DecodeError) -> Void
    }
}

extension SearchStrategy {
    /// All that can give one of the wanted symbologies, each with those of its symbologies that are wanted.
    static func all(for wanted: Set<Symbology>) -> [SearchStrategy] {
        // Most pictures are searched for these, and sets that share their elements are compared at once.
        wanted == Symbology.standard ? allForStandard : chosen(all, for: wanted)
    }

    /// Those of some strategies that can give one of the wanted symbologies, in their order, as ``all(for:)`` has them.
    static func chosen(_ strategies: [SearchStrategy], for wanted: Set<Symbology>) -> [SearchStrategy] {
        strategies.compactMap { strategy in
            var strategy = strategy
            strategy.symbologies.formIntersection(wanted)
            return strategy.symbologies.isEmpty ? nil : strategy
        }
    }

    private static let allForStandard = chosen(all, for: Symbology.standard)
}

/// The sizes in which a picture is worth searching: level `n` is 1/2^`n` of it.
struct PyramidLevels: Sendable, Equatable {
    /// Pixels of a picture that costs zbar about 30 ms: live frames have as many, and codes that fill a fair part of a
    /// picture are still some pixels a module.
    static let coarsePixels = 1_500_000
    /// Pixels of a picture in which small symbols are looked for even where large ones have been found.
    private static let finePixels = 4_000_000
    /// Pixels along the shorter side below which a symbol of 21 modules and its quiet zone is hardly readable.
    private static let smallestSide = 96

    /// The first level of at most 1.5 megapixels.
    let coarse: Int
    /// The first level of at most 4 megapixels; never greater than ``coarse``.
    let fine: Int
    /// The last level that is worth searching; never less than ``coarse``.
    let last: Int

    init(width: Int, height: Int) {
        coarse = ImagePyramid.level(width: width, height: height, maximumPixels: Self.coarsePixels)
        fine = ImagePyramid.level(width: width, height: height, maximumPixels: Self.finePixels)
        last = max(coarse, ImagePyramid.lastLevel(width: width, height: height, minimumSide: Self.smallestSide))
    }
}

extension DecodeOptions.Effort: Comparable {
    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Whether one effort is less than another, in the order in which they are declared.
    public static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }
}
