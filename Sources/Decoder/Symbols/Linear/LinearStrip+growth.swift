public import BarcodeCore

extension LinearStrip {
    /// The distance in pixels along the bars between two sampled rows.
    private static let lookStep = 1.0
    /// The distance in pixels by which the strip may extend beyond the bars, which were found on lines four pixels
    /// apart, and over which noise may hide them.
    private static let overshoot = 4.0
    /// The largest gap in the bars, as a share of the height: a stripe of glare, a fold.
    private static let widestStripe = 0.15
    /// The smallest correlation of a row with the mean of the strip, for a row of the same bars.
    private static let smallestCorrelation: Float = 0.6

    /// Returns the corners of a symbol in pixels of the strip's image, extended along the bars as far as these
    /// continue.
    ///
    /// - Parameters:
    ///   - range: the columns of the symbol.
    ///   - isReversed: true if the symbol runs from the last column to the first.
    ///   - image: the image from which the strip was made.
    public func grownCorners(_ range: Range<Double>, isReversed: Bool, in image: LumaImage) -> Quadrilateral {
        let (above, below) = (edge(range, in: image, direction: -1), edge(range, in: image, direction: 1))
        let points = [
            point(column: range.lowerBound + above.first, row: above.row),
            point(column: range.upperBound + above.last, row: above.row),
            point(column: range.upperBound + below.last, row: below.row),
            point(column: range.lowerBound + below.first, row: below.row),
        ]
        let first = isReversed ? 2 : 0
        return Quadrilateral(
            topLeft: points[first], topRight: points[(first + 1) % 4], bottomRight: points[(first + 2) % 4],
            bottomLeft: points[(first + 3) % 4])
    }

    /// Returns the last row in one direction that shows the bars of some columns, and the shifts of the first and
    /// last bars there, in columns.
    private func edge(
        _ range: Range<Double>, in image: LumaImage, direction: Double
    ) -> (row: Double, first: Double, last: Double) {
        let first = max(0, Int(range.lowerBound))
        let end = min(columns, Int(range.upperBound) + 1)
        let middle = Double(rows) / 2
        let start = middle + direction * middle
        guard end - first > 8 else { return (start, 0, 0) }
        let reference = Array(profile(from: 0, to: 1).values[first..<end])
        // Rows are `rowStep` pixels apart.
        let step = Self.lookStep / rowStep
        func values(atRow row: Double) -> [Float] {
            Self.sample(
                image, region, columns: columns, rows: 1, rowStep: 1, density: density, at: (row - middle) * rowStep)
        }
        let inside = middle + direction * max(middle / 2, middle - Self.overshoot / rowStep)
        var (best, row) = ((row: inside, shifts: [Int](repeating: 0, count: Self.parts)), inside)
        while true {
            row += direction * step
            let gap = abs(row - best.row)
            let height = abs(best.row - middle) + middle
            guard
                direction * (row - start) <= 0
                    || gap <= max(Self.overshoot / rowStep, Self.widestStripe * height) + step
            else { break }
            let place = row - direction * step / 2
            let center = point(column: Double(columns) / 2, row: place)
            guard (0..<Double(image.width)).contains(center.x), (0..<Double(image.height)).contains(center.y) else {
                break
            }
            let values = values(atRow: place)
            guard let shifts = Self.shifts(values, from: first, to: reference, near: best.shifts, reach: density) else {
                continue
            }
            // Half a step further, but not outside the image.
            let outer = point(column: Double(columns) / 2, row: row)
            let isInside =
                (0...Double(image.width)).contains(outer.x) && (0...Double(image.height)).contains(outer.y)
            best = (isInside ? row : place, shifts)
        }
        return (best.row, Double(best.shifts[0]), Double(best.shifts[Self.parts - 1]))
    }

    /// The number of parts of a row that must each correlate: labels with consecutive numbers differ in one or two
    /// digits.
    private static let parts = 12

    /// Returns the shift of each part of a row, in columns; `nil` if some part does not correlate with the reference.
    ///
    /// Slanted or bent bars move by at most a pixel from row to row; those of an oblique symbol diverge, so each part
    /// has a shift of its own.
    ///
    /// - Parameters:
    ///   - values: the row.
    ///   - first: the column of the reference.
    ///   - known: the shifts of the row before.
    ///   - reach: the largest change of a shift.
    private static func shifts(
        _ values: [Float], from first: Int, to reference: [Float], near known: [Int], reach: Int
    ) -> [Int]? {
        var shifts = known
        for part in 0..<parts {
            let range = part * reference.count / parts..<(part + 1) * reference.count / parts
            guard range.count > 4 else { return nil }
            var most = smallestCorrelation
            var isFound = false
            for shift in known[part] - reach...known[part] + reach {
                let found = correlation(values, first + shift + range.lowerBound, reference[range])
                guard found >= most else { continue }
                (most, shifts[part], isFound) = (found, shift, true)
            }
            guard isFound else { return nil }
        }
        return shifts
    }

    /// Returns the correlation of the brightness changes of a reference with those of a row from a column on.
    private static func correlation(_ values: [Float], _ first: Int, _ reference: ArraySlice<Float>) -> Float {
        guard first >= 0, first + reference.count <= values.count else { return -1 }
        return values.withUnsafeBufferPointer { values in
            reference.withUnsafeBufferPointer { reference in
                let (product, one, other) = products(
                    UnsafeBufferPointer(rebasing: values[first..<first + reference.count]), reference)
                return product / ((one + 1e-3) * (other + 1e-3)).squareRoot()
            }
        }
    }
}
