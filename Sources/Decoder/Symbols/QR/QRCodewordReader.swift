/// A codeword of four bits, the last of the data in two versions of Micro QR.
struct ShortCodeword: Sendable {
    /// Its place among the codewords.
    var index: Int
    /// Whether its bits count as the upper half of a codeword of eight, as the standard has them padded; there are
    /// encoders that take them for the lower half.
    var isUpperHalf = true

    /// Whether its corrected value may be that of four bits in this half.
    ///
    /// There are encoders that calculate with a whole codeword of padding there, of which they draw the upper half.
    func accepts(_ value: UInt8) -> Bool {
        isUpperHalf ? value & 0x0F == 0 || value & 0xF0 != 0 : value & 0xF0 == 0
    }
}

/// Reads the codewords off a grid and puts them into their blocks.
///
/// Source: ISO/IEC 18004, "Codeword placement in matrix" and "Constructing the final message codeword sequence".
enum QRCodewordReader {
    /// The codewords in the order of the symbol, their mask removed.
    ///
    /// - Parameter shortCodeword: the codeword of four bits, where there is one.
    static func codewords(
        of grid: ModuleGrid, patterns: FunctionPatterns, mask: Int, shortCodeword: ShortCodeword? = nil
    ) -> [UInt8] {
        let width = grid.width
        var result = [UInt8](repeating: 0, count: count(of: patterns, shortCodeword: shortCodeword))
        let tile = QRDataMask.tiles[mask & 7]
        grid.modules.withUnsafeBufferPointer { modules in
            tile.withUnsafeBufferPointer { tile in
                patterns.dataOrder.withUnsafeBufferPointer { order in
                    var start = 0
                    for index in result.indices {
                        let end = start + (index == shortCodeword?.index ? 4 : 8)
                        var value: UInt8 = 0
                        for bit in start..<end {
                            let place = Int(order[bit])
                            let (y, x) = place.quotientAndRemainder(dividingBy: width)
                            value = value << 1 | (modules[place] ^ tile[(y % 12) * 12 + x % 12])
                        }
                        result[index] = value
                        start = end
                    }
                }
            }
        }
        if let shortCodeword, shortCodeword.isUpperHalf, result.indices.contains(shortCodeword.index) {
            result[shortCodeword.index] <<= 4
        }
        return result
    }

    /// How sure each codeword is, in the order of the symbol; empty when all are certain.
    static func confidences(of grid: ModuleGrid, patterns: FunctionPatterns, shortCodeword: ShortCodeword? = nil)
        -> [UInt8]
    {
        if grid.confidences.isEmpty { return [] }
        var result = [UInt8](repeating: 255, count: count(of: patterns, shortCodeword: shortCodeword))
        var start = 0
        for index in result.indices {
            let end = start + (index == shortCodeword?.index ? 4 : 8)
            for bit in start..<end {
                result[index] = min(result[index], grid.confidences[Int(patterns.dataOrder[bit])])
            }
            start = end
        }
        return result
    }

    private static func count(of patterns: FunctionPatterns, shortCodeword: ShortCodeword?) -> Int {
        let bits = patterns.dataOrder.count
        return shortCodeword == nil ? bits / 8 : (bits + 4) / 8
    }

    /// Takes the interleaved codewords apart: first the n-th data codeword of each block, then the check codewords.
    ///
    /// - Precondition: there are as many codewords as the table says.
    static func blocks(_ codewords: [UInt8], confidences: [UInt8], table: QRBlockTable) -> [CodewordBlock] {
        (0..<table.blockCount).map { index in
            var block = CodewordBlock()
            let dataCount = table.dataCount(ofBlock: index)
            block.codewords.reserveCapacity(dataCount + table.checkCount)
            func take(_ place: Int) {
                block.codewords.append(codewords[place])
                if !confidences.isEmpty { block.confidences.append(confidences[place]) }
            }
            for row in 0..<table.shortDataCount { take(row * table.blockCount + index) }
            if dataCount > table.shortDataCount {
                // The last row holds a codeword of the longer blocks only.
                take(table.shortDataCount * table.blockCount + index - table.shortBlockCount)
            }
            for row in 0..<table.checkCount { take(table.dataCount + row * table.blockCount + index) }
            return block
        }
    }
}
