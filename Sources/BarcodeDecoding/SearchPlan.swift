internal import BarcodeCore

/// The looks at a picture, in the order in which they are worth their cost.
struct SearchPlan {
    /// One look at the picture.
    struct Pass: Equatable {
        /// Who looks.
        enum Reader: Hashable {
            /// Our own finder patterns, straightened and decoded.
            case qr
            /// The same where only two finder patterns are seen.
            case qrGuess
            /// zbar, for everything but QR symbols: at a glance, then with care where that sees something.
            case zbarQuick
            /// Our own regions of bars, straightened and read; what is read already is not read again.
            case linear
            /// zbar, for QR symbols, where a finder pattern was seen.
            case zbarQR
            /// zbar, for everything.
            case zbar
        }

        var reader: Reader
        /// The picture is looked at in 1/2^`level` of its size.
        var level: Int
        /// Whether black and white are exchanged; our own reader sees both at once.
        var isInverted = false
        /// Whether the pass is left out once something has been found.
        var isFallback = false
    }

    /// Pixels of a picture that costs zbar about 30 ms: live frames have as many, and codes that fill a fair part of a
    /// picture are still some pixels a module.
    private static let coarsePixels = 1_500_000
    /// Pixels of a picture in which small symbols are looked for even where large ones have been found.
    private static let finePixels = 4_000_000
    /// Pixels along the shorter side below which a symbol of 21 modules and its quiet zone is hardly readable.
    private static let smallestSide = 96

    let passes: [Pass]

    init(width: Int, height: Int, effort: DecodeOptions.Effort) {
        let coarse = ImagePyramid.level(width: width, height: height, maximumPixels: Self.coarsePixels)
        let fine = ImagePyramid.level(width: width, height: height, maximumPixels: Self.finePixels)
        let last = max(coarse, ImagePyramid.lastLevel(width: width, height: height, minimumSide: Self.smallestSide))
        func qr(_ levels: some Sequence<Int>, isFallback: Bool = false) -> [Pass] {
            levels.map { Pass(reader: .qr, level: $0, isFallback: isFallback) }
        }
        switch effort {
        case .fast:
            passes =
                qr((coarse...last).reversed()) + [
                    Pass(reader: .zbarQuick, level: coarse),
                    Pass(reader: .linear, level: coarse, isFallback: true),
                    Pass(reader: .zbarQuick, level: coarse, isInverted: true, isFallback: true),
                ]
        case .normal:
            passes =
                qr((fine...last).reversed())
                + [Pass(reader: .zbarQuick, level: coarse), Pass(reader: .linear, level: coarse)]
                + (fine..<coarse).reversed().map { Pass(reader: .linear, level: $0, isFallback: true) }
                + (fine...last).reversed().map { Pass(reader: .qrGuess, level: $0, isFallback: true) }
                + qr((0..<fine).reversed(), isFallback: true)
                + [Pass(reader: .zbar, level: coarse, isFallback: true)]
                + (coarse...last).dropFirst().map { Pass(reader: .zbarQR, level: $0, isFallback: true) }
                + [Pass(reader: .zbarQuick, level: coarse, isInverted: true, isFallback: true)]
        case .thorough:
            passes =
                qr((0...last).reversed())
                + (0...coarse).reversed().map { Pass(reader: .linear, level: $0) }
                + [false, true].flatMap { isInverted in
                    (0...last).map { Pass(reader: .zbar, level: $0, isInverted: isInverted) }
                }
        }
    }
}
