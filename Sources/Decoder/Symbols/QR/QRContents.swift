/// The decoded data modules of a QR Code, Micro QR or rMQR symbol of known format.
///
/// Source: ISO/IEC 18004, "Decoding procedure overview", from the removal of the mask on.
struct QRContents {
    /// The message.
    let parser: QRMessageParser
    /// The corrections.
    let correction: CorrectionTally

    /// Decodes the data modules of a grid.
    ///
    /// If codewords had to be guessed, or if the message is empty, the padding must follow the standard.
    ///
    /// - Parameters:
    ///   - grid: the modules.
    ///   - patterns: the function patterns.
    ///   - table: the error correction blocks.
    ///   - mask: the number of the mask, 0 to 7.
    ///   - shortCodeword: the codeword of four bits, if the symbol has one.
    ///   - segmentFormat: the format of the segment headers.
    ///   - symbol: a description of the symbol for failures.
    /// - Throws: ``MatrixDecodeFailure`` if a block has too many errors or the bit stream is invalid.
    /// - Precondition: grid and table have the size of the patterns.
    init(
        _ grid: ModuleGrid, patterns: FunctionPatterns, table: QRBlockTable, mask: Int,
        shortCodeword: ShortCodeword? = nil,
        segmentFormat: QRSegmentFormat, symbol: String
    ) throws(MatrixDecodeFailure) {
        let blocks = QRCodewordReader.blocks(
            QRCodewordReader.codewords(of: grid, patterns: patterns, mask: mask, shortCodeword: shortCodeword),
            confidences: QRCodewordReader.confidences(of: grid, patterns: patterns, shortCodeword: shortCodeword),
            table: table)
        var corrector = BlockCorrector(
            ReedSolomon(.qrCode, firstRoot: 0), checkCount: table.checkCount,
            misdecodeProtection: table.misdecodeProtection)
        var data: [UInt8] = []
        data.reserveCapacity(table.dataCount)
        for (index, block) in blocks.enumerated() {
            do {
                let corrected = try corrector.correct(block)
                data += corrected.dropLast(table.checkCount)
            } catch {
                throw MatrixDecodeFailure(
                    .tooManyErrors, "block \(index + 1) of \(blocks.count) has too many errors", symbol: symbol,
                    block: index)
            }
        }
        func badBitStream(_ message: String) -> MatrixDecodeFailure {
            MatrixDecodeFailure(.badBitStream, message, symbol: symbol)
        }
        if let shortCodeword, data.indices.contains(shortCodeword.index) {
            guard shortCodeword.accepts(data[shortCodeword.index]) else {
                throw badBitStream("a codeword of four bits has a larger value")
            }
            if !shortCodeword.isUpperHalf { data[shortCodeword.index] <<= 4 }
        }
        do {
            parser = try QRMessageParser.parse(
                data, bitCount: data.count * 8 - (shortCodeword == nil ? 0 : 4), format: segmentFormat)
        } catch {
            throw badBitStream(error.message)
        }
        correction = corrector.tally
        // All-zero codewords are valid in the code, and periodic texture can produce them.
        if corrector.hasGuessed || parser.bytes.isEmpty, !parser.isPaddingRegular {
            throw badBitStream("the codewords after the terminator are not padding")
        }
    }
}
