/// Reads the codewords off a grid, puts them into their blocks, and puts corrected data in its order again.
///
/// Source: ISO/IEC 16022, "Symbol character placement" and "Interleaving".
enum DataMatrixCodewords {
    /// The codewords in the order of the symbol.
    static func read(_ grid: ModuleGrid, placement: DataMatrixPlacement) -> [UInt8] {
        let order = placement.dataOrder
        return (0..<placement.size.codewordCount).map { index in
            (0..<8).reduce(0) { $0 << 1 | grid.modules[Int(order[index * 8 + $1])] }
        }
    }

    /// How sure each codeword is, in the order of the symbol; empty when all are certain.
    static func confidences(of grid: ModuleGrid, placement: DataMatrixPlacement) -> [UInt8] {
        if grid.confidences.isEmpty { return [] }
        let order = placement.dataOrder
        return (0..<placement.size.codewordCount).map { index in
            (0..<8).reduce(255) { min($0, grid.confidences[Int(order[index * 8 + $1])]) }
        }
    }

    /// How the check codewords of the one size are dealt out whose blocks are not of one length, 144 by 144.
    enum CheckOrder: CaseIterable {
        /// On from where the data codewords end, with the ninth block: as nearly all encoders do it.
        case continued
        /// Anew from the first block: as the text of ISO/IEC 16022 can be read.
        case restarted
    }

    /// The places in the order of the symbol of each block's codewords: data codewords, then check codewords.
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
