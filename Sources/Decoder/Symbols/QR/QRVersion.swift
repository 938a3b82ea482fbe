/// What follows from the version of a symbol alone: its size, its alignment patterns, its capacity.
///
/// Source: ISO/IEC 18004, "Symbol versions and sizes" and annex E.
package enum QRVersion {
    /// The versions that there are.
    static let all = 1...40

    /// Modules along one side.
    package static func size(_ version: Int) -> Int { 17 + 4 * version }

    /// The version of a symbol with so many modules a side; nil where no version has that size.
    static func version(size: Int) -> Int? {
        guard (size - 17) % 4 == 0, all.contains((size - 17) / 4) else { return nil }
        return (size - 17) / 4
    }

    /// The rows, which are also the columns, that alignment patterns are centered on, in ascending order.
    ///
    /// The first is 6 and the last `size - 7`; the others are evenly spaced from the last, at even distances. Version
    /// 32 is the one for which the standard's table departs from that rule.
    static func alignmentPositions(_ version: Int) -> [Int] {
        guard version >= 2 else { return [] }
        let intervals = version / 7 + 1
        let last = size(version) - 7
        let step = version == 32 ? 26 : (last - 6 + 2 * intervals - 1) / (2 * intervals) * 2
        return [6] + (0..<intervals).reversed().map { last - $0 * step }
    }

    /// The centers of the alignment patterns: each pair of positions but the three that a finder pattern covers.
    static func alignmentCenters(_ version: Int) -> [(x: Int, y: Int)] {
        let positions = alignmentPositions(version)
        guard let last = positions.last else { return [] }
        var centers: [(x: Int, y: Int)] = []
        for y in positions {
            for x in positions where !((x == 6 && y == 6) || (x == 6 && y == last) || (x == last && y == 6)) {
                centers.append((x, y))
            }
        }
        return centers
    }

    /// Codewords in the symbol: the modules that are of no function pattern, eight at a time.
    static func codewordCount(_ version: Int) -> Int {
        let side = size(version)
        // Finder patterns with separators and format information; the dark module is among the latter.
        var function = 3 * 64 + 31 + 2 * (side - 16)
        let intervals = version >= 2 ? version / 7 + 1 : 0
        if version >= 2 {
            let patterns = (intervals + 1) * (intervals + 1) - 3
            // Those on row 6 or column 6 share five modules with a timing pattern.
            function += patterns * 25 - 2 * (intervals - 1) * 5
        }
        if version >= 7 { function += 36 }
        return (side * side - function) / 8
    }

    /// Bits in the character count of each mode: the three classes are versions 1-9, 10-26 and 27-40.
    package static func countClass(_ version: Int) -> Int {
        version < 10 ? 0 : version < 27 ? 1 : 2
    }
}
