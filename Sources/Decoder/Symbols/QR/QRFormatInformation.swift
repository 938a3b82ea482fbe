/// The 15 bits of format information: the error correction level and the mask of a symbol.
///
/// They are a BCH (15, 5) code with distance 7, XORed with a pattern, which depends on the model. Source: ISO/IEC
/// 18004, annex C.
package struct QRFormatInformation: Sendable, Hashable {
    /// The error correction level.
    var level: QRErrorCorrectionLevel
    /// The number of the mask, 0 to 7.
    var mask: Int
    /// The number of bits in which the nearest copy differs from this format.
    var distance: Int

    /// The largest number of wrong bits in a copy: half the distance of the code.
    static let maximumDistance = 3

    /// All 32 words of QR Code model 2, indexed by their five data bits.
    package static let words = words(pattern: 0x5412)

    /// Returns all 32 words XORed with a pattern, indexed by their five data bits.
    static func words(pattern: UInt32) -> [UInt32] {
        (0..<32).map { BCH.encode($0, checkBits: 10, generator: 0x537) ^ pattern }
    }

    /// Returns the possible formats of the symbol, best first; empty if neither copy can be read.
    ///
    /// A copy is readable with at most three wrong bits. The nearest copy decides, or the sum of both distances in a
    /// tie; the word of the other copy, if different, comes second.
    static func candidates(in grid: ModuleGrid, words: [UInt32] = words) -> [QRFormatInformation] {
        let copies = InformationModules.format(size: grid.size).map { BCH.read(grid, at: $0) }
        let ranked = words.indices.map { index in
            let distances = copies.map { ($0 ^ words[index]).nonzeroBitCount }
            return (index: index, nearest: distances.min() ?? 15, sum: distances.reduce(0, +))
        }
        return ranked.filter { $0.nearest <= maximumDistance }
            .sorted { ($0.nearest, $0.sum, $0.index) < ($1.nearest, $1.sum, $1.index) }
            .map {
                QRFormatInformation(
                    level: QRErrorCorrectionLevel(indicator: $0.index >> 3), mask: $0.index & 7, distance: $0.nearest)
            }
    }
}

/// The systematic BCH code of format and version information.
enum BCH {
    /// Returns the data bits followed by the remainder of their division by the generator.
    static func encode(_ data: UInt32, checkBits: Int, generator: UInt32) -> UInt32 {
        let shifted = data << UInt32(checkBits)
        var remainder = shifted
        let generatorDegree = 31 - generator.leadingZeroBitCount
        while remainder != 0, 31 - remainder.leadingZeroBitCount >= generatorDegree {
            remainder ^= generator << UInt32(31 - remainder.leadingZeroBitCount - generatorDegree)
        }
        return shifted | remainder
    }

    /// Returns the modules at the given indices as bits, the first as the most significant.
    static func read(_ grid: ModuleGrid, at places: [Int]) -> UInt32 {
        places.reduce(0) { $0 << 1 | UInt32(grid.modules[$1]) }
    }
}
