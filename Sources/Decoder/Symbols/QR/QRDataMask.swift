/// The eight mask patterns, one of which is XORed with the data modules of a symbol.
///
/// Source: ISO/IEC 18004, "Data mask patterns"; i is the row and j the column there.
package enum QRDataMask {
    /// Indicates whether the mask inverts the module at column `x` and row `y`.
    @inline(__always)
    package static func inverts(_ mask: Int, x: Int, y: Int) -> Bool {
        switch mask & 7 {
        case 0: (x + y) & 1 == 0
        case 1: y & 1 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (y >> 1 + x / 3) & 1 == 0
        case 5: (x * y) & 1 + (x * y) % 3 == 0
        case 6: ((x * y) & 1 + (x * y) % 3) & 1 == 0
        default: ((x + y) & 1 + (x * y) % 3) & 1 == 0
        }
    }

    /// The inverted modules of a tile of 12 × 12, row by row, one byte a module; the period of each mask divides 12.
    static let tiles: [[UInt8]] = (0..<8).map { mask in
        (0..<144).map { inverts(mask, x: $0 % 12, y: $0 / 12) ? 1 : 0 }
    }
}
