extension MicroQRSize {
    /// The table entries of ISO/IEC 23941 for a size: modules, check codewords per block and number of blocks for
    /// the levels M and H, and the bits of the counts of digits, alphanumeric characters, bytes and Kanji.
    private struct Row {
        var height, width: Int
        var medium, high: (check: Int, blocks: Int)
        var counts: (numeric: Int, alphanumeric: Int, bytes: Int, kanji: Int)

        init(
            _ height: Int, _ width: Int, _ medium: (Int, Int), _ high: (Int, Int), _ counts: (Int, Int, Int, Int)
        ) {
            self.height = height
            self.width = width
            self.medium = medium
            self.high = high
            self.counts = counts
        }
    }

    /// Source: ISO/IEC 23941, tables "Error correction characteristics for rMQR" and "Number of bits of character
    /// count indicator".
    private static let rows: [Row] = [
        Row(7, 43, (7, 1), (10, 1), (4, 3, 3, 2)), Row(7, 59, (9, 1), (14, 1), (5, 5, 4, 3)),
        Row(7, 77, (12, 1), (22, 1), (6, 5, 5, 4)), Row(7, 99, (16, 1), (30, 1), (7, 6, 5, 5)),
        Row(7, 139, (24, 1), (22, 2), (7, 6, 6, 5)), Row(9, 43, (9, 1), (14, 1), (5, 5, 4, 3)),
        Row(9, 59, (12, 1), (22, 1), (6, 5, 5, 4)), Row(9, 77, (18, 1), (16, 2), (7, 6, 5, 5)),
        Row(9, 99, (24, 1), (22, 2), (7, 6, 6, 5)), Row(9, 139, (18, 2), (22, 3), (8, 7, 6, 6)),
        Row(11, 27, (8, 1), (10, 1), (4, 4, 3, 2)), Row(11, 43, (12, 1), (20, 1), (6, 5, 5, 4)),
        Row(11, 59, (16, 1), (16, 2), (7, 6, 5, 5)), Row(11, 77, (24, 1), (22, 2), (7, 6, 6, 5)),
        Row(11, 99, (16, 2), (30, 2), (8, 7, 6, 6)), Row(11, 139, (24, 2), (30, 3), (8, 7, 7, 6)),
        Row(13, 27, (9, 1), (14, 1), (5, 5, 4, 3)), Row(13, 43, (14, 1), (28, 1), (6, 6, 5, 5)),
        Row(13, 59, (22, 1), (20, 2), (7, 6, 6, 5)), Row(13, 77, (16, 2), (28, 2), (7, 7, 6, 6)),
        Row(13, 99, (20, 2), (26, 3), (8, 7, 7, 6)), Row(13, 139, (20, 3), (28, 4), (8, 8, 7, 7)),
        Row(15, 43, (18, 1), (18, 2), (7, 6, 6, 5)), Row(15, 59, (26, 1), (24, 2), (7, 7, 6, 5)),
        Row(15, 77, (18, 2), (24, 3), (8, 7, 7, 6)), Row(15, 99, (24, 2), (22, 4), (8, 7, 7, 6)),
        Row(15, 139, (24, 3), (26, 5), (9, 8, 7, 7)), Row(17, 43, (22, 1), (20, 2), (7, 6, 6, 5)),
        Row(17, 59, (16, 2), (30, 2), (8, 7, 6, 6)), Row(17, 77, (22, 2), (28, 3), (8, 7, 7, 6)),
        Row(17, 99, (20, 3), (26, 4), (8, 8, 7, 6)), Row(17, 139, (20, 4), (26, 6), (9, 8, 8, 7)),
    ]

    /// The sizes R7x43 to R17x139.
    static let rectangles: [MicroQRSize] = rows.enumerated().map { index, row in
        MicroQRSize(
            kind: .rectangular, number: index + 1,
            patterns: FunctionPatterns(rectangularWidth: row.width, height: row.height),
            segmentFormat: QRSegmentFormat(
                indicatorBits: 3, terminatorBits: 3,
                modes: [nil, .numeric, .alphanumeric, .bytes, .kanji, .firstFNC1, .secondFNC1, .eci],
                numericCount: row.counts.numeric, alphanumericCount: row.counts.alphanumeric,
                byteCount: row.counts.bytes, kanjiCount: row.counts.kanji))
    }

    func rectangularBlocks(_ level: QRErrorCorrectionLevel?) -> QRBlockTable? {
        let row = Self.rows[number - 1]
        let blocks: (check: Int, blocks: Int)
        switch level {
        case .medium: blocks = row.medium
        case .high: blocks = row.high
        default: return nil
        }
        return QRBlockTable(
            codewords: patterns.dataOrder.count / 8, checkCount: blocks.check, blockCount: blocks.blocks)
    }
}

extension FunctionPatterns {
    /// Creates the function patterns of rMQR: a finder pattern at the top left, a smaller one at the bottom right,
    /// corner finder patterns in the other corners, timing patterns along all edges and across, with an alignment
    /// pattern at either end.
    ///
    /// Source: ISO/IEC 23941, "Function patterns", "Codeword placement in matrix" and annex D.
    convenience init(rectangularWidth width: Int, height: Int) {
        var roles = [Role](repeating: .data, count: width * height)
        func set(_ x: Int, _ y: Int, _ isDark: Bool) {
            if x >= 0, x < width, y >= 0, y < height { roles[y * width + x] = isDark ? .dark : .light }
        }
        for x in 0..<width {
            set(x, 0, x % 2 == 0)
            set(x, height - 1, x % 2 == 0)
        }
        for y in 0..<height {
            set(0, y, y % 2 == 0)
            set(width - 1, y, y % 2 == 0)
        }
        for center in Self.alignmentColumns(width: width) {
            for y in 0..<height { set(center, y, y % 2 == 0) }
            for (dy, dx) in [-1, 0, 1].flatMap({ dy in [-1, 0, 1].map { (dy, $0) } }) {
                let isDark = dx != 0 || dy != 0
                set(center + dx, 1 + dy, isDark)
                set(center + dx, height - 2 + dy, isDark)
            }
        }
        let (right, bottom) = (width - 1, height - 1)
        for (x, y) in [(right, 0), (right - 1, 0), (right, 1), (0, bottom), (1, bottom), (0, bottom - 1)] {
            set(x, y, true)
        }
        set(width - 2, 1, false)
        set(1, height - 2, false)
        for place in MicroQRFormat.finderModules(width: width)
            + MicroQRFormat.subPatternModules(width: width, height: height)
        {
            roles[place] = .information
        }
        for dy in -2...2 {
            for dx in -2...2 {
                set(width - 3 + dx, height - 3 + dy, max(abs(dx), abs(dy)) != 1)
            }
        }
        // The lowest sizes have no room for the whole separator, nor for a corner finder pattern below it.
        for y in 0...min(7, height - 2) where y < 7 || height > 7 {
            for x in 0...7 { set(x, y, false) }
        }
        for y in 0...6 {
            for x in 0...7 {
                let ring = max(abs(x - 3), abs(y - 3))
                set(x, y, ring != 2 && ring != 4)
            }
        }
        self.init(width: width, height: height, roles: roles, lastColumn: width - 2, timingColumn: nil)
    }

    /// Returns the center columns of the alignment patterns.
    private static func alignmentColumns(width: Int) -> [Int] {
        switch width {
        case 43: [21]
        case 59: [19, 39]
        case 77: [25, 51]
        case 99: [23, 49, 75]
        case 139: [27, 55, 83, 111]
        default: []
        }
    }
}
