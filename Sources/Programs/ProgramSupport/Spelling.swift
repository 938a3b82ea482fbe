/// The edit distance of words.
package enum Spelling {
    /// The number of characters to insert, delete, replace or swap with their neighbors to turn one word into the
    /// other: the optimal string alignment distance.
    package static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var rows = [Array(0...right.count)]
        for (i, a) in left.enumerated() {
            var row = [i + 1]
            for (j, b) in right.enumerated() {
                var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a == b ? 0 : 1))
                if i > 0, j > 0, a == right[j - 1], left[i - 1] == b { best = min(best, rows[i - 1][j - 1] + 1) }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}
