import BarcodeCore

/// Decodes the modules of a Micro QR symbol, M1 to M4, or of an rMQR symbol of any size.
///
/// Sources: ISO/IEC 18004 and ISO/IEC 23941, "Decoding procedure overview".
public enum MicroQRDecoder {
    /// The largest number of formats that are tried, best first.
    private static let maximumFormats = 3

    /// Decodes a symbol: the grid as it is and, if that fails, mirrored along its diagonal.
    ///
    /// Modules of confidence 0 are erasures, and uncertain ones are tried as erasures, as for QR Code. M1 has no
    /// error correction: its codewords, its format information and its timing patterns must be free of errors.
    ///
    /// - Throws: ``MatrixDecodeFailure`` of the attempt that progressed further.
    public static func decode(_ grid: ModuleGrid) throws(MatrixDecodeFailure) -> MicroQRMessage {
        var (message, isMirrored) = try grid.decodedEitherWay(mirrored: { $0.transposed() }, decodeUpright)
        message.isMirrored = isMirrored
        return message
    }

    private static func decodeUpright(_ grid: ModuleGrid) throws(MatrixDecodeFailure) -> MicroQRMessage {
        guard let size = MicroQRSize.of(width: grid.width, height: grid.height) else {
            throw MatrixDecodeFailure(.badSize, "\(grid.width) by \(grid.height) modules is not a valid size")
        }
        let marks = FunctionMarks(grid, size: size)
        guard marks.arePlausible else {
            throw MatrixDecodeFailure(
                .badPattern, "\(marks.wrong) of \(marks.known) modules of finder and timing patterns are wrong",
                symbol: size.name)
        }
        var worst = MatrixDecodeFailure(
            .formatUnreadable, "the format information cannot be read", symbol: size.name)
        let formats = MicroQRFormat.candidates(in: grid, kind: size.kind).filter { $0.number == size.number }
        for format in formats.prefix(maximumFormats) {
            do {
                return try decode(grid, size, format, marks)
            } catch {
                if error.rank > worst.rank { worst = error }
            }
        }
        throw worst
    }

    private static func decode(
        _ grid: ModuleGrid, _ size: MicroQRSize, _ format: MicroQRFormat, _ marks: FunctionMarks
    ) throws(MatrixDecodeFailure) -> MicroQRMessage {
        let level = format.level.map { ", level \($0.rawValue)" } ?? ""
        let symbol = "\(size.name)\(level), mask \(format.mask)"
        guard let table = size.blockTable(format.level) else {
            throw MatrixDecodeFailure(.badSize, "the size does not support the error correction level", symbol: symbol)
        }
        if format.level == nil, format.distance > 0 || marks.wrongTiming > 0 {
            throw MatrixDecodeFailure(
                .badPattern, "a symbol without error correction has errors", symbol: symbol)
        }
        var farthest: MatrixDecodeFailure?
        var contents: QRContents?
        for shortCodeword in size.shortCodewords(table) where contents == nil {
            do throws(MatrixDecodeFailure) {
                contents = try QRContents(
                    grid, patterns: size.patterns, table: table, mask: format.mask, shortCodeword: shortCodeword,
                    segmentFormat: size.segmentFormat, symbol: symbol)
            } catch {
                if error.rank > farthest?.rank ?? -1 { farthest = error }
            }
        }
        guard let contents else {
            throw farthest ?? MatrixDecodeFailure(.badBitStream, "the symbol has no data", symbol: symbol)
        }
        let parser = contents.parser
        if format.level == nil, !parser.isPaddingRegular || parser.bytes.isEmpty {
            throw MatrixDecodeFailure(
                .badBitStream, "the codewords after the terminator are not padding", symbol: symbol)
        }
        return MicroQRMessage(
            bytes: parser.bytes, segments: parser.segments, isRectangular: size.kind == .rectangular,
            version: size.number, size: ModuleCount(columns: size.width, rows: size.height),
            errorCorrectionLevel: format.level, mask: format.mask, isGS1: parser.isGS1, isAIM: parser.isAIM,
            applicationIndicator: parser.applicationIndicator, hasECI: parser.hasECI,
            correctedCodewords: contents.correction.codewords, correctionUsed: contents.correction.used,
            isMirrored: false)
    }
}

/// Counts the errors in the function patterns of a size.
struct FunctionMarks {
    /// The number of modules of function patterns that are not erasures.
    private(set) var known = 0
    /// The number of these that have the wrong color.
    private(set) var wrong = 0
    /// The same counts outside the finder pattern and its separator.
    private(set) var knownTiming = 0
    private(set) var wrongTiming = 0

    /// True if at most a sixth of the modules is wrong, and at most a quarter outside the finder pattern; in noise
    /// it is half.
    var arePlausible: Bool { wrong * 6 <= known && wrongTiming * 4 <= knownTiming }

    /// - Precondition: the grid has the size.
    init(_ grid: ModuleGrid, size: MicroQRSize) {
        for (place, role) in size.patterns.roles.enumerated() where role == .light || role == .dark {
            guard grid.confidences.isEmpty || grid.confidences[place] > 0 else { continue }
            let isWrong = (grid.modules[place] != 0) != (role == .dark)
            let isTiming = place % size.width > 7 || place / size.width > 7
            known += 1
            if isWrong { wrong += 1 }
            if isTiming { knownTiming += 1 }
            if isTiming, isWrong { wrongTiming += 1 }
        }
    }
}
