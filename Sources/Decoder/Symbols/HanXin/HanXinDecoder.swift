import BarcodeCore

/// Decodes the modules of a Han Xin symbol.
///
/// Source: ISO/IEC 20830, "Reference decoding algorithm", from the sampled grid on.
public enum HanXinDecoder {
    /// The maximum number of wrong modules in the four finder patterns, of 196; by chance half are wrong.
    private static let largestWrongModules = 40
    /// The distance in the symbol between consecutive codewords of a block.
    private static let interleave = 13

    /// Decodes a symbol from its sampled modules, mirrored or not.
    ///
    /// - Parameter grid: all modules of the symbol and nothing else, upright, or mirrored along the diagonal from the
    ///   bottom left to the top right. Modules of confidence 0 are erasures.
    /// - Throws: ``MatrixDecodeFailure``.
    public static func decode(_ grid: ModuleGrid) throws(MatrixDecodeFailure) -> HanXinMessage {
        var (message, isMirrored) = try grid.decodedEitherWay(mirrored: { $0.antitransposed() }, decodeUpright)
        message.isMirrored = isMirrored
        return message
    }

    /// Decodes a grid that is not mirrored.
    static func decodeUpright(_ grid: ModuleGrid) throws(MatrixDecodeFailure) -> HanXinMessage {
        guard grid.width == grid.height, let version = HanXinVersion(size: grid.width) else {
            throw MatrixDecodeFailure(.badSize, "\(grid.width) by \(grid.height) modules is not a valid size")
        }
        let patterns = HanXinPatterns.of(version)
        let wrong = HanXinPatterns.finders(size: grid.size).count {
            grid.confidence($0.x, $0.y) > 0 && grid[$0.x, $0.y] != $0.isDark
        }
        guard wrong <= largestWrongModules else {
            throw MatrixDecodeFailure(.badPattern, "\(wrong) of 196 modules of the finder patterns are wrong")
        }
        let format = HanXinFormat(size: grid.size) { x, y in
            Float(grid.confidence(x, y)) * (grid[x, y] ? 1 : -1)
        }
        guard let format else {
            throw MatrixDecodeFailure(.formatUnreadable, "the function information cannot be read")
        }
        guard format.version == version else {
            throw MatrixDecodeFailure(.badSize, "a symbol of \(grid.size) modules claims to be \(format)")
        }
        return try decode(codewords(of: grid, patterns, format), format)
    }

    /// Returns the codewords in the order of their blocks.
    private static func codewords(
        of grid: ModuleGrid, _ patterns: FunctionPatterns, _ format: HanXinFormat
    ) -> CodewordBlock {
        let count = patterns.dataOrder.count / 8
        var all = CodewordBlock(
            codewords: [UInt8](repeating: 0, count: count),
            confidences: grid.confidences.isEmpty ? [] : [UInt8](repeating: 255, count: count))
        var next = 0
        for first in 0..<min(interleave, count) {
            for target in stride(from: first, to: count, by: interleave) {
                for place in patterns.dataOrder[8 * next..<8 * next + 8].lazy.map(Int.init) {
                    let (x, y) = (place % grid.width, place / grid.width)
                    let bit: UInt8 = (grid.modules[place] != 0) != format.inverts(x: x, y: y) ? 1 : 0
                    all.codewords[target] = all.codewords[target] << 1 | bit
                    if !grid.confidences.isEmpty {
                        all.confidences[target] = min(all.confidences[target], grid.confidences[place])
                    }
                }
                next += 1
            }
        }
        return all
    }

    private static func decode(
        _ all: CodewordBlock, _ format: HanXinFormat
    ) throws(MatrixDecodeFailure) -> HanXinMessage {
        var data: [UInt8] = []
        var correction = CorrectionTally()
        var start = 0
        var number = 0
        for kind in HanXinBlocks.of(version: format.version.number, level: format.level) {
            for _ in 0..<kind.count {
                let end = start + kind.dataCount + kind.checkCount
                guard end <= all.codewords.count else {
                    throw MatrixDecodeFailure(.badSize, "there are fewer codewords than blocks", symbol: "\(format)")
                }
                var corrector = BlockCorrector(
                    ReedSolomon(.hanXin, firstRoot: 1), checkCount: kind.checkCount,
                    erasureReserve: min(3, kind.checkCount))
                let block = CodewordBlock(
                    codewords: Array(all.codewords[start..<end]),
                    confidences: all.confidences.isEmpty ? [] : Array(all.confidences[start..<end]))
                guard let whole = try? corrector.correct(block) else {
                    throw MatrixDecodeFailure(
                        .tooManyErrors, "block \(number + 1) has too many errors", symbol: "\(format)", block: number)
                }
                data += whole.prefix(kind.dataCount)
                correction.add(corrector.tally)
                start = end
                number += 1
            }
        }
        do {
            let parser = try HanXinMessageParser.parse(BitStream(data))
            return HanXinMessage(
                bytes: parser.bytes, segments: parser.segments, version: format.version.number, level: format.level,
                mask: format.mask, hasECI: parser.hasECI, correctedCodewords: correction.codewords,
                correctionUsed: correction.used, isMirrored: false)
        } catch {
            throw MatrixDecodeFailure(.badBitStream, error.message, symbol: "\(format)")
        }
    }
}
