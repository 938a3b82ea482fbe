/// The levels of an image pyramid that are worth searching: level `n` is 1/2^`n` of the image size.
struct PyramidLevels: Sendable, Equatable {
    /// The number of pixels that zbar processes in about 30 ms: as in live frames; codes that fill a fair part of
    /// such an image have several pixels a module.
    static let coarsePixels = 1_500_000
    /// The shorter side in pixels below which a symbol of 21 modules with its quiet zone is hardly readable.
    private static let smallestSide = 96

    /// The first level of at most 1.5 megapixels.
    let coarse: Int
    /// The next larger level, of at most 6 megapixels, in which small symbols are searched even after larger ones are
    /// found; ``coarse`` if that is the image itself.
    let fine: Int
    /// The last level that is worth searching; at least ``coarse``.
    let last: Int

    init(width: Int, height: Int) {
        coarse = ImagePyramid.level(width: width, height: height, maximumPixels: Self.coarsePixels)
        fine = max(0, coarse - 1)
        last = max(coarse, ImagePyramid.lastLevel(width: width, height: height, minimumSide: Self.smallestSide))
    }
}

extension SearchStrategy {
    /// The pyramid levels that a strategy searches, from the smallest to the largest image unless the name says
    /// otherwise.
    ///
    /// The coarse level is the first of at most 1.5 megapixels, and the fine level is twice as large. For a small image
    /// both are the image itself.
    struct Sizes: Sendable {
        /// Returns the levels, numbered as in ``PyramidLevels``.
        let levels: @Sendable (PyramidLevels) -> [Int]

        static let coarse = Self { [$0.coarse] }
        static let coarseAndSmaller = Self { ($0.coarse...$0.last).reversed() }
        static let coarseAndSmallerFromLargest = Self { Array($0.coarse...$0.last) }
        static let smallerThanCoarse = Self { ($0.coarse..<$0.last).reversed().map { $0 + 1 } }
        static let halfOfCoarse = Self { $0.last > $0.coarse ? [$0.coarse + 1] : [] }
        /// Larger than the coarse level, up to the fine one.
        static let fine = Self { ($0.fine..<$0.coarse).reversed() }
        static let coarseAndFine = Self { ($0.fine...$0.coarse).reversed() }
        static let fineAndSmaller = Self { ($0.fine...$0.last).reversed() }
        /// Larger than the fine level.
        static let finest = Self { (0..<$0.fine).reversed() }
        static let twiceFine = Self { $0.fine > 0 ? [$0.fine - 1] : [] }
        static let largerThanCoarse = Self { (0..<$0.coarse).reversed() }
        static let coarseAndLarger = Self { (0...$0.coarse).reversed() }
        static let full = Self { _ in [0] }
        static let all = Self { (0...$0.last).reversed() }
        static let allFromLargest = Self { Array(0...$0.last) }
    }
}
