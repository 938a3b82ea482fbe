/// Reads the codewords off a grid and puts them into their blocks.
///
/// Source: ISO/IEC 18004, "Codeword placement in matrix" and "Constructing the final message codeword sequence".
enum CodewordReader {
    /// The codewords in the order of the symbol, their mask removed.
    static func codewords(of grid: ModuleGrid, patterns: FunctionPatterns, mask: Int) -> [UInt8] {
        let size = grid.size
        var result = [UInt8](repeating: 0, count: patterns.dataOrder.count / 8)
        let tile = DataMask.tiles[mask & 7]
        grid.modules.withUnsafeBufferPointer { modules in
            tile.withUnsafeBufferPointer { tile in
                patterns.dataOrder.withUnsafeBufferPointer { order in
                    for index in result.indices {
                        var value: UInt8 = 0
                        for bit in 0..<8 {
                            let place = Int(order[index * 8 + bit])
                            let (y, x) = place.quotientAndRemainder(dividingBy: size)
                            value = value << 1 | (modules[place] ^ tile[(y % 12) * 12 + x % 12])
                        }
                        result[index] = value
                    }
                }
            }
        }
        return result
    }

    /// How sure each codeword is, in the order of the symbol; empty when all are certain.
    static func confidences(of grid: ModuleGrid, patterns: FunctionPatterns) -> [UInt8] {
        if grid.confidences.isEmpty { return [] }
        var result = [UInt8](repeating: 255, count: patterns.dataOrder.count / 8)
        for index in result.indices {
            for bit in 0..<8 {
                result[index] = min(result[index], grid.confidences[Int(patterns.dataOrder[index * 8 + bit])])
            }
        }
        return result
    }

    /// Takes the interleaved codewords apart: first the n-th data codeword of each block, then the check codewords.
    ///
    /// - Precondition: there are as many codewords as the table says.
    static func blocks(_ codewords: [UInt8], confidences: [UInt8], table: BlockTable) -> [CodewordBlock] {
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
