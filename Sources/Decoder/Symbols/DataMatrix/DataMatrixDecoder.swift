import BarcodeCore

/// Decodes the modules of a Data Matrix ECC 200 symbol, square or rectangular, DMRE included.
///
/// Source: ISO/IEC 16022, "Reference decode algorithm", from the sampled grid on; ISO/IEC 21471.
public enum DataMatrixDecoder {
    /// Decodes a symbol from its sampled modules, as the grid shows it and, where that fails, mirrored.
    ///
    /// This is the step behind the finding: the grid holds all modules of the symbol, the borders of its data regions
    /// included and the quiet zone not, and is turned so that the solid lines are at the left and the bottom (those of
    /// a mirrored symbol are too). ``DataMatrixReader`` samples such a grid.
    ///
    /// Modules of confidence 0 are erasures: each codeword that has one counts half of an error, and three check
    /// codewords are then left for detection. Where a block has too many errors and the grid has confidences, the
    /// least certain codewords are tried as erasures too; the padding must then be that of the standard, and so it
    /// must in a symbol whose message is empty.
    ///
    /// - Throws: ``MatrixDecodeFailure`` of the try that came farther.
    public static func decode(_ grid: ModuleGrid) throws(MatrixDecodeFailure) -> DataMatrixMessage {
        var (message, isMirrored) = try grid.decodedEitherWay(mirrored: { $0.antitransposed() }, decodeUpright)
        message.isMirrored = isMirrored
        return message
    }

    private static func decodeUpright(_ grid: ModuleGrid) throws(MatrixDecodeFailure) -> DataMatrixMessage {
        guard let size = DataMatrixSize(columns: grid.width, rows: grid.height) else {
            throw MatrixDecodeFailure(.badSize, "no symbol has \(grid.width) by \(grid.height) modules")
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
        // Codewords that were guessed, or a message of nothing, need the padding to speak for them.
        if corrected.hasGuessed || parser.bytes.isEmpty, !parser.isPaddingRegular {
            throw MatrixDecodeFailure(
                .badBitStream, "the codewords behind the message are not padding", symbol: modules.description)
        }
        return DataMatrixMessage(
            bytes: parser.bytes, segments: parser.segments, size: modules,
            structuredAppend: parser.structuredAppend, isGS1: parser.isGS1, isAIM: parser.isAIM,
            applicationIndicator: parser.applicationIndicator,
            isReaderProgramming: parser.isReaderProgramming, hasECI: parser.hasECI,
            correctedCodewords: corrected.count, isMirrored: false)
    }

    private struct Corrected {
        /// The data codewords in the order of the symbol.
        var data: [UInt8]
        /// Codewords that were wrong.
        var count: Int
        var hasGuessed: Bool
    }

    /// Check codewords that are kept for detection where there are erasures, as the standard has it.
    static let erasureReserve = 3

    private static func correct(
        _ grid: ModuleGrid, placement: DataMatrixPlacement
    ) throws(MatrixDecodeFailure) -> Corrected {
        let size = placement.size
        let codewords = DataMatrixCodewords.read(grid, placement: placement)
        let confidences = DataMatrixCodewords.confidences(of: grid, placement: placement)
        var firstFailed: Int?
        // The two orders differ only where the blocks do not all have as many data codewords.
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
                return Corrected(data: data, count: corrector.correctedCodewords, hasGuessed: corrector.hasGuessed)
            }
            firstFailed = firstFailed ?? failed
        }
        let block = firstFailed ?? 0
        throw MatrixDecodeFailure(
            .tooManyErrors, "block \(block + 1) of \(size.blockCount) has too many errors",
            symbol: ModuleCount(columns: size.columns, rows: size.rows).description, block: block)
    }
}

/// How well the lines around the data regions stand where they should: solid at the left and the bottom of each, every
/// second module dark at the top and the right.
struct DataMatrixBorder {
    /// Modules of the lines that are not erasures.
    private(set) var known = 0
    /// How many of them have the wrong colour.
    private(set) var wrong = 0

    /// Whether a quarter at most is wrong; in noise it is a half.
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
