package import Symbols

/// Encodes Data Matrix symbols for tests: data codewords in, grid out, in any size.
///
/// It shares the tables (sizes, placement) with the decoder. The fixtures, which another encoder made, verify these.
package enum DataMatrixEncoder {
    package struct DoesNotFit: Error {}

    /// Encodes data codewords, with padding.
    package static func encode(_ data: [UInt8], size: DataMatrixSize) throws -> ModuleGrid {
        place(interleave(try padded(data, size: size), size: size), size: size)
    }

    /// Appends a pad codeword, and randomized pads up to the capacity.
    package static func padded(_ data: [UInt8], size: DataMatrixSize) throws -> [UInt8] {
        guard data.count <= size.dataCount else { throw DoesNotFit() }
        var result = data
        if result.count < size.dataCount { result.append(129) }
        while result.count < size.dataCount {
            let sum = 129 + (149 * (result.count + 1)) % 253 + 1
            result.append(UInt8(sum > 254 ? sum - 254 : sum))
        }
        return result
    }

    /// Appends the check codewords of each block, interleaved.
    ///
    /// - Parameter restarts: true if the check codewords start with the first block again, in a size whose data does
    ///   not end with the last block.
    package static func interleave(_ data: [UInt8], size: DataMatrixSize, restarts: Bool = false) -> [UInt8] {
        let count = size.blockCount
        let start = restarts ? 0 : data.count
        var result = data + [UInt8](repeating: 0, count: size.checkCount)
        for block in 0..<count {
            let codewords = stride(from: block, to: data.count, by: count).map { UInt16(data[$0]) }
            let check = QREncoder.checkCodewords(
                codewords, count: size.checkCount / count, field: .dataMatrix, firstRoot: 1)
            let first = (0..<count).first { (start + $0) % count == block } ?? 0
            for (row, codeword) in check.enumerated() {
                result[data.count + first + row * count] = UInt8(codeword)
            }
        }
        return result
    }

    /// Draws the codewords and the finder patterns around the data regions.
    package static func place(_ codewords: [UInt8], size: DataMatrixSize) -> ModuleGrid {
        let placement = DataMatrixPlacement.of(size)
        var grid = ModuleGrid(width: size.columns, height: size.rows)
        for place in placement.darkBorder + placement.darkCorner { grid.modules[Int(place)] = 1 }
        for (index, place) in placement.dataOrder.enumerated() {
            grid.modules[Int(place)] = codewords[index / 8] >> UInt8(7 - index % 8) & 1
        }
        return grid
    }

    /// Returns the codewords of bytes in Base 256, including the latch, for the position at which they will stand.
    package static func base256(_ bytes: [UInt8], at place: Int = 0) -> [UInt8] {
        let length =
            bytes.count < 250 ? [UInt8(bytes.count)] : [UInt8(249 + bytes.count / 250), UInt8(bytes.count % 250)]
        return [231] + (length + bytes).enumerated().map { $1 &+ UInt8(149 * (place + $0 + 2) % 255 + 1) }
    }
}
