internal import BarcodeCore

/// The passes over a picture, in the order in which they are worth their cost.
struct SearchPlan {
    /// One look at the picture.
    struct Pass: Equatable {
        /// The picture is looked at in 1/2^`level` of its size.
        var level: Int
        /// Whether black and white are exchanged.
        var isInverted: Bool
        /// Whether the pass is left out once something has been found.
        var isFallback: Bool
    }

    /// Pixels of a picture that costs about 30 ms to scan: live frames have as many, and codes that fill a fair part
    /// of a picture are still some pixels a module.
    private static let coarsePixels = 1_000_000
    /// Pixels along the shorter side below which a symbol of 21 modules and its quiet zone is hardly readable.
    private static let smallestSide = 96

    let passes: [Pass]

    init(width: Int, height: Int, effort: DecodeOptions.Effort) {
        let coarse = ImagePyramid.level(width: width, height: height, maximumPixels: Self.coarsePixels)
        let last = max(coarse, ImagePyramid.lastLevel(width: width, height: height, minimumSide: Self.smallestSide))
        switch effort {
        case .fast:
            passes = [
                Pass(level: coarse, isInverted: false, isFallback: false),
                Pass(level: coarse, isInverted: true, isFallback: true),
            ]
        case .normal:
            let upright = Pass(level: 0, isInverted: false, isFallback: false)
            let halves = (0...last).dropFirst().map { Pass(level: $0, isInverted: false, isFallback: true) }
            passes = [upright] + halves + [Pass(level: coarse, isInverted: true, isFallback: true)]
        case .thorough:
            passes = [false, true].flatMap { isInverted in
                (0...last).map { Pass(level: $0, isInverted: isInverted, isFallback: false) }
            }
        }
    }
}
