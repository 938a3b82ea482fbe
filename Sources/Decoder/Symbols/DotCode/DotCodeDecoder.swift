import BarcodeCore

/// Decodes the dots of a DotCode symbol.
///
/// Source: AIM DotCode 4.0, 5.3 (dot placement), annexes B (error correction) and C (dot patterns).
public enum DotCodeDecoder {
    /// The number of dot positions along a side: the standard recommends at least twelve and allows down to five.
    private static let sides = 5...200
    /// Check codewords reserved for error detection.
    private static let reserve = 2

    /// Decodes a symbol from its sampled modules: upright, rotated or mirrored.
    ///
    /// - Parameter grid: all dot positions of the symbol; only every second one can have a dot.
    /// - Throws: ``MatrixDecodeFailure``.
    public static func decode(_ grid: ModuleGrid) throws(MatrixDecodeFailure) -> DotCodeMessage {
        // An upright symbol has an even number of rows, and dot positions in its upper corners.
        let isTransposed = grid.height % 2 == 1
        var upright = isTransposed ? grid.transposed() : grid
        if !hasDotsInUpperCorners(upright) { upright = upright.transposed().antitransposed() }
        var (message, isMirrored) = try decodeUpright(upright)
        isMirrored = isMirrored != isTransposed
        message.isMirrored = isMirrored
        return message
    }

    /// True if most dots are on the checkerboard positions that include the top left corner.
    private static func hasDotsInUpperCorners(_ grid: ModuleGrid) -> Bool {
        var counts = (0, 0)
        for y in 0..<grid.height {
            for x in 0..<grid.width where grid[x, y] {
                if (x + y) % 2 == 0 { counts.0 += 1 } else { counts.1 += 1 }
            }
        }
        return counts.0 >= counts.1
    }

    /// Decodes an upright grid, or a horizontally flipped one, and returns which with the message.
    static func decodeUpright(_ grid: ModuleGrid) throws(MatrixDecodeFailure) -> (DotCodeMessage, isFlipped: Bool) {
        guard sides.contains(grid.width), sides.contains(grid.height), grid.height % 2 == 0, grid.width % 2 == 1 else {
            throw MatrixDecodeFailure(.badSize, "\(grid.width) by \(grid.height) positions is not a valid size")
        }
        let (message, isFlipped) = try grid.decodedEitherWay(mirrored: { $0.flipped() }, decodeOneWay)
        return (message, isFlipped)
    }

    private static func decodeOneWay(_ grid: ModuleGrid) throws(MatrixDecodeFailure) -> DotCodeMessage {
        let dots = order(width: grid.width, height: grid.height).map { grid.modules[$0] != 0 ? 1 : 0 }
        let size = ModuleCount(columns: grid.width, rows: grid.height)
        let symbol = "\(grid.width) by \(grid.height) positions"
        let room = (dots.count - 2) / DotCodeCodewords.dots
        // The largest number of data codewords that leaves room for half as many check codewords plus three.
        let dataCount = (0...max(0, room)).last { (count: Int) in count + 3 + count / 2 <= room } ?? 0
        guard dataCount > 0 else { throw MatrixDecodeFailure(.badSize, "there is no room for data", symbol: symbol) }
        let checkCount = 3 + dataCount / 2
        let mask = 2 * dots[0] + dots[1]
        var words = [mask]
        var erasures: [Int] = []
        for number in 0..<dataCount + checkCount {
            let start = 2 + DotCodeCodewords.dots * number
            let pattern = dots[start..<start + DotCodeCodewords.dots].reduce(0) { $0 << 1 | $1 }
            let word = DotCodeCodewords.codeword(pattern)
            if word == nil { erasures.append(words.count) }
            words.append(word ?? 0)
        }
        let correction = try correct(&words, dataCount: dataCount + 1, checkCount: checkCount, erasures, symbol)
        // The mask is corrected like any codeword.
        guard let weight = [0: 0, 1: 3, 2: 7, 3: 17][words[0]] else {
            throw MatrixDecodeFailure(.formatUnreadable, "the mask \(words[0]) is not defined", symbol: symbol)
        }
        // A multiple of the order that leaves nothing negative.
        let offset = PrimeField113.order * 17 * dataCount
        let data = (0..<dataCount).map { (words[$0 + 1] + offset - weight * $0) % PrimeField113.order }
        do throws(DotCodeMessageParser.Failure) {
            let parser = try DotCodeMessageParser.parse(data)
            return DotCodeMessage(
                bytes: parser.bytes, segments: parser.segments, size: size, mask: words[0],
                structuredAppend: parser.structuredAppend, isGS1: parser.isGS1, isAIM: parser.isAIM,
                isReaderProgramming: parser.isReaderProgramming, hasECI: parser.hasECI,
                correctedCodewords: correction.codewords, correctionUsed: correction.used, isMirrored: false)
        } catch {
            throw MatrixDecodeFailure(.badBitStream, error.message, symbol: symbol)
        }
    }

    /// Corrects in place the blocks into which the codewords are interleaved.
    ///
    /// - Returns: the corrections.
    private static func correct(
        _ words: inout [Int], dataCount: Int, checkCount: Int, _ erasures: [Int], _ symbol: String
    ) throws(MatrixDecodeFailure) -> CorrectionTally {
        let blocks = (words.count + PrimeField113.period - 1) / PrimeField113.period
        var correction = CorrectionTally()
        for first in 0..<blocks {
            let places = Array(stride(from: first, to: words.count, by: blocks))
            var block = places.map { words[$0] }
            let wrong = places.indices.filter { erasures.contains(places[$0]) }
            let count = places.count { $0 >= dataCount }
            let received = block
            guard
                PrimeReedSolomon<PrimeField113>.correct(
                    &block, checkCount: count, erasures: wrong, reserve: min(reserve, count)) != nil
            else {
                throw MatrixDecodeFailure(
                    .tooManyErrors, "block \(first + 1) has too many errors", symbol: symbol, block: first)
            }
            correction.add(
                received, corrected: block, erasures: wrong, capacity: count - min(reserve, count))
            for (place, word) in zip(places, block) { words[place] = word }
        }
        return correction
    }

    /// Returns the indices of the dots in bit order: column by column, the corners last.
    private static func order(width: Int, height: Int) -> [Int] {
        let (right, bottom) = (width - 1, height - 1)
        let corners = [
            (right, bottom - 1), (0, bottom - 1), (right - 1, bottom), (1, bottom), (right, 0), (0, 0),
        ].map { $1 * width + $0 }
        let others = (0..<width).flatMap { x in
            stride(from: x % 2, to: height, by: 2).map { $0 * width + x }
        }
        return others.filter { !corners.contains($0) } + corners
    }
}
