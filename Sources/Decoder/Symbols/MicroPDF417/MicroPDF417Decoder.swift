/// Turns codewords, each with how sure it is, into the message of a MicroPDF417 symbol.
enum MicroPDF417Decoder {
    /// Decodes clear codewords, which are all right or known to be.
    static func decode(_ codewords: [Int], size: MicroPDF417Size) throws(MatrixDecodeFailure) -> MicroPDF417Message {
        try decode(codewords, confidences: codewords.map { _ in 1 }, size: size)
    }

    /// Decodes codewords, row by row, of which the least sure may be wrong.
    ///
    /// - Parameter isComposite: whether it is a part of a composite symbol.
    static func decode(
        _ codewords: [Int], confidences: [Float], size: MicroPDF417Size, isComposite: Bool = false
    ) throws(MatrixDecodeFailure) -> MicroPDF417Message {
        let symbol = "\(size.rows) rows, \(size.columns) columns"
        guard codewords.count == size.codewordCount, confidences.count == codewords.count else {
            throw MatrixDecodeFailure(.badSize, "the codewords are not as many as the size has", symbol: symbol)
        }
        return try PDF417Decoder.corrected(codewords, confidences, checkCount: size.checkCount, symbol: symbol) {
            (whole, changes) throws(MatrixDecodeFailure) in
            do throws(PDF417MessageParser.Failure) {
                let parsed = try PDF417MessageParser.parse(
                    Array(whole[..<(size.codewordCount - size.checkCount)]), isMicro: true, isComposite: isComposite)
                return MicroPDF417Message(
                    bytes: parsed.bytes, segments: parsed.segments, size: size, macro: parsed.macro,
                    emulation: parsed.emulation, isReaderProgramming: parsed.isReaderProgramming,
                    correctedCodewords: changes)
            } catch {
                throw MatrixDecodeFailure(error.code, error.message, symbol: symbol)
            }
        }
    }
}
