/// Decodes codewords, each with a confidence, into the message of a PDF417 symbol.
enum PDF417Decoder {
    /// Decodes codewords of full confidence.
    ///
    /// - Parameter codewords: the codewords of all rows and columns, without row indicators.
    static func decode(_ codewords: [Int], size: PDF417Size) throws(MatrixDecodeFailure) -> PDF417Message {
        try decode(codewords, confidences: codewords.map { _ in 1 }, size: size)
    }

    /// The shares of the check codewords that are used to correct the least confident codewords as erasures, in
    /// turn.
    private static let erasedShares = [0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1]
    /// The number of check codewords left for error detection if there are erasures, or few check codewords; the
    /// length of the data is another check.
    private static let reserve = 2
    /// The number of check codewords up to which some are always left for error detection: level 0, whose two
    /// codewords would take one set of codewords in ten for a message with one error, and level 1.
    private static let few = 4

    /// Decodes codewords; those with the least confidence may be wrong.
    ///
    /// - Parameters:
    ///   - codewords: the codewords of all rows and columns, without row indicators.
    ///   - confidences: the confidence of each codeword.
    ///   - size: the size of the symbol.
    ///   - isComposite: true if the symbol is part of a composite symbol.
    /// - Throws: ``MatrixDecodeFailure`` if the codewords cannot be corrected or parsed.
    static func decode(
        _ codewords: [Int], confidences: [Float], size: PDF417Size, isComposite: Bool = false
    ) throws(MatrixDecodeFailure) -> PDF417Message {
        let symbol = "\(size.rows) rows, \(size.columns) columns, level \(size.level)"
        guard codewords.count == size.codewordCount, confidences.count == codewords.count else {
            throw MatrixDecodeFailure(.badSize, "the number of codewords does not match the size", symbol: symbol)
        }
        return try corrected(codewords, confidences, checkCount: size.checkCount, symbol: symbol) {
            (whole, correction) throws(MatrixDecodeFailure) in
            try message(whole, size: size, correction: correction, symbol: symbol, isComposite: isComposite)
        }
    }

    /// Corrects codewords with more and more of the least confident ones as erasures, until they form a message.
    ///
    /// - Parameters:
    ///   - codewords: the codewords.
    ///   - confidences: the confidence of each codeword.
    ///   - checkCount: the number of check codewords.
    ///   - symbol: a description of the symbol for failures.
    ///   - message: parses the corrected codewords, with the corrections that they took.
    /// - Throws: ``MatrixDecodeFailure`` of the attempt that progressed furthest.
    static func corrected<Message>(
        _ codewords: [Int], _ confidences: [Float], checkCount: Int, symbol: String,
        message: (_ codewords: [Int], _ correction: CorrectionTally) throws(MatrixDecodeFailure) -> Message
    ) throws(MatrixDecodeFailure) -> Message {
        let order = confidences.indices.sorted { confidences[$0] < confidences[$1] }
        let capacity = max(0, checkCount - reserve)
        var farthest = MatrixDecodeFailure(
            .tooManyErrors, "there are more wrong codewords than the check codewords can correct", symbol: symbol)
        var tried: Set<Int> = []
        // The syndromes do not depend on the erasures.
        let syndromes = PDF417Correction.syndromes(of: codewords, count: checkCount)
        for share in erasedShares {
            let count = min(capacity, Int(Double(capacity) * share))
            guard tried.insert(count).inserted else { continue }
            let reserved = count > 0 || checkCount <= few ? reserve : 0
            var whole = codewords
            let erasures = Array(order[..<count])
            guard
                PDF417Correction.correct(
                    &whole, checkCount: checkCount, erasures: erasures, reserve: reserved, syndromes: syndromes) != nil
            else { continue }
            var correction = CorrectionTally()
            correction.add(
                codewords, corrected: whole, erasures: erasures,
                capacity: checkCount <= few ? capacity : checkCount)
            do throws(MatrixDecodeFailure) {
                return try message(whole, correction)
            } catch {
                if error.rank > farthest.rank { farthest = error }
            }
        }
        throw farthest
    }

    private static func message(
        _ codewords: [Int], size: PDF417Size, correction: CorrectionTally, symbol: String, isComposite: Bool
    ) throws(MatrixDecodeFailure) -> PDF417Message {
        let dataCount = size.codewordCount - size.checkCount
        // The first codeword is the number of data codewords, including itself and padding; some encoders do not
        // count the padding.
        guard let length = codewords.first, (1...dataCount).contains(length) else {
            throw MatrixDecodeFailure(.badBitStream, "the first codeword is not the length of the data", symbol: symbol)
        }
        // A wrong correction yields a random number.
        guard length == dataCount || correction.codewords == 0 else {
            throw MatrixDecodeFailure(
                .tooManyErrors, "the first codeword is not the length of the data", symbol: symbol)
        }
        do throws(PDF417MessageParser.Failure) {
            let parsed = try PDF417MessageParser.parse(Array(codewords[1..<length]), isComposite: isComposite)
            return PDF417Message(
                bytes: parsed.bytes, segments: parsed.segments, size: size, macro: parsed.macro,
                isReaderProgramming: parsed.isReaderProgramming, correctedCodewords: correction.codewords,
                correctionUsed: correction.used)
        } catch {
            throw MatrixDecodeFailure(error.code, error.message, symbol: symbol)
        }
    }
}
