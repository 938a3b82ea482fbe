import BarcodeCore

/// Decodes the modules of a Data Matrix ECC 200 symbol: square, rectangular or DMRE (rectangular extension).
///
/// Source: ISO/IEC 16022, "Reference decode algorithm", from the sampled grid on; ISO/IEC 21471.
public enum DataMatrixDecoder {
    /// Decodes a symbol from its sampled modules: as given and, if that fails, mirrored.
    ///
    /// This is the step after locating and sampling. The grid holds all modules of the symbol, including the borders
    /// of its data regions but not the quiet zone. It is rotated so that the solid lines are at the left and the
    /// bottom, also in a mirrored symbol. ``DataMatrixReader`` samples such a grid.
    ///
    /// Modules of confidence 0 are erasures: each codeword with one counts as half an error, and three check
    /// codewords are then reserved for error detection. If a block has too many errors and the grid has confidences,
    /// the least certain codewords are tried as erasures too. Such a symbol, and one with an empty message, must have
    /// the padding of the standard.
    ///
    /// - Throws: ``MatrixDecodeFailure`` of the attempt that got farther.
    public static func decode(_ grid: ModuleGrid) throws(MatrixDecodeFailure) -> DataMatrixMessage {
        var (message, isMirrored) = try grid.decodedEitherWay(mirrored: { $0.antitransposed() }, decodeUpright)
        message.isMirrored = isMirrored
        return message
    }

    private static func decodeUpright(_ grid: ModuleGrid) throws(MatrixDecodeFailure) -> DataMatrixMessage {
        guard let size = DataMatrixSize(columns: grid.width, rows: grid.height) else {
            throw MatrixDecodeFailure(.badSize, "\(grid.width) by \(grid.height) modules is not a valid size")
        }
        let modules = ModuleCount(columns: size.columns, rows: size.rows)
        let placement = DataMatrixPlacement.of(size)
        let border = DataMatrixBorder(grid, placement: placement)
        guard border.isPlausible else {
            throw MatrixDecodeFailure(
                .badPattern, "\(border.wrong) of \(border.known) modules around the data regions are wrong",
                symbol: modules.description)
        }
        let corrected = try correct(grid, placement: placement)
        let parser: DataMatrixMessageParser
        do {
            parser = try DataMatrixMessageParser.parse(corrected.data)
        } catch {
            throw MatrixDecodeFailure(.badBitStream, error.message, symbol: modules.description)
        }
        // Guessed codewords or an empty message need regular padding as evidence.
        if corrected.hasGuessed || parser.bytes.isEmpty, !parser.isPaddingRegular {
            throw MatrixDecodeFailure(
                .badBitStream, "the codewords after the message are not padding", symbol: modules.description)
        }
        return DataMatrixMessage(
            bytes: parser.bytes, segments: parser.segments, size: modules,
            structuredAppend: parser.structuredAppend, isGS1: parser.isGS1, isAIM: parser.isAIM,
            applicationIndicator: parser.applicationIndicator,
            isReaderProgramming: parser.isReaderProgramming, hasECI: parser.hasECI,
            correctedCodewords: corrected.tally.codewords, correctionUsed: corrected.tally.used, isMirrored: false)
    }

    private struct Corrected {
        /// The data codewords in the order of the symbol.
        var data: [UInt8]
        /// The corrections.
        var tally: CorrectionTally
        var hasGuessed: Bool
    }

    /// Check codewords reserved for error detection if there are erasures, as in the standard.
    static let erasureReserve = 3

    private static func correct(
        _ grid: ModuleGrid, placement: DataMatrixPlacement
    ) throws(MatrixDecodeFailure) -> Corrected {
        let size = placement.size
        let codewords = DataMatrixCodewords.read(grid, placement: placement)
        let confidences = DataMatrixCodewords.confidences(of: grid, placement: placement)
        var firstFailed: Int?
        // The two orders differ only if the blocks have unequal numbers of data codewords.
        let isRegular = size.dataCount % size.blockCount == 0
        for order in isRegular ? [.continued] : DataMatrixCodewords.CheckOrder.allCases {
            var corrector = BlockCorrector(
                ReedSolomon(.dataMatrix, firstRoot: 1), checkCount: size.blockCheckCount,
                erasureReserve: erasureReserve)
            var data = [UInt8](repeating: 0, count: size.dataCount)
            var failed: Int?
            for (index, places) in DataMatrixCodewords.blocks(of: size, checkOrder: order).enumerated() {
                let block = CodewordBlock(
                    codewords: places.map { codewords[$0] },
                    confidences: confidences.isEmpty ? [] : places.map { confidences[$0] })
                guard let corrected = try? corrector.correct(block) else {
                    failed = index
                    break
                }
                for (place, codeword) in zip(places, corrected) where place < data.count { data[place] = codeword }
            }
            guard let failed else {
                return Corrected(data: data, tally: corrector.tally, hasGuessed: corrector.hasGuessed)
            }
            firstFailed = firstFailed ?? failed
        }
        let block = firstFailed ?? 0
        throw MatrixDecodeFailure(
            .tooManyErrors, "block \(block + 1) of \(size.blockCount) has too many errors",
            symbol: ModuleCount(columns: size.columns, rows: size.rows).description, block: block)
    }
}

/// Compares the borders of the data regions with the finder pattern: solid at the left and the bottom, alternating
/// (every second module dark) at the top and the right.
struct DataMatrixBorder {
    /// The number of border modules that are not erasures.
    private(set) var known = 0
    /// The number of those modules with the wrong color.
    private(set) var wrong = 0

    /// True if at most a quarter of the modules are wrong; in noise, half are.
    var isPlausible: Bool { wrong * 4 <= known }

    /// - Precondition: the grid has the size of the placement.
    init(_ grid: ModuleGrid, placement: DataMatrixPlacement) {
        count(grid, placement.darkBorder, color: 1)
        count(grid, placement.lightBorder, color: 0)
    }

    private mutating func count(_ grid: ModuleGrid, _ places: [UInt16], color: UInt8) {
        for place in places where grid.confidences.isEmpty || grid.confidences[Int(place)] > 0 {
            known += 1
            if grid.modules[Int(place)] != color { wrong += 1 }
        }
    }
}
