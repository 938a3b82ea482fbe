/// Reads the codewords from the module grid and deals them into interleaved blocks.
///
/// Source: ISO/IEC 16022, "Symbol character placement" and "Interleaving".
enum DataMatrixCodewords {
    /// Returns the codewords in the order of the symbol.
    static func read(_ grid: ModuleGrid, placement: DataMatrixPlacement) -> [UInt8] {
        let order = placement.dataOrder
        return (0..<placement.size.codewordCount).map { index in
            (0..<8).reduce(0) { $0 << 1 | grid.modules[Int(order[index * 8 + $1])] }
        }
    }

    /// Returns the confidence of each codeword, 0 to 255, in the order of the symbol; empty if the grid has no
    /// confidences.
    static func confidences(of grid: ModuleGrid, placement: DataMatrixPlacement) -> [UInt8] {
        if grid.confidences.isEmpty { return [] }
        let order = placement.dataOrder
        return (0..<placement.size.codewordCount).map { index in
            (0..<8).reduce(255) { min($0, grid.confidences[Int(order[index * 8 + $1])]) }
        }
    }

    /// The interleaving of the check codewords of 144 by 144 symbols, the only size with blocks of unequal length.
    enum CheckOrder: CaseIterable {
        /// Continues where the data codewords end, with the ninth block, as nearly all encoders do.
        case continued
        /// Starts again with the first block, a possible reading of the text of ISO/IEC 16022.
        case restarted
    }

    /// Returns for each block the indices of its codewords in the symbol: data codewords, then check codewords.
    static func blocks(of size: DataMatrixSize, checkOrder: CheckOrder = .continued) -> [[Int]] {
        let count = size.blockCount
        let first = checkOrder == .continued ? size.dataCount % count : 0
        return (0..<count).map { block in
            let data = (0..<size.dataCount(ofBlock: block)).map { $0 * count + block }
            let offset = (block + count - first) % count
            return data + (0..<size.blockCheckCount).map { size.dataCount + $0 * count + offset }
        }
    }
}
