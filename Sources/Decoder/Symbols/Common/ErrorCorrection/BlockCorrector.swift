/// A block of codewords as it was read: data codewords, then check codewords.
struct CodewordBlock {
    var codewords: [UInt8] = []
    /// How sure each codeword is, as sure as the least of its modules; empty when all are certain.
    var confidences: [UInt8] = []
}

/// Corrects the blocks of one symbol, with erasures where the grid knows of any.
struct BlockCorrector {
    /// Codewords that were wrong, in all blocks so far.
    private(set) var correctedCodewords = 0
    /// Whether a block could be corrected only with codewords guessed to be wrong from their low confidence.
    private(set) var hasGuessed = false

    private var code: ReedSolomon
    private let checkCount: Int
    private let misdecodeProtection: Int
    private let erasureReserve: Int

    /// Check codewords that are never spent when the erasures are guesses: a random block is then taken for a whole
    /// one less than once in ten million.
    private static let guessReserve = 3

    /// A corrector of blocks with so many check codewords.
    ///
    /// - Parameters:
    ///   - misdecodeProtection: check codewords that are kept for detection always.
    ///   - erasureReserve: check codewords that are kept for detection where there are certain erasures.
    init(_ code: ReedSolomon, checkCount: Int, misdecodeProtection: Int = 0, erasureReserve: Int = 0) {
        self.code = code
        self.checkCount = checkCount
        self.misdecodeProtection = misdecodeProtection
        self.erasureReserve = max(erasureReserve, misdecodeProtection)
    }

    /// Corrects a block: with the certain erasures first, then without where those cost more, then with guesses.
    ///
    /// - Returns: all codewords of the block.
    mutating func correct(_ block: CodewordBlock) throws(ReedSolomon.Failure) -> [UInt8] {
        try correct(block.codewords.map(UInt16.init), confidences: block.confidences).map { UInt8($0) }
    }

    /// The same for codewords of any field.
    ///
    /// - Parameter confidences: how sure each codeword is; empty when all are certain.
    mutating func correct(_ block: [UInt16], confidences: [UInt8]) throws(ReedSolomon.Failure) -> [UInt16] {
        var codewords = block
        let certain = confidences.indices.filter { confidences[$0] == 0 }
        // More erasures than the code can take say that the marks are worth nothing.
        let erasures = certain.count <= checkCount - erasureReserve ? certain : []
        do {
            correctedCodewords += try code.correct(
                &codewords, checkCount: checkCount, erasures: erasures,
                reserve: erasures.isEmpty ? misdecodeProtection : erasureReserve)
            return codewords
        } catch {
            guard !confidences.isEmpty else { throw error }
        }
        if !erasures.isEmpty, erasureReserve > misdecodeProtection,
            let corrected = try? code.correct(&codewords, checkCount: checkCount, reserve: misdecodeProtection)
        {
            correctedCodewords += corrected
            return codewords
        }
        let byConfidence = confidences.indices.sorted {
            (confidences[$0], $0) < (confidences[$1], $1)
        }
        let doubtful = byConfidence.prefix { confidences[$0] < 255 }.count
        let reserve = max(Self.guessReserve, misdecodeProtection)
        let limit = min(doubtful, checkCount - reserve)
        // From few to many: few leave more of the code for errors that look certain.
        for quarter in 1...4 {
            let count = limit * quarter / 4
            guard count > 0 else { continue }
            if let corrected = try? code.correct(
                &codewords, checkCount: checkCount, erasures: Array(byConfidence.prefix(count)),
                reserve: reserve)
            {
                correctedCodewords += corrected
                hasGuessed = true
                return codewords
            }
        }
        throw ReedSolomon.Failure()
    }
}
