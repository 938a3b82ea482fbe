internal import BarcodeCore

extension LinearReader {
    /// Into how many parts the rows fall: one of each is read, then another, then the rest, until it is settled.
    private static let parts = 4
    /// Rows that must agree on each half of a DataBar, or each character of an expanded one.
    private static let rowsOfPart = 3
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
        var dataBars = DataBarTally()
        let stages = Self.stages(rows.count)
        var finders: [EdgeFinder?] = Array(repeating: nil, count: rows.count)
        var mostRead = 0
        for (turn, sharpening) in Self.preparations.enumerated() {
            var count = 0
            for stage in stages {
                for row in stage {
                    let finder = finders[row] ?? EdgeFinder(rows[row])
                    finders[row] = finder
                    add(finder, sharpening, row: row, isBackward: isBackward, to: &tally, &dataBars)
                }
                count += stage.count
                // A second sharpening adds to what the first has seen in all rows.
                mostRead = max(mostRead, count)
                let answers =
                    tally.answers(ofRows: mostRead) + dataBars.answers(votes: Self.rowsOfPart).map(Answer.init)
                if !answers.isEmpty { return answers }
                // Rows that say nothing at all, or no more than a row of a stacked DataBar, stand for those between them.
                if tally.isEmpty, count >= (turn == 0 ? 2 : 1) * Self.parts { break }
            }
        }
        return []
    }

    private func add(
        _ finder: EdgeFinder, _ sharpening: EdgeFinder.Sharpening, row: Int, isBackward: Bool, to tally: inout RowTally,
        _ dataBars: inout DataBarTally
    ) {
        guard let line = finder.elements(sharpening, fewestEdges: fewestEdges) else { return }
        let lines = [line, line.reversed]
        var isTold = false
        if readsRetail {
            for reading in lines.flatMap({ RetailWidths.read($0, isRow: true) }) {
                tally.add(reading, row: row)
                if reading.fillsMost(of: line) { isTold = true }
            }
        }
        guard !isTold else { return }
        if !families.isEmpty {
            let parts = DataBarPart.readBothWays(line, families: families)
            parts.forEach { dataBars.add($0, line: row) }
            if parts.count > 1 { return }
        }
        for line in lines {
            for reading in readings(line, isForward: line.isReversed == isBackward) { tally.add(reading, row: row) }
        }
    }

    /// The rows in the order in which they are read, in stages.
    private static func stages(_ count: Int) -> [[Int]] {
        guard count >= 4 * parts else { return [Array(0..<count)] }
        let step = count / parts
        // Not always as far apart: what comes again and again in the rows would be seen in all of them, or in none.
        let first = (0..<parts).map { $0 * step + step / 4 + $0 % 2 }
        let second = (0..<parts).map { $0 * step + 3 * step / 4 - $0 % 2 }
        return [first, second, (0..<count).filter { !first.contains($0) && !second.contains($0) }]
    }
}
