/// Corrects the blocks of one symbol, with erasures where the grid knows of any.
struct BlockCorrector {
    /// Codewords that were wrong, in all blocks so far.
    private(set) var correctedCodewords = 0
    /// Whether a block could be corrected only with codewords guessed to be wrong from their low confidence.
    private(set) var hasGuessed = false

    private let table: BlockTable
    private var code = ReedSolomon(.qrCode, firstRoot: 0)

    /// Check codewords that are never spent when the erasures are guesses: a random block is then taken for a whole
    /// one less than once in ten million.
    private static let guessReserve = 3

    init(table: BlockTable) {
        self.table = table
    }

    /// Corrects a block: with the certain erasures first, then with guesses.
    ///
    /// - Returns: all codewords of the block.
    mutating func correct(_ block: CodewordReader.Block) throws(ReedSolomon.Failure) -> [UInt8] {
        var codewords = block.codewords.map(UInt16.init)
        let capacity = table.checkCount - table.misdecodeProtection
        let certain = block.confidences.indices.filter { block.confidences[$0] == 0 }
        // More erasures than the code can take say that the marks are worth nothing.
        let erasures = certain.count <= capacity ? certain : []
        do {
            correctedCodewords += try code.correct(
                &codewords, checkCount: table.checkCount, erasures: erasures, reserve: table.misdecodeProtection)
            return codewords.map { UInt8($0) }
        } catch {
            guard !block.confidences.isEmpty else { throw error }
        }
        let byConfidence = block.confidences.indices.sorted {
            (block.confidences[$0], $0) < (block.confidences[$1], $1)
        }
        let doubtful = byConfidence.prefix { block.confidences[$0] < 255 }.count
        let reserve = max(Self.guessReserve, table.misdecodeProtection)
        let limit = min(doubtful, table.checkCount - reserve)
        // From few to many: few leave more of the code for errors that look certain.
        for quarter in 1...4 {
            let count = limit * quarter / 4
            guard count > 0 else { continue }
            if let corrected = try? code.correct(
                &codewords, checkCount: table.checkCount, erasures: Array(byConfidence.prefix(count)),
                reserve: reserve)
            {
                correctedCodewords += corrected
                hasGuessed = true
                return codewords.map { UInt8($0) }
            }
        }
        throw ReedSolomon.Failure()
    }
}
