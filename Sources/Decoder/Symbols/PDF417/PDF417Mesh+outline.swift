import BarcodeCore

extension PDF417Mesh {
    /// The smallest share of the lines on which the last column must show the right row number, for it to have row
    /// indicators.
    private static let indicatorShare = 0.3

    /// True if the column behind the data has row indicators, as in all symbols except compact ones.
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

    /// Returns the corners of the symbol, with its start and stop patterns.
    func corners(isCompact: Bool) -> Quadrilateral {
        let last = isCompact ? size.columns : size.columns + 1
        let (start, stop) = (-PDF417Side.Kind.start.width, isCompact ? 1 : PDF417Side.Kind.stop.width)
        return Quadrilateral(
            topLeft: corner(0, beginnings, row: 0, start), topRight: corner(last, ends, row: 0, stop),
            bottomRight: corner(last, ends, row: Double(size.rows), stop),
            bottomLeft: corner(0, beginnings, row: Double(size.rows), start))
    }

    /// Returns the point of a row at an offset in modules from an end of a column.
    private func corner(_ column: Int, _ places: [[Double]], row: Double, _ modules: Double) -> Point {
        // Interpolates between the nearest line and one a third of all lines away.
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
