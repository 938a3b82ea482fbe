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

extension SearchStrategy {
    /// Sizes of a picture, from the smallest to the largest unless the name says otherwise.
    ///
    /// The coarse size is the first of at most 1.5 megapixels, and the fine one that of at most 4; in a small picture both
    /// are the picture as it is.
    struct Sizes: Sendable {
        /// The levels of a picture, as ``PyramidLevels`` numbers them.
        let levels: @Sendable (PyramidLevels) -> [Int]

        static let coarse = Self { [$0.coarse] }
        static let coarseAndSmaller = Self { ($0.coarse...$0.last).reversed() }
        static let coarseAndSmallerFromLargest = Self { Array($0.coarse...$0.last) }
        static let smallerThanCoarse = Self { ($0.coarse..<$0.last).reversed().map { $0 + 1 } }
        static let halfOfCoarse = Self { $0.last > $0.coarse ? [$0.coarse + 1] : [] }
        /// Larger than the coarse size, up to the fine one.
        static let fine = Self { ($0.fine..<$0.coarse).reversed() }
        static let coarseAndFine = Self { ($0.fine...$0.coarse).reversed() }
        static let fineAndSmaller = Self { ($0.fine...$0.last).reversed() }
        /// Larger than the fine size.
        static let finest = Self { (0..<$0.fine).reversed() }
        static let twiceFine = Self { $0.fine > 0 ? [$0.fine - 1] : [] }
        static let largerThanCoarse = Self { (0..<$0.coarse).reversed() }
        static let coarseAndLarger = Self { (0...$0.coarse).reversed() }
        static let full = Self { _ in [0] }
        static let all = Self { (0...$0.last).reversed() }
        static let allFromLargest = Self { Array(0...$0.last) }
    }
}
