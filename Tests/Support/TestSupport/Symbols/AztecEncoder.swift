package import Symbols

/// Encodes Aztec symbols for tests: bits in, grid out, in any size.
///
/// It shares the tables (sizes, placement) with the decoder. The fixtures, which another encoder made, verify these.
package enum AztecEncoder {
    package struct DoesNotFit: Error {}

    /// Encodes the bits of a message.
    ///
    /// It uses as many data codewords as needed, or `dataCount` if that is more, with padding.
    package static func encode(_ bits: [UInt8], size: AztecSize, dataCount: Int = 1) throws -> ModuleGrid {
        var data = stuffed(bits, codewordBits: size.codewordBits)
        // A padding codeword is all ones, except that the last bit must be zero.
        while data.count < dataCount { data.append(UInt16(1 << size.codewordBits - 2)) }
        return try place(codewords(data, size: size), size: size, dataCount: data.count)
    }

    /// Applies bit stuffing, so that no codeword is all zeros or all ones; the last one is padded with ones.
    package static func stuffed(_ bits: [UInt8], codewordBits: Int) -> [UInt16] {
        var result: [UInt16] = []
        var place = 0
        while place < bits.count {
            func bit(_ index: Int) -> UInt16 { index < bits.count ? UInt16(bits[index]) : 1 }
            let most = (0..<codewordBits - 1).reduce(UInt16(0)) { $0 << 1 | bit(place + $1) }
            if most == 0 || most == UInt16(1 << (codewordBits - 1) - 1) {
                result.append(most << 1 | (most == 0 ? 1 : 0))
                place += codewordBits - 1
            } else {
                result.append(most << 1 | bit(place + codewordBits - 1))
                place += codewordBits
            }
        }
        return result
    }

    /// Appends the check codewords.
    package static func codewords(_ data: [UInt16], size: AztecSize) throws -> [UInt16] {
        guard !data.isEmpty, data.count < size.codewordCount else { throw DoesNotFit() }
        let count = size.codewordCount - data.count
        return data + QREncoder.checkCodewords(data, count: count, field: size.field, firstRoot: 1)
    }

    /// Draws the codewords, the core and the reference grid.
    package static func place(_ codewords: [UInt16], size: AztecSize, dataCount: Int) throws -> ModuleGrid {
        let mode =
            size.isCompact
            ? [UInt16((size.layers - 1) << 6 | (dataCount - 1))]
            : [UInt16((size.layers - 1) << 11 | (dataCount - 1))]
        let words = mode.flatMap { value in
            (0..<(size.isCompact ? 2 : 4)).reversed().map { value >> UInt16(4 * $0) & 15 }
        }
        var grid = drawCore(
            words + QREncoder.checkCodewords(words, count: size.isCompact ? 5 : 6, field: .aztecMode, firstRoot: 1),
            side: size.side, isCompact: size.isCompact)
        let order = AztecPlacement(size).order
        let first = size.bitCount % size.codewordBits
        for (index, codeword) in codewords.enumerated() {
            for bit in 0..<size.codewordBits {
                let place = order[first + index * size.codewordBits + bit]
                grid.modules[Int(place)] = UInt8(codeword >> UInt16(size.codewordBits - 1 - bit) & 1)
            }
        }
        return grid
    }

    /// Encodes a rune.
    package static func rune(_ value: UInt8) -> ModuleGrid {
        let words = [UInt16(value >> 4), UInt16(value & 15)]
        let all = words + QREncoder.checkCodewords(words, count: 5, field: .aztecMode, firstRoot: 1)
        return drawCore(all.map { $0 ^ 0b1010 }, side: 11, isCompact: true)
    }

    private static func drawCore(_ words: [UInt16], side: Int, isCompact: Bool) -> ModuleGrid {
        var grid = ModuleGrid(size: side)
        let middle = side / 2
        let radius = isCompact ? 5 : 7
        if !isCompact {
            for y in -middle...middle {
                for x in -middle...middle where (x % 16 == 0 || y % 16 == 0) && (x + y) % 2 == 0 {
                    grid[middle + x, middle + y] = true
                }
            }
        }
        for y in -radius + 1..<radius {
            for x in -radius + 1..<radius { grid[middle + x, middle + y] = max(abs(x), abs(y)) % 2 == 0 }
        }
        for (x, y) in [(-1, -1), (1, -1)] { grid[middle + x * radius, middle + y * radius] = true }
        for (x, y) in [(-radius, 1 - radius), (1 - radius, -radius), (radius, 1 - radius), (radius, radius - 1)] {
            grid[middle + x, middle + y] = true
        }
        var bits = words.flatMap { Self.bits(Int($0), 4) }[...]
        for side in 0..<4 {
            for along in (2 - radius)...(radius - 2) where isCompact || along != 0 {
                guard let bit = bits.popFirst() else { return grid }
                // Clockwise: the top, the right side, the bottom, the left side.
                let (x, y) = [(along, -radius), (radius, along), (-along, radius), (-radius, -along)][side]
                grid[middle + x, middle + y] = bit == 1
            }
        }
        return grid
    }

    /// Returns the bits of bytes after a binary shift from upper mode.
    package static func binary(_ bytes: [UInt8]) -> [UInt8] {
        let length =
            bytes.count < 32 ? bits(bytes.count, 5) : bits(0, 5) + bits(bytes.count - 31, 11)
        return bits(31, 5) + length + bytes.flatMap { bits(Int($0), 8) }
    }

    /// Returns a number as `count` bits, the most significant first.
    package static func bits(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(value >> $0 & 1) }
    }
}
