internal import BarcodeCore

/// Decodes the modules of a MaxiCode symbol.
///
/// Source: ISO/IEC 16023, 4.3 (modes), 4.10 (error correction).
public enum MaxiCodeDecoder {
    /// The maximum number of wrong orientation modules of eighteen; by chance nine are wrong.
    private static let largestWrongMarks = 5
    private static let primaryCheckCount = 10

    /// Decodes a symbol from its sampled modules.
    ///
    /// This is the step after locating and sampling. The grid has 30 by 33 modules, upright and not mirrored. The
    /// last module of each odd row does not exist, and those of the bull's-eye are ignored. ``MaxiCodeReader``
    /// samples such a grid. Modules of confidence 0 are erasures; if a message has too many errors, its least certain
    /// codewords are tried as erasures too.
    ///
    /// - Throws: ``MatrixDecodeFailure`` for a grid without a valid message.
    public static func decode(_ grid: ModuleGrid) throws(MatrixDecodeFailure) -> MaxiCodeMessage {
        guard grid.width == MaxiCodeLayout.columns, grid.height == MaxiCodeLayout.rows else {
            throw MatrixDecodeFailure(.badSize, "\(grid.width) by \(grid.height) modules is not a valid size")
        }
        let wrong = MaxiCodeLayout.orientationMarks.count {
            grid.confidence($0.x, $0.y) > 0 && grid[$0.x, $0.y] != $0.isDark
        }
        guard wrong <= largestWrongMarks else {
            throw MatrixDecodeFailure(.badPattern, "\(wrong) of 18 orientation modules are wrong")
        }
        let block = codewords(of: grid)
        var correction = CorrectionTally()
        let primary = try correct(block, 0..<MaxiCodePlacement.primaryCount, primaryCheckCount, number: 0, &correction)
        let mode = Int(primary[0] & 15)
        guard (2...6).contains(mode) else {
            throw MatrixDecodeFailure(.formatUnreadable, "there is no mode \(mode)")
        }
        // Two interleaved blocks, so that local damage affects both.
        let checkCount = mode == 5 ? 28 : 20
        var secondary: [[UInt8]] = []
        for part in 0..<2 {
            let places = stride(
                from: MaxiCodePlacement.primaryCount + part, to: MaxiCodePlacement.codewordCount, by: 2)
            secondary.append(
                try correct(block, places, checkCount, number: part + 1, symbol: "mode \(mode)", &correction))
        }
        let later = secondary[0].indices.flatMap { [secondary[0][$0], secondary[1][$0]] }
        let parser: MaxiCodeMessageParser
        do {
            parser = try parse(primary: primary, secondary: later, mode: mode)
        } catch {
            throw MatrixDecodeFailure(.badBitStream, error.message, symbol: "mode \(mode)")
        }
        return MaxiCodeMessage(
            bytes: parser.bytes, segments: parser.segments, mode: mode, structuredAppend: parser.structuredAppend,
            hasECI: parser.hasECI, correctedCodewords: correction.codewords, correctionUsed: correction.used)
    }

    /// Parses the message of the data codewords of a symbol.
    static func parse(
        primary: [UInt8], secondary: [UInt8], mode: Int
    ) throws(MaxiCodeMessageParser.Failure) -> MaxiCodeMessageParser {
        guard mode == 2 || mode == 3 else { return try MaxiCodeMessageParser.parse(primary.dropFirst() + secondary) }
        let carrier = try MaxiCodeCarrierMessage(primary[...], isNumeric: mode == 2)
        var parser = try MaxiCodeMessageParser.parse(secondary)
        parser.insert(carrier)
        return parser
    }

    private static func codewords(of grid: ModuleGrid) -> CodewordBlock {
        var block = CodewordBlock()
        let places = MaxiCodePlacement.places
        for codeword in 0..<MaxiCodePlacement.codewordCount {
            let bits = places[6 * codeword..<6 * codeword + 6]
            block.codewords.append(bits.reduce(0) { $0 << 1 | grid.modules[$1] })
            if !grid.confidences.isEmpty {
                block.confidences.append(bits.reduce(255) { min($0, grid.confidences[$1]) })
            }
        }
        return block
    }

    /// Returns the corrected data codewords at some indices of a symbol; the last of these are check codewords.
    private static func correct(
        _ all: CodewordBlock, _ places: some Sequence<Int>, _ checkCount: Int, number: Int, symbol: String? = nil,
        _ correction: inout CorrectionTally
    ) throws(MatrixDecodeFailure) -> [UInt8] {
        var corrector = BlockCorrector(ReedSolomon(.maxiCode, firstRoot: 1), checkCount: checkCount, erasureReserve: 3)
        let block = CodewordBlock(
            codewords: places.map { all.codewords[$0] },
            confidences: all.confidences.isEmpty ? [] : places.map { all.confidences[$0] })
        guard let codewords = try? corrector.correct(block) else {
            throw MatrixDecodeFailure(
                .tooManyErrors, "\(number == 0 ? "the primary message" : "block \(number) of 2") has too many errors",
                symbol: symbol, block: number)
        }
        correction.add(corrector.tally)
        return Array(codewords.dropLast(checkCount))
    }
}
