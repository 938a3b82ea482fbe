/// The format information of a Micro QR or rMQR symbol: its size, level and mask.
struct MicroQRFormat: Sendable, Hashable {
    var kind: MicroQRSize.Kind
    /// The number of the size, as ``MicroQRSize/number``.
    var number: Int
    /// The error correction level; `nil` for M1, which has none.
    var level: QRErrorCorrectionLevel?
    /// The number of the mask among the eight of QR Code.
    var mask: Int
    /// The number of bits in which the nearest copy differs from this format.
    var distance: Int

    /// The largest number of wrong bits in a copy: less than half the distance of either code.
    static let maximumDistance = 3

    /// The size of the symbol; `nil` if the number is invalid.
    var size: MicroQRSize? {
        let sizes = kind == .square ? MicroQRSize.squares : MicroQRSize.rectangles
        return sizes.indices.contains(number - 1) ? sizes[number - 1] : nil
    }

    /// Returns the possible formats of a symbol, best first; empty if no copy can be read.
    ///
    /// - Parameter isPartial: true if the grid is only the corner with the finder pattern, so that there is one
    ///   copy.
    static func candidates(in grid: ModuleGrid, kind: MicroQRSize.Kind, isPartial: Bool = false) -> [MicroQRFormat] {
        switch kind {
        case .square:
            nearest(squareWords, [(BCH.read(grid, at: squareModules(width: grid.width)), 0)], square)
        case .rectangular:
            nearest(
                rectangularWords,
                [(BCH.read(grid, at: finderModules(width: grid.width)), finderMask)]
                    + (isPartial
                        ? []
                        : [(BCH.read(grid, at: subPatternModules(width: grid.width, height: grid.height)), subMask)]),
                rectangular)
        }
    }

    /// Returns the formats whose word is close to one of the copies, after the mask of the copy is removed.
    private static func nearest(
        _ words: [UInt32], _ copies: [(bits: UInt32, mask: UInt32)], _ format: (Int) -> MicroQRFormat
    ) -> [MicroQRFormat] {
        var found: [(format: MicroQRFormat, sum: Int)] = []
        for (index, word) in words.enumerated() {
            let distances = copies.map { ($0.bits ^ $0.mask ^ word).nonzeroBitCount }
            guard let least = distances.min(), least <= maximumDistance else { continue }
            var format = format(index)
            format.distance = least
            found.append((format, distances.reduce(0, +)))
        }
        return found.sorted { ($0.format.distance, $0.sum) < ($1.format.distance, $1.sum) }.map(\.format)
    }

    // MARK: - Micro QR

    /// Returns the indices of the 15 modules, the most significant bit first.
    ///
    /// Source: ISO/IEC 18004, "Format information".
    static func squareModules(width: Int) -> [Int] {
        (1...8).map { 8 * width + $0 } + (1...7).reversed().map { $0 * width + 8 }
    }

    /// All 32 words, masked, indexed by their five data bits.
    static let squareWords: [UInt32] = (0..<32).map {
        BCH.encode(UInt32($0), checkBits: 10, generator: 0x537) ^ 0x4445
    }

    /// The version and level of each symbol number.
    private static let symbolNumbers: [(version: Int, level: QRErrorCorrectionLevel?)] = [
        (1, nil), (2, .low), (2, .medium), (3, .low), (3, .medium), (4, .low), (4, .medium), (4, .quartile),
    ]
    /// The masks of QR Code that Micro QR uses, in its own order.
    private static let masks = [1, 4, 6, 7]

    private static func square(_ data: Int) -> MicroQRFormat {
        let (version, level) = symbolNumbers[data >> 2 & 7]
        return MicroQRFormat(kind: .square, number: version, level: level, mask: masks[data & 3], distance: 0)
    }
}
