import BarcodeCore

/// Decodes the modules of an Aztec symbol: compact, full, or a rune.
///
/// Source: ISO/IEC 24778, "Reference decode algorithm", from the sampled grid on.
public enum AztecDecoder {
    /// Decodes a symbol from its sampled modules, in any of the four rotations, mirrored or not.
    ///
    /// Modules of confidence 0 are erasures. If there are too many errors and the grid has confidences, the least
    /// certain codewords are tried as erasures.
    ///
    /// - Parameter grid: the modules of the symbol, without a quiet zone.
    /// - Throws: ``MatrixDecodeFailure``.
    public static func decode(_ grid: ModuleGrid) throws(MatrixDecodeFailure) -> AztecMessage {
        let size = ModuleCount(columns: grid.width, rows: grid.height)
        guard grid.width == grid.height, grid.width == AztecSize.rune.side || sides.contains(grid.width) else {
            throw MatrixDecodeFailure(.badSize, "\(size) is not a valid size")
        }
        let modes = AztecMode.candidates(grid)
        guard !modes.isEmpty else {
            throw MatrixDecodeFailure(.badPattern, "the middle of the \(size) has no bull's-eye with a mode message")
        }
        var farthest = MatrixDecodeFailure(.badSize, "the mode message does not match the size, \(size)")
        for mode in modes where mode.size.side == grid.width {
            do {
                return try decode(grid.upright(mode.orientation), mode, AztecPlacement(mode.size))
            } catch {
                if error.rank >= farthest.rank { farthest = error }
            }
        }
        throw farthest
    }

    private static let sides = Set(AztecSize.all.map(\.side))

    /// The number of check codewords reserved for error detection if there are erasures.
    private static let erasureReserve = 3

    /// Decodes an upright grid whose mode message is known.
    static func decode(
        _ grid: ModuleGrid, _ mode: AztecMode, _ placement: AztecPlacement
    ) throws(MatrixDecodeFailure) -> AztecMessage {
        var message = AztecMessage(
            bytes: [], segments: [], size: ModuleCount(columns: mode.size.side, rows: mode.size.side),
            layers: mode.size.layers, isCompact: mode.size.isCompact, structuredAppend: nil, isGS1: false, isAIM: false,
            isReaderProgramming: mode.isReaderProgramming, hasECI: false, correctedCodewords: 0,
            isMirrored: mode.orientation.isMirrored)
        if let rune = mode.rune {
            let digits = "00\(rune)".utf8.suffix(3)
            message.bytes = Array(digits)
            message.correctionUsed = Double(mode.wrong)
            message.segments = [Reading.Segment(range: 0..<3, mode: .ascii, eci: nil)]
            return message
        }
        let symbol = "\(mode.size), \(mode.dataCount) codewords of data"
        let size = mode.size
        let checkCount = size.codewordCount - mode.dataCount
        let codewords = placement.codewords(grid)
        var confidences = placement.confidences(grid)
        let ones = UInt16(1 << size.codewordBits - 1)
        if !confidences.isEmpty {
            // The encoder stuffs a bit so that no data codeword is all zeros or all ones.
            for place in 0..<mode.dataCount where codewords[place] == 0 || codewords[place] == ones {
                confidences[place] = 0
            }
        }
        let protection = misdecodeProtection(size, checkCount: checkCount)
        var corrector = BlockCorrector(
            ReedSolomon(size.field, firstRoot: 1), checkCount: checkCount, misdecodeProtection: protection,
            erasureReserve: min(erasureReserve, checkCount))
        let data: ArraySlice<UInt16>
        do {
            data = try corrector.correct(codewords, confidences: confidences).prefix(mode.dataCount)
        } catch {
            throw MatrixDecodeFailure(
                .tooManyErrors, "the \(checkCount) check codewords cannot correct the errors", symbol: symbol,
                block: 0)
        }
        guard !data.contains(0), !data.contains(ones) else {
            throw MatrixDecodeFailure(
                .badBitStream, "a codeword of data is all zeros or all ones", symbol: symbol)
        }
        let parser: AztecMessageParser
        do {
            parser = try AztecMessageParser.parse(
                unstuffed(data, bits: size.codewordBits), codewordBits: size.codewordBits)
        } catch {
            throw MatrixDecodeFailure(.badBitStream, error.message, symbol: symbol)
        }
        message.bytes = parser.bytes
        message.segments = parser.segments
        message.structuredAppend = parser.structuredAppend
        message.isGS1 = parser.isGS1
        message.isAIM = parser.isAIM
        message.applicationIndicator = parser.applicationIndicator
        message.hasECI = parser.hasECI
        message.correctedCodewords = corrector.tally.codewords
        message.correctionUsed = corrector.tally.used
        return message
    }

    /// The data bits without the stuffed bits.
    ///
    /// If all bits of a codeword but the last are alike, its last bit is stuffed and has the other value.
    private static func unstuffed(_ data: ArraySlice<UInt16>, bits: Int) -> BitStream {
        var result: [UInt8] = []
        result.reserveCapacity(data.count * bits)
        for codeword in data {
            let isStuffed = codeword == 1 || Int(codeword) == 1 << bits - 2
            for bit in stride(from: bits - 1, through: isStuffed ? 1 : 0, by: -1) {
                result.append(UInt8(codeword >> UInt16(bit) & 1))
            }
        }
        return BitStream(bits: result)
    }

    /// The number of check codewords not used for correction, so that at most one random block in 2,000 is accepted as
    /// valid.
    ///
    /// The share of random blocks within a distance of a codeword is the number of error patterns up to that distance
    /// divided by the number of values of the check codewords. This matters for four or five check codewords.
    private static func misdecodeProtection(_ size: AztecSize, checkCount: Int) -> Int {
        let values = Double(size.field.order + 1)
        var share = 1.0
        for _ in 0..<checkCount { share /= values }
        var patterns = share
        var errors = 0
        while 2 * (errors + 1) <= checkCount {
            let count = Double(size.codewordCount - errors) / Double(errors + 1)
            share *= count * (values - 1)
            patterns += share
            guard patterns < 1.0 / 2000 else { break }
            errors += 1
        }
        return checkCount - 2 * errors
    }
}

extension AztecSize: CustomStringConvertible {
    /// For example `full, 5 layers`.
    package var description: String {
        "\(isCompact ? "compact" : "full"), \(layers) layer\(layers == 1 ? "" : "s")"
    }
}
