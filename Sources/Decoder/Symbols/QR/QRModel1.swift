/// QR Code model 1, the first form of QR Code: versions 1 to 14, without alignment patterns and version information.
///
/// Finder patterns, timing patterns, masks, segments and the place of the format information are those of model 2. The
/// format information is XORed with another pattern, codewords are blocks of 2 × 4 or 4 × 2 modules, error correction
/// blocks follow each other, and the first four bits carry no data. Source: ISO/IEC 18004:2000, annex M.
package enum QRModel1 {
    /// The range of versions.
    package static let versions = 1...14

    /// All 32 words of format information, indexed by their five data bits.
    package static let formatWords = QRFormatInformation.words(pattern: 0x2825)

    /// The largest number of wrong bits in a copy of the format information.
    ///
    /// Of 2^15 random words, 16 for each of the 32 valid ones are that near: one copy in 64, so that few grids are
    /// decoded twice.
    private static let maximumFormatDistance = 1

    private static let unusedBits = 4

    /// Decodes an upright symbol; `nil` if its format information is not that of model 1, or it cannot be decoded.
    static func decode(_ grid: ModuleGrid, version: Int) -> QRMessage? {
        guard versions.contains(version),
            let format = QRFormatInformation.candidates(in: grid, words: formatWords).first,
            format.distance <= min(maximumFormatDistance, (otherDistance(grid) ?? .max) - 1)
        else { return nil }
        let patterns = patterns(version: version)
        var grid = grid
        // The modules of the unused bits are an extension pattern, which error correction takes as zeros.
        for place in patterns.dataOrder.prefix(unusedBits).map(Int.init) {
            let isInverted = QRDataMask.inverts(format.mask, x: place % grid.width, y: place / grid.width)
            grid.modules[place] = isInverted ? 1 : 0
            if !grid.confidences.isEmpty { grid.confidences[place] = 255 }
        }
        let contents = try? QRContents(
            grid, patterns: patterns, table: blockTable(version: version, level: format.level), mask: format.mask,
            segmentFormat: .qrCode(version: version).afterUnusedBits(unusedBits), symbol: "model 1, version \(version)")
        return contents.map { QRMessage($0, model: 1, version: version, format: format) }
    }

    /// Returns the number of wrong bits if the format information is that of model 2; `nil` if it cannot be.
    private static func otherDistance(_ grid: ModuleGrid) -> Int? {
        QRFormatInformation.candidates(in: grid).first?.distance
    }

    private static let allPatterns = versions.map { version in
        let size = QRVersion.size(version)
        return FunctionPatterns(width: size, height: size, roles: [], dataOrder: dataOrder(size: size))
    }

    /// Returns the order of the data modules; the roles of the others are not given.
    ///
    /// - Precondition: `version` is within ``versions``.
    package static func patterns(version: Int) -> FunctionPatterns { allPatterns[version - 1] }

    /// Returns the indices of the modules of the codewords, from the bottom right corner on.
    private static func dataOrder(size: Int) -> [UInt16] {
        var order: [UInt16] = []
        /// Adds the modules of a codeword, row by row upwards, each from right to left.
        func addCodeword(right: Int, bottom: Int, columns: Int) {
            for bit in 0..<8 { order.append(UInt16((bottom - bit / columns) * size + right - bit % columns)) }
        }
        // At the right side, beside the finder pattern and above: two columns of codewords that are four modules high.
        let rightRows = (size - 8) / 4
        for column in 0..<2 {
            for row in 0..<rightRows {
                let isExtension = column == 0 && row % 2 == 0 && row > 0 && row < rightRows - 1
                if !isExtension { addCodeword(right: size - 1 - 2 * column, bottom: size - 1 - 4 * row, columns: 2) }
            }
        }
        // In the middle: columns of codewords that are two modules high, but for the horizontal timing pattern.
        let (middleColumns, middleRows) = (size / 4 - 3, size / 2)
        for column in 0..<middleColumns {
            let isLast = column == middleColumns - 1
            for row in 0..<middleRows {
                let isUnderFinder = column == 0 && row >= middleRows - 4
                let isExtension = row == 0 && column % 2 == 1 && !isLast
                guard !isUnderFinder, !isExtension else { continue }
                let timing = row >= middleRows - 3 ? 1 : 0
                addCodeword(right: size - 5 - 4 * column, bottom: size - 1 - 2 * row - timing, columns: 4)
            }
        }
        // At the left side, between two finder patterns and beside the vertical timing pattern.
        for right in [8, 5, 3, 1] {
            for row in 0..<(size - 16) / 4 { addCodeword(right: right, bottom: size - 9 - 4 * row, columns: 2) }
        }
        return order
    }

    /// Returns the error correction blocks of a version.
    ///
    /// - Precondition: `version` is within ``versions``.
    package static func blockTable(version: Int, level: QRErrorCorrectionLevel) -> QRBlockTable {
        let (check, blocks, data) = blockSizes[version - 1][level.column]
        return QRBlockTable(
            sequentialBlocks: blocks, dataCount: data, checkCount: check,
            misdecodeProtection: QRBlockTable.misdecodeProtection(version: version, level: level))
    }

    /// The check codewords of a block, the number of blocks, and the data codewords of a block, for L, M, Q, H of each
    /// version.
    private static let blockSizes: [[(check: Int, blocks: Int, data: Int)]] = [
        [(7, 1, 19), (10, 1, 16), (13, 1, 13), (17, 1, 9)],
        [(10, 1, 36), (16, 1, 30), (22, 1, 24), (30, 1, 16)],
        [(15, 1, 57), (28, 1, 44), (36, 1, 36), (48, 1, 24)],
        [(20, 1, 80), (40, 1, 60), (50, 1, 50), (66, 1, 34)],
        [(26, 1, 108), (52, 1, 82), (66, 1, 68), (44, 2, 23)],
        [(34, 1, 136), (32, 2, 53), (42, 2, 43), (56, 2, 29)],
        [(42, 1, 170), (40, 2, 66), (52, 2, 54), (46, 3, 24)],
        [(24, 2, 104), (48, 2, 80), (64, 2, 64), (56, 3, 29)],
        [(30, 2, 123), (60, 2, 93), (50, 3, 52), (68, 3, 34)],
        [(34, 2, 145), (68, 2, 111), (58, 3, 61), (58, 4, 31)],
        [(40, 2, 168), (40, 4, 64), (52, 4, 52), (54, 5, 29)],
        [(46, 2, 192), (46, 4, 73), (58, 4, 61), (62, 5, 33)],
        [(36, 3, 144), (52, 4, 83), (66, 4, 69), (58, 6, 32)],
        [(40, 3, 163), (60, 4, 92), (60, 5, 62), (66, 6, 35)],
    ]
}
