import BarcodeCore

extension PDF417Mesh {
    /// The part of the lines of which the last column must name its row, for it to be one of row indicators.
    private static let indicatorShare = 0.3

    /// Whether the column behind the data names the rows, as it does in all but the compact kind.
    var hasRightIndicators: Bool {
        let column = size.columns + 1
        var samples = [Float](repeating: 0, count: PDF417Patterns.width)
        var agreeing = 0
        for line in rows[column].indices {
            codeword(line, column: column, into: &samples)
            let match = PDF417Templates.middle.match(samples, cluster: nil)
            let row = Double(match.value / 30 * 3 + match.cluster) + 0.5
            if match.score > 0.6, abs(row - rows[column][line]) < 1.2 { agreeing += 1 }
        }
        return Double(agreeing) > Self.indicatorShare * Double(rows[column].count)
    }

    /// The corners of the symbol, with its start and stop patterns.
    func corners(isCompact: Bool) -> Quadrilateral {
        let last = isCompact ? size.columns : size.columns + 1
        let (start, stop) = (-PDF417Side.Kind.start.width, isCompact ? 1 : PDF417Side.Kind.stop.width)
        return Quadrilateral(
            topLeft: corner(0, beginnings, row: 0, start), topRight: corner(last, ends, row: 0, stop),
            bottomRight: corner(last, ends, row: Double(size.rows), stop),
            bottomLeft: corner(0, beginnings, row: Double(size.rows), start))
    }

    /// The point of a row so many modules beside an end of a column.
    private func corner(_ column: Int, _ places: [[Double]], row: Double, _ modules: Double) -> Point {
        // The two lines of the outer quarters nearest to the row, and on through them.
        let order = rows[column].indices.sorted { abs(rows[column][$0] - row) < abs(rows[column][$1] - row) }
        guard let near = order.first, let far = order.dropFirst(order.count / 3).first else {
            return Point(x: 0, y: 0)
        }
        func point(_ line: Int) -> Point {
            let place = places[column][line] + modules * lines.module
            let line = lines.lines[line]
            return Point(
                x: line.origin.x + place * line.direction.x, y: line.origin.y + place * line.direction.y)
        }
        let (a, b) = (point(near), point(far))
        let span = rows[column][far] - rows[column][near]
        let part = abs(span) > 0.5 ? (row - rows[column][near]) / span : 0
        return Point(x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part)
    }
}
