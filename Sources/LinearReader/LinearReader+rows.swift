internal import BarcodeCore

extension LinearReader {
    /// Rows that are read first: the rest are read only if these do not settle it.
    private static let firstRows = 8
    /// As they are, sharpened a little, and without what is lighter inside of bars or darker inside of spaces: grain, the
    /// threads of a screen print, the halo of a camera's sharpening.
    private static let preparations =
        sharpenings.prefix(2) + [EdgeFinder.Sharpening(reach: 0, strength: 0, swing: 0.2)]

    /// Reads the symbols across some rows of pixels, one row at a time, and answers what enough of them say.
    ///
    /// Unlike the mean of many rows, a row is not spoiled by what stands above or below: glare, text, another symbol.
    ///
    /// - Parameters:
    ///   - rows: brightness, a value a pixel, from top to bottom.
    ///   - seen: the columns that lie in the picture; a quiet zone beyond was not seen.
    ///   - isBackward: whether the rows run from right to left, or from bottom to top, in the picture.
    /// - Returns: the answers, of EAN and UPC as ``readClear(_:)`` has them; votes are rows.
    public func readRows(_ rows: [[Float]], seen: Range<Double>, isBackward: Bool = false) -> [Answer] {
        guard !rows.isEmpty else { return [] }
        var tally = RowTally(seen: seen)
        let step = max(1, rows.count / Self.firstRows)
        let first = Array(stride(from: step / 2, to: rows.count, by: step))
        let rest = rows.indices.filter { $0 % step != step / 2 }
        var finders: [EdgeFinder?] = Array(repeating: nil, count: rows.count)
        var mostRead = 0
        for sharpening in Self.preparations {
            var count = 0
            for part in [first, rest] where !part.isEmpty {
                for row in part {
                    let finder = finders[row] ?? EdgeFinder(rows[row])
                    finders[row] = finder
                    add(finder, sharpening, row: row, isBackward: isBackward, to: &tally)
                }
                count += part.count
                // A second sharpening adds to what the first has seen in all rows.
                mostRead = max(mostRead, count)
                let answers = tally.answers(ofRows: mostRead)
                if !answers.isEmpty { return answers }
                // Rows that say nothing at all stand for those between them.
                if tally.isEmpty { break }
            }
        }
        return []
    }

    private func add(
        _ finder: EdgeFinder, _ sharpening: EdgeFinder.Sharpening, row: Int, isBackward: Bool, to tally: inout RowTally
    ) {
        guard let line = finder.elements(sharpening, fewestEdges: fewestEdges) else { return }
        for line in [line, line.reversed] {
            if readsRetail {
                for reading in RetailWidths.read(line, isRow: true) { tally.add(reading, row: row) }
            }
            for reading in readings(line, isForward: line.isReversed == isBackward) { tally.add(reading, row: row) }
        }
    }
}
