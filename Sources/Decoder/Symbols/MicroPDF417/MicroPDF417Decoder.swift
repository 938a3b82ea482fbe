/// Decodes codewords, each with a confidence, into the message of a MicroPDF417 symbol.
enum MicroPDF417Decoder {
    /// Decodes codewords of full confidence.
    static func decode(_ codewords: [Int], size: MicroPDF417Size) throws(MatrixDecodeFailure) -> MicroPDF417Message {
        try decode(codewords, confidences: codewords.map { _ in 1 }, size: size)
    }

    /// Decodes codewords, row by row; those with the least confidence may be wrong.
    ///
    /// - Parameters:
    ///   - codewords: the codewords, row by row.
    ///   - confidences: the confidence of each codeword.
    ///   - size: the size of the symbol.
    ///   - isComposite: true if the symbol is part of a composite symbol.
    /// - Throws: ``MatrixDecodeFailure`` if the codewords cannot be corrected or parsed.
    static func decode(
        _ codewords: [Int], confidences: [Float], size: MicroPDF417Size, isComposite: Bool = false
    ) throws(MatrixDecodeFailure) -> MicroPDF417Message {
        let symbol = "\(size.rows) rows, \(size.columns) columns"
        guard codewords.count == size.codewordCount, confidences.count == codewords.count else {
            throw MatrixDecodeFailure(.badSize, "the number of codewords does not match the size", symbol: symbol)
        }
        return try PDF417Decoder.corrected(codewords, confidences, checkCount: size.checkCount, symbol: symbol) {
            (whole, correction) throws(MatrixDecodeFailure) in
            do throws(PDF417MessageParser.Failure) {
                let parsed = try PDF417MessageParser.parse(
                    Array(whole[..<(size.codewordCount - size.checkCount)]), isMicro: true, isComposite: isComposite)
                return MicroPDF417Message(
                    bytes: parsed.bytes, segments: parsed.segments, size: size, macro: parsed.macro,
                    emulation: parsed.emulation, isReaderProgramming: parsed.isReaderProgramming,
                    correctedCodewords: correction.codewords, correctionUsed: correction.used)
            } catch {
                throw MatrixDecodeFailure(error.code, error.message, symbol: symbol)
            }
        }
    }
}
