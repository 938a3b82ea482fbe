/// The division of the codewords of a symbol into error correction blocks.
///
/// Source: ISO/IEC 18004, table "Error correction characteristics for QR Code". The table gives the check codewords
/// of a block and the number of blocks. The rest follows, because blocks differ by at most one data codeword and the
/// shorter ones come first.
package struct QRBlockTable: Sendable, Hashable {
    /// The number of blocks in the symbol.
    package let blockCount: Int
    /// The number of check codewords in each block.
    package let checkCount: Int
    /// The number of data codewords in each of the shorter blocks.
    package let shortDataCount: Int
    /// The number of shorter blocks, which come first.
    let shortBlockCount: Int
    /// The number of check codewords reserved for error detection: the smallest symbols could otherwise be misread.
    let misdecodeProtection: Int
    /// True if the first codewords of all blocks come first, then the second ones, as in QR Code model 2.
    let isInterleaved: Bool

    /// The number of data codewords in all blocks.
    package var dataCount: Int { shortDataCount * blockCount + (blockCount - shortBlockCount) }
    /// The number of codewords in all blocks.
    var codewordCount: Int { dataCount + checkCount * blockCount }

    /// Returns the number of data codewords in the block with the given index.
    package func dataCount(ofBlock block: Int) -> Int {
        block < shortBlockCount ? shortDataCount : shortDataCount + 1
    }

    /// - Precondition: `version` is within 1...40.
    package init(version: Int, level: QRErrorCorrectionLevel) {
        let (check, blocks) = Self.table[version - 1][level.column]
        self.init(
            codewords: QRVersion.codewordCount(version), checkCount: check, blockCount: blocks,
            misdecodeProtection: Self.misdecodeProtection(version: version, level: level))
    }

    /// Returns the number of check codewords reserved for error detection.
    static func misdecodeProtection(version: Int, level: QRErrorCorrectionLevel) -> Int {
        switch (version, level) {
        case (1, .low): 3
        case (1, .medium), (2, .low): 2
        case (1, _), (3, .low): 1
        default: 0
        }
    }

    /// Divides codewords into blocks with `checkCount` check codewords each.
    init(codewords: Int, checkCount: Int, blockCount: Int, misdecodeProtection: Int = 0) {
        self.blockCount = blockCount
        self.checkCount = checkCount
        shortDataCount = codewords / blockCount - checkCount
        shortBlockCount = blockCount - codewords % blockCount
        self.misdecodeProtection = misdecodeProtection
        isInterleaved = true
    }

    /// Blocks of equal size, first the data of all, one after the other, and then their check codewords.
    init(sequentialBlocks blockCount: Int, dataCount: Int, checkCount: Int, misdecodeProtection: Int) {
        self.blockCount = blockCount
        self.checkCount = checkCount
        shortDataCount = dataCount
        shortBlockCount = blockCount
        self.misdecodeProtection = misdecodeProtection
        isInterleaved = false
    }

    /// The check codewords of a block and the number of blocks, for L, M, Q, H of each version.
    private static let table: [[(check: Int, blocks: Int)]] = [
        [(7, 1), (10, 1), (13, 1), (17, 1)],
        [(10, 1), (16, 1), (22, 1), (28, 1)],
        [(15, 1), (26, 1), (18, 2), (22, 2)],
        [(20, 1), (18, 2), (26, 2), (16, 4)],
        [(26, 1), (24, 2), (18, 4), (22, 4)],
        [(18, 2), (16, 4), (24, 4), (28, 4)],
        [(20, 2), (18, 4), (18, 6), (26, 5)],
        [(24, 2), (22, 4), (22, 6), (26, 6)],
        [(30, 2), (22, 5), (20, 8), (24, 8)],
        [(18, 4), (26, 5), (24, 8), (28, 8)],
        [(20, 4), (30, 5), (28, 8), (24, 11)],
        [(24, 4), (22, 8), (26, 10), (28, 11)],
        [(26, 4), (22, 9), (24, 12), (22, 16)],
        [(30, 4), (24, 9), (20, 16), (24, 16)],
        [(22, 6), (24, 10), (30, 12), (24, 18)],
        [(24, 6), (28, 10), (24, 17), (30, 16)],
        [(28, 6), (28, 11), (28, 16), (28, 19)],
        [(30, 6), (26, 13), (28, 18), (28, 21)],
        [(28, 7), (26, 14), (26, 21), (26, 25)],
        [(28, 8), (26, 16), (30, 20), (28, 25)],
        [(28, 8), (26, 17), (28, 23), (30, 25)],
        [(28, 9), (28, 17), (30, 23), (24, 34)],
        [(30, 9), (28, 18), (30, 25), (30, 30)],
        [(30, 10), (28, 20), (30, 27), (30, 32)],
        [(26, 12), (28, 21), (30, 29), (30, 35)],
        [(28, 12), (28, 23), (28, 34), (30, 37)],
        [(30, 12), (28, 25), (30, 34), (30, 40)],
        [(30, 13), (28, 26), (30, 35), (30, 42)],
        [(30, 14), (28, 28), (30, 38), (30, 45)],
        [(30, 15), (28, 29), (30, 40), (30, 48)],
        [(30, 16), (28, 31), (30, 43), (30, 51)],
        [(30, 17), (28, 33), (30, 45), (30, 54)],
        [(30, 18), (28, 35), (30, 48), (30, 57)],
        [(30, 19), (28, 37), (30, 51), (30, 60)],
        [(30, 19), (28, 38), (30, 53), (30, 63)],
        [(30, 20), (28, 40), (30, 56), (30, 66)],
        [(30, 21), (28, 43), (30, 59), (30, 70)],
        [(30, 22), (28, 45), (30, 62), (30, 74)],
        [(30, 24), (28, 47), (30, 65), (30, 77)],
        [(30, 25), (28, 49), (30, 68), (30, 81)],
    ]
}
