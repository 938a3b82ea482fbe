/// A block of codewords as sampled: data codewords, then check codewords.
struct CodewordBlock {
    var codewords: [UInt8] = []
    /// The confidence of each codeword: the lowest of its modules; empty if all are certain.
    var confidences: [UInt8] = []
}

/// Corrects the blocks of one symbol, with erasures if the grid has any.
struct BlockCorrector {
    /// The corrections in all blocks so far.
    private(set) var tally = CorrectionTally()
    /// True if a block could be corrected only with codewords of low confidence treated as erasures.
    private(set) var hasGuessed = false

    private var code: ReedSolomon
    private let checkCount: Int
    private let misdecodeProtection: Int
    private let erasureReserve: Int

    /// The number of check codewords never used for correction if the erasures are guesses: less than one random block
    /// in ten million is then accepted as valid.
    private static let guessReserve = 3

    /// Creates a corrector for blocks with `checkCount` check codewords.
    ///
    /// - Parameters:
    ///   - misdecodeProtection: the number of check codewords always reserved for error detection.
    ///   - erasureReserve: the number of check codewords reserved for error detection if there are certain erasures.
    init(_ code: ReedSolomon, checkCount: Int, misdecodeProtection: Int = 0, erasureReserve: Int = 0) {
        self.code = code
        self.checkCount = checkCount
        self.misdecodeProtection = misdecodeProtection
        self.erasureReserve = max(erasureReserve, misdecodeProtection)
    }

    /// Corrects a block: first with the certain erasures, then without them if they cost more, then with guesses.
    ///
    /// - Returns: all codewords of the block.
    mutating func correct(_ block: CodewordBlock) throws(ReedSolomon.Failure) -> [UInt8] {
        try correct(block.codewords.map(UInt16.init), confidences: block.confidences).map { UInt8($0) }
    }

    /// Corrects a block of codewords of any field.
    ///
    /// - Parameter confidences: the confidence of each codeword. Empty if all are certain.
    mutating func correct(_ block: [UInt16], confidences: [UInt8]) throws(ReedSolomon.Failure) -> [UInt16] {
        var codewords = block
        let certain = confidences.indices.filter { confidences[$0] == 0 }
        // More erasures than the code can correct mean that the confidences are worthless.
        let erasures = certain.count <= checkCount - erasureReserve ? certain : []
        do {
            _ = try code.correct(
                &codewords, checkCount: checkCount, erasures: erasures,
                reserve: erasures.isEmpty ? misdecodeProtection : erasureReserve)
            note(block, codewords, erasures)
            // With so few check codewords left, many random blocks are accepted too.
            if !erasures.isEmpty, checkCount - erasures.count < Self.guessReserve { hasGuessed = true }
            return codewords
        } catch {
            guard !confidences.isEmpty else { throw error }
        }
        if !erasures.isEmpty, erasureReserve > misdecodeProtection,
            (try? code.correct(&codewords, checkCount: checkCount, reserve: misdecodeProtection)) != nil
        {
            note(block, codewords, [])
            return codewords
        }
        let byConfidence = confidences.indices.sorted {
            (confidences[$0], $0) < (confidences[$1], $1)
        }
        let doubtful = byConfidence.prefix { confidences[$0] < 255 }.count
        let reserve = max(Self.guessReserve, misdecodeProtection)
        let limit = min(doubtful, checkCount - reserve)
        // The number of erasures grows: fewer of them leave more of the code for errors that look certain.
        for quarter in 1...4 {
            let count = limit * quarter / 4
            guard count > 0 else { continue }
            let guesses = Array(byConfidence.prefix(count))
            if (try? code.correct(&codewords, checkCount: checkCount, erasures: guesses, reserve: reserve)) != nil {
                note(block, codewords, guesses)
                hasGuessed = true
                return codewords
            }
        }
        throw ReedSolomon.Failure()
    }

    private mutating func note(_ block: [UInt16], _ corrected: [UInt16], _ erasures: [Int]) {
        tally.add(block, corrected: corrected, erasures: erasures, capacity: checkCount - misdecodeProtection)
    }
}
