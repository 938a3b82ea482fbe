internal import BarcodeCore

extension LinearReader {
    /// The number of parts into which the rows are divided: one row of each is read, then another, then the rest,
    /// until the result is clear.
    private static let parts = 4
    /// The number of rows that must agree on each half of a DataBar, or each character of an expanded one.
    private static let rowsOfPart = 3
    /// Rows as they are, slightly sharpened, and with small extremes ignored: first grain and the threads of a screen
    /// print, then the dots of a dithered picture and the halo of strong sharpening, beside which the middle of a wide
    /// space is darker by a third of the contrast.
    private static let rowPreparations =
        sharpenings.prefix(2) + [0.2, 0.4].map { EdgeFinder.Sharpening(reach: 0, strength: 0, swing: $0) }

    /// Reads symbols from rows of pixels, one row at a time, and returns the readings on which enough rows agree.
    ///
    /// Unlike the mean of many rows, a single row is not spoiled by glare, text or another symbol above or below it.
    ///
    /// - Parameters:
    ///   - rows: the brightness, one sample a pixel, from top to bottom.
    ///   - seen: the columns inside the image; a quiet zone beyond them was not seen.
    ///   - isBackward: true if the rows run from right to left, or from bottom to top, in the image.
    /// - Returns: the answers, with EAN and UPC as in ``readClear(_:)``; votes are rows.
    public func readRows(_ rows: [[Float]], seen: Range<Double>, isBackward: Bool = false) -> [Answer] {
        guard !rows.isEmpty else { return [] }
        var tally = RowTally(seen: seen)
        var dataBars = DataBarTally()
        let stages = Self.stages(rows.count)
        var finders: [EdgeFinder?] = Array(repeating: nil, count: rows.count)
        var mostRead = 0
        for (turn, sharpening) in Self.rowPreparations.enumerated() {
            var count = 0
            for stage in stages {
                for row in stage {
                    let finder = finders[row] ?? EdgeFinder(rows[row])
                    finders[row] = finder
                    add(finder, sharpening, row: row, isBackward: isBackward, to: &tally, &dataBars)
                }
                count += stage.count
                // The second sharpening adds to the readings of all rows by the first.
                mostRead = max(mostRead, count)
                let answers =
                    tally.answers(ofRows: mostRead) + dataBars.answers(votes: Self.rowsOfPart).map(Answer.init)
                if !answers.isEmpty { return answers }
                // If the sampled rows have no reading, or only that of a row of a stacked DataBar, the rows between
                // have none either.
                if tally.isEmpty, count >= (turn == 0 ? 2 : 1) * Self.parts { break }
            }
        }
        guard dataBars.hasAllParts(count: Self.rowsOfPart) else { return [] }
        return self.dataBars(
            finders.enumerated().map { row, finder in finder ?? EdgeFinder(rows[row]) },
            Self.sharpenings.prefix(3) + Self.localSharpenings, votes: Self.rowsOfPart)
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

    /// Returns the row indices in reading order, in stages.
    private static func stages(_ count: Int) -> [[Int]] {
        guard count >= 4 * parts else { return [Array(0..<count)] }
        let step = count / parts
        // The distances vary: otherwise a periodic pattern would appear in all of the rows or in none.
        let first = (0..<parts).map { $0 * step + step / 4 + $0 % 2 }
        let second = (0..<parts).map { $0 * step + 3 * step / 4 - $0 % 2 }
        return [first, second, (0..<count).filter { !first.contains($0) && !second.contains($0) }]
    }
}
