internal import BarcodeCore
internal import Glibc

/// Separates bars from the edges of their label, which run parallel to them, and so touch them if the quiet zone is
/// as narrow as a few blocks: their region would be as large as the label.
enum LinearGroupSplit {
    /// The share of the fullest row of blocks below which a row has something else than the same bars.
    ///
    /// The two edges of a label have six blocks, an EAN at one pixel a module fourteen.
    private static let narrowShare = 0.4
    /// The smallest number of blocks of a group that is worth a look.
    private static let fewestBlocks = 24
    /// The height of a group, in heights of its bars, from which on it is split.
    private static let largestGrowth = 2

    /// Returns the parts of a group of blocks of one direction: the bars, and what is connected beyond their ends.
    static func parts(of group: [Int], in blocks: GradientBlocks) -> [[Int]] {
        guard group.count >= fewestBlocks else { return [group] }
        let angle = blocks.direction(of: group).angle
        let along = Point(x: -sin(angle), y: cos(angle))
        let rows = group.map { block -> Int in
            let center = blocks.center(of: block)
            let place: Double = center.x * along.x + center.y * along.y
            return Int((place / Double(GradientBlocks.side)).rounded())
        }
        guard let first = rows.min(), let last = rows.max() else { return [group] }
        var counts = [Int](repeating: 0, count: last - first + 3)
        for row in rows { counts[row - first + 1] += 1 }
        // Rows of a tilted grid are not as far apart as blocks, so that one may fall between two.
        let smooth = (1..<counts.count - 1).map { row -> Int in
            let beside = counts[row - 1] + counts[row + 1]
            return 2 * counts[row] + beside
        }
        guard let fullest = smooth.indices.max(by: { smooth[$0] < smooth[$1] }) else { return [group] }
        let limit = Int(narrowShare * Double(smooth[fullest]))
        var (start, end) = (fullest, fullest)
        while start > 0, smooth[start - 1] >= limit { start -= 1 }
        while end < smooth.count - 1, smooth[end + 1] >= limit { end += 1 }
        // Up to this height the strip itself leaves out the rows that are unlike the others.
        guard smooth.count >= largestGrowth * (end - start + 1) else { return [group] }
        var bars: [Int] = []
        var others: [Int] = []
        for (block, row) in zip(group, rows) {
            if (start...end).contains(row - first) { bars.append(block) } else { others.append(block) }
        }
        return [bars] + connected(others, in: blocks).flatMap { parts(of: $0, in: blocks) }
    }

    /// Returns the groups of neighbors among some blocks.
    private static func connected(_ blocks: [Int], in grid: GradientBlocks) -> [[Int]] {
        var isFree = [Bool](repeating: false, count: grid.columns * grid.rows)
        for block in blocks { isFree[block] = true }
        var groups: [[Int]] = []
        for seed in blocks where isFree[seed] {
            isFree[seed] = false
            var group = [seed]
            var next = 0
            while next < group.count {
                let (row, column) = group[next].quotientAndRemainder(dividingBy: grid.columns)
                next += 1
                for y in max(0, row - 1)...min(grid.rows - 1, row + 1) {
                    for x in max(0, column - 1)...min(grid.columns - 1, column + 1) {
                        let other = y * grid.columns + x
                        guard isFree[other] else { continue }
                        isFree[other] = false
                        group.append(other)
                    }
                }
            }
            groups.append(group)
        }
        return groups
    }
}
