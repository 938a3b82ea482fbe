/// The codeword of four bits, the last data codeword in two versions of Micro QR.
struct ShortCodeword: Sendable {
    /// The index among the codewords.
    var index: Int
    /// True if its bits are the upper half of a codeword of eight, with the padding of the standard; some encoders
    /// use the lower half.
    var isUpperHalf = true

    /// Indicates whether a corrected value is possible for four bits in this half.
    ///
    /// Some encoders compute with a whole padding codeword and draw its upper half.
    func accepts(_ value: UInt8) -> Bool {
        isUpperHalf ? value & 0x0F == 0 || value & 0xF0 != 0 : value & 0xF0 == 0
    }
}

/// Reads the codewords from a grid and assembles their blocks.
///
/// Source: ISO/IEC 18004, "Codeword placement in matrix" and "Constructing the final message codeword sequence".
enum QRCodewordReader {
    /// Returns the codewords in the order of the symbol, with the mask removed.
    ///
    /// - Parameter shortCodeword: the codeword of four bits, if the symbol has one.
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

    /// Returns the confidence of each codeword, 0 to 255, in the order of the symbol; empty if all are certain.
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

    /// Divides the codewords into blocks.
    ///
    /// Interleaved blocks have first the n-th data codewords of all blocks, then the check codewords.
    ///
    /// - Precondition: there are as many codewords as in the table, or more, which belong to no block.
    static func blocks(_ codewords: [UInt8], confidences: [UInt8], table: QRBlockTable) -> [CodewordBlock] {
        (0..<table.blockCount).map { index in
            var block = CodewordBlock()
            let dataCount = table.dataCount(ofBlock: index)
            block.codewords.reserveCapacity(dataCount + table.checkCount)
            func take(_ place: Int) {
                block.codewords.append(codewords[place])
                if !confidences.isEmpty { block.confidences.append(confidences[place]) }
            }
            guard table.isInterleaved else {
                for row in 0..<dataCount { take(index * dataCount + row) }
                for row in 0..<table.checkCount { take(table.dataCount + index * table.checkCount + row) }
                return block
            }
            for row in 0..<table.shortDataCount { take(row * table.blockCount + index) }
            if dataCount > table.shortDataCount {
                // The last row has only codewords of the longer blocks.
                take(table.shortDataCount * table.blockCount + index - table.shortBlockCount)
            }
            for row in 0..<table.checkCount { take(table.dataCount + row * table.blockCount + index) }
            return block
        }
    }
}
