/// The size, alignment patterns and capacity of each version.
///
/// Source: ISO/IEC 18004, "Symbol versions and sizes" and annex E.
package enum QRVersion {
    /// The range of versions.
    static let all = 1...40

    /// Returns the number of modules along a side.
    package static func size(_ version: Int) -> Int { 17 + 4 * version }

    /// Returns the version of a symbol with the given number of modules along a side; `nil` if there is none.
    static func version(size: Int) -> Int? {
        guard (size - 17) % 4 == 0, all.contains((size - 17) / 4) else { return nil }
        return (size - 17) / 4
    }

    /// Returns the rows (and columns) on which alignment patterns are centered, in ascending order.
    ///
    /// The first is 6 and the last `size - 7`. The others have equal, even distances, counted from the last. Only
    /// for version 32 does the table of the standard depart from this rule.
    static func alignmentPositions(_ version: Int) -> [Int] {
        guard version >= 2 else { return [] }
        let intervals = version / 7 + 1
        let last = size(version) - 7
        let step = version == 32 ? 26 : (last - 6 + 2 * intervals - 1) / (2 * intervals) * 2
        return [6] + (0..<intervals).reversed().map { last - $0 * step }
    }

    /// Returns the centers of the alignment patterns: all pairs of positions except the three at finder patterns.
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

    /// Returns the number of codewords: the modules outside function patterns, divided by eight.
    static func codewordCount(_ version: Int) -> Int {
        let side = size(version)
        // Finder patterns with separators and format information; the dark module belongs to the latter.
        var function = 3 * 64 + 31 + 2 * (side - 16)
        let intervals = version >= 2 ? version / 7 + 1 : 0
        if version >= 2 {
            let patterns = (intervals + 1) * (intervals + 1) - 3
            // The patterns on row 6 or column 6 share five modules with a timing pattern.
            function += patterns * 25 - 2 * (intervals - 1) * 5
        }
        if version >= 7 { function += 36 }
        return (side * side - function) / 8
    }

    /// Returns the class of the length of the character counts: 0 for versions 1-9, 1 for 10-26, 2 for 27-40.
    package static func countClass(_ version: Int) -> Int {
        version < 10 ? 0 : version < 27 ? 1 : 2
    }
}
