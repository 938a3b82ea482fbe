import BarcodeCore

/// The function information of a Han Xin symbol: version, error correction level and mask.
struct HanXinFormat: Hashable {
    var version: HanXinVersion
    /// The error correction level, 1 to 4.
    var level: Int
    /// The mask, 0 to 3.
    var mask: Int

    /// The number of bits of the information; six more modules of each copy are unused.
    private static let bitCount = 28
    private static let checkCount = 4
    /// The offset of encoded version numbers.
    private static let firstVersion = 20
    /// x^4 + x + 1, as in Aztec's mode message.
    private static let field = GaloisField.aztecMode

    /// Reads the information from both copies together; `nil` if it cannot be corrected.
    ///
    /// It has seven codewords of four bits; up to two can be corrected. Source: ISO/IEC 20830, 4.7.
    ///
    /// - Parameter value: returns the darkness of the module at x and y: above zero for dark.
    init?(size: Int, _ value: (_ x: Int, _ y: Int) -> Float) {
        let copies = HanXinPatterns.information(size: size)
        var sums = [Float](repeating: 0, count: Self.bitCount)
        for copy in copies {
            for (bit, place) in copy.prefix(Self.bitCount).enumerated() { sums[bit] += value(place.x, place.y) }
        }
        var codewords: [UInt16] = stride(from: 0, to: Self.bitCount, by: 4).map { start in
            (start..<start + 4).reduce(0) { $0 << 1 | (sums[$1] > 0 ? 1 : 0) }
        }
        var code = ReedSolomon(Self.field, firstRoot: 1)
        guard (try? code.correct(&codewords, checkCount: Self.checkCount)) != nil else { return nil }
        guard let version = HanXinVersion(Int(codewords[0]) << 4 + Int(codewords[1]) - Self.firstVersion) else {
            return nil
        }
        self.version = version
        level = Int(codewords[2] >> 2) + 1
        mask = Int(codewords[2] & 3)
    }

    /// True if the mask inverts a module.
    ///
    /// Source: ISO/IEC 20830, 4.8.
    func inverts(x: Int, y: Int) -> Bool {
        let (row, column) = (y + 1, x + 1)
        return switch mask {
        case 1: (row + column) % 2 == 0
        case 2: ((row + column) % 3 + column % 3) % 2 == 0
        case 3: (row % column + column % row + row % 3 + column % 3) % 2 == 0
        default: false
        }
    }
}

extension HanXinFormat: CustomStringConvertible {
    /// Text like `version 4, level 2, mask 1`.
    var description: String { "version \(version.number), level \(level), mask \(mask)" }
}
