/// A size of Data Matrix ECC 200 symbols: its modules, its data regions and its codewords.
///
/// Source: ISO/IEC 16022, "Symbol attributes", for squares and rectangles; ISO/IEC 21471 (DMRE) for the other
/// rectangles. The tables give the modules, regions, check codewords and blocks; the data codewords follow.
package struct DataMatrixSize: Sendable, Hashable {
    /// The number of modules in a row, including the borders of the regions.
    package let columns: Int
    /// The number of modules in a column, including the borders of the regions.
    package let rows: Int
    /// The number of data regions side by side.
    package let regionColumns: Int
    /// The number of data regions one above the other.
    package let regionRows: Int
    /// The number of check codewords of all blocks.
    package let checkCount: Int
    /// The number of interleaved blocks.
    package let blockCount: Int

    /// The number of modules in a row of one region, without its border.
    var regionWidth: Int { columns / regionColumns - 2 }
    /// The number of modules in a column of one region, without its border.
    var regionHeight: Int { rows / regionRows - 2 }
    /// The number of modules in a row of all regions, joined without their borders.
    var mappingWidth: Int { regionColumns * regionWidth }
    /// The number of modules in a column of all regions, joined without their borders.
    var mappingHeight: Int { regionRows * regionHeight }
    /// The number of codewords in the symbol.
    package var codewordCount: Int { mappingWidth * mappingHeight / 8 }
    /// The number of data codewords of all blocks.
    package var dataCount: Int { codewordCount - checkCount }
    /// The number of check codewords of each block.
    package var blockCheckCount: Int { checkCount / blockCount }

    /// Returns the number of data codewords of a block: equal for all blocks except in 144 by 144, where the last two
    /// have one less.
    package func dataCount(ofBlock block: Int) -> Int {
        dataCount / blockCount + (block < dataCount % blockCount ? 1 : 0)
    }

    /// The size with the given numbers of modules; `nil` if there is no such size.
    package init?(columns: Int, rows: Int) {
        guard let size = Self.all.first(where: { $0.columns == columns && $0.rows == rows }) else { return nil }
        self = size
    }

    private init(
        _ columns: Int, _ rows: Int, regions: (columns: Int, rows: Int), check: Int, blocks: Int = 1
    ) {
        self.columns = columns
        self.rows = rows
        regionColumns = regions.columns
        regionRows = regions.rows
        checkCount = check
        blockCount = blocks
    }

    /// All sizes: squares, rectangles of ISO/IEC 16022, rectangles of ISO/IEC 21471; each from small to large.
    package static let all: [DataMatrixSize] = squares + rectangles + extendedRectangles

    private static let squares: [DataMatrixSize] = [
        square(10, check: 5), square(12, check: 7), square(14, check: 10), square(16, check: 12),
        square(18, check: 14), square(20, check: 18), square(22, check: 20), square(24, check: 24),
        square(26, check: 28),
        square(32, regions: 2, check: 36), square(36, regions: 2, check: 42), square(40, regions: 2, check: 48),
        square(44, regions: 2, check: 56), square(48, regions: 2, check: 68),
        square(52, regions: 2, check: 84, blocks: 2),
        square(64, regions: 4, check: 112, blocks: 2), square(72, regions: 4, check: 144, blocks: 4),
        square(80, regions: 4, check: 192, blocks: 4), square(88, regions: 4, check: 224, blocks: 4),
        square(96, regions: 4, check: 272, blocks: 4), square(104, regions: 4, check: 336, blocks: 6),
        square(120, regions: 6, check: 408, blocks: 6), square(132, regions: 6, check: 496, blocks: 8),
        square(144, regions: 6, check: 620, blocks: 10),
    ]

    private static func square(_ side: Int, regions: Int = 1, check: Int, blocks: Int = 1) -> DataMatrixSize {
        DataMatrixSize(side, side, regions: (regions, regions), check: check, blocks: blocks)
    }

    private static let rectangles: [DataMatrixSize] = [
        wide(18, 8, check: 7), wide(32, 8, regions: 2, check: 11), wide(26, 12, check: 14),
        wide(36, 12, regions: 2, check: 18), wide(36, 16, regions: 2, check: 24), wide(48, 16, regions: 2, check: 28),
    ]

    private static let extendedRectangles: [DataMatrixSize] = [
        wide(48, 8, regions: 2, check: 15), wide(64, 8, regions: 4, check: 18), wide(80, 8, regions: 4, check: 22),
        wide(96, 8, regions: 4, check: 28), wide(120, 8, regions: 6, check: 32), wide(144, 8, regions: 6, check: 36),
        wide(64, 12, regions: 4, check: 27), wide(88, 12, regions: 4, check: 36), wide(64, 16, regions: 4, check: 36),
        wide(36, 20, regions: 2, check: 28), wide(44, 20, regions: 2, check: 34), wide(64, 20, regions: 4, check: 42),
        wide(48, 22, regions: 2, check: 38), wide(48, 24, regions: 2, check: 41), wide(64, 24, regions: 4, check: 46),
        wide(40, 26, regions: 2, check: 38), wide(48, 26, regions: 2, check: 42), wide(64, 26, regions: 4, check: 50),
    ]

    private static func wide(_ columns: Int, _ rows: Int, regions: Int = 1, check: Int) -> DataMatrixSize {
        DataMatrixSize(columns, rows, regions: (regions, 1), check: check)
    }
}
