/// The locations of the codewords' bits in a symbol.
///
/// Source: ISO/IEC 24778, "Symbol structure".
package struct AztecPlacement: Sendable {
    /// The size of the symbol.
    package let size: AztecSize
    /// The locations of the bits in message order, as indices into a ``ModuleGrid``.
    ///
    /// The order starts with the outermost layer. Each layer runs counterclockwise from its top left, two modules at a
    /// time from the outside in.
    package let order: [UInt16]

    /// Computes the placement for a size, in time proportional to the number of its modules.
    package init(_ size: AztecSize) {
        self.size = size
        let side = size.side
        // The columns and rows without the reference grid.
        let lines = (0..<side).filter { size.isCompact || ($0 - side / 2) % AztecSize.gridPitch != 0 }
        var order: [UInt16] = []
        order.reserveCapacity(size.bitCount)
        func add(_ x: Int, _ y: Int) { order.append(UInt16(lines[y] * side + lines[x])) }
        for layer in 0..<size.layers {
            let low = 2 * layer
            let high = lines.count - 1 - low
            // A side is as long as the layer, minus the two modules that belong to the next side.
            let length = high - low - 1
            for along in 0..<length {
                for depth in 0..<2 { add(low + depth, low + along) }
            }
            for along in 0..<length {
                for depth in 0..<2 { add(low + along, high - depth) }
            }
            for along in 0..<length {
                for depth in 0..<2 { add(high - depth, high - along) }
            }
            for along in 0..<length {
                for depth in 0..<2 { add(high - along, low + depth) }
            }
        }
        self.order = order
    }

    /// Reads the codewords from an upright grid.
    ///
    /// The leading bits that do not fill a codeword are ignored.
    func codewords(_ grid: ModuleGrid) -> [UInt16] {
        let bits = size.codewordBits
        let first = size.bitCount % bits
        return (0..<size.codewordCount).map { index in
            order[first + index * bits..<first + (index + 1) * bits].reduce(0) {
                $0 << 1 | UInt16(grid.modules[Int($1)])
            }
        }
    }

    /// The confidence of each codeword: the lowest of its modules; empty if all are certain.
    func confidences(_ grid: ModuleGrid) -> [UInt8] {
        if grid.confidences.isEmpty { return [] }
        let bits = size.codewordBits
        let first = size.bitCount % bits
        return (0..<size.codewordCount).map { index in
            order[first + index * bits..<first + (index + 1) * bits].reduce(255) { min($0, grid.confidences[Int($1)]) }
        }
    }
}
