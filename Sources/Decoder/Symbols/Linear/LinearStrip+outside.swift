public import BarcodeCore

extension LinearStrip {
    /// Returns the strip with paper in the parts of its rows outside the image.
    ///
    /// A symbol at the edge of an image has its quiet zone outside. Repeated edge pixels would look like a very wide
    /// bar there.
    ///
    /// - Parameter image: the image from which the strip was made.
    public func withPaperOutside(_ image: LumaImage) -> LinearStrip {
        guard reachesBeyond(image) else { return self }
        var result = self
        result.fillOutside(image)
        return result
    }

    /// Indicates whether the strip extends beyond the image from which it was made.
    public func reachesBeyond(_ image: LumaImage) -> Bool {
        // A rectangle whose corners are in the image is completely inside.
        let ends = [0.0, Double(rows)].flatMap { [point(column: 0, row: $0), point(column: Double(columns), row: $0)] }
        let (width, height) = (0...Double(image.width), 0...Double(image.height))
        return !ends.allSatisfy { width.contains($0.x) && height.contains($0.y) }
    }

    /// Returns the columns of which all rows lie in the image from which the strip was made.
    public func columnsInside(_ image: LumaImage) -> Range<Double> {
        var (first, last) = (0, columns)
        for row in [0, rows - 1] {
            let inside = inside(image, row: row)
            (first, last) = (max(first, inside.lowerBound), min(last, inside.upperBound))
        }
        return Double(min(first, last))..<Double(last)
    }

    /// Returns the columns of a row that lie in the image.
    private func inside(_ image: LumaImage, row: Int) -> Range<Int> {
        // A row is a straight line, so its part inside the image is a single range.
        let (start, end) = (
            point(column: 0.5, row: Double(row) + 0.5), point(column: Double(columns) + 0.5, row: Double(row) + 0.5)
        )
        let step = Point(x: (end.x - start.x) / Double(columns), y: (end.y - start.y) / Double(columns))
        return Self.columns(from: start.x, step: step.x, within: Double(image.width), count: columns)
            .clamped(to: Self.columns(from: start.y, step: step.y, within: Double(image.height), count: columns))
    }

    /// The fraction of the strip at its edge (1/8) whose brightest value is the brightness of the paper outside the
    /// image.
    ///
    /// In an EAN it is 16 modules, which contain at least two spaces. Brighter paper would turn shaded parts into
    /// bars.
    private static let nearEdge = 8

    private mutating func fillOutside(_ image: LumaImage) {
        for row in 0..<rows {
            let inside = inside(image, row: row)
            if row == rows / 2 { seenColumns = inside }
            let first = row * columns
            let near = columns / Self.nearEdge
            guard inside != 0..<columns, inside.count > near else { continue }
            let (start, end) = (first + inside.lowerBound, first + inside.upperBound)
            let (before, after) = (values[start..<start + near].max() ?? 0, values[end - near..<end].max() ?? 0)
            for column in 0..<inside.lowerBound { replace(before, column, row) }
            for column in inside.upperBound..<columns { replace(after, column, row) }
        }
    }

    /// Returns the columns for which `from + column * step` is at least 0 and at most `length`.
    private static func columns(from: Double, step: Double, within length: Double, count: Int) -> Range<Int> {
        guard abs(step) > 1e-9 else { return (0...length).contains(from) ? 0..<count : 0..<0 }
        let (one, two) = (-from / step, (length - from) / step)
        // Clamped as floating point: outside the image the values may exceed any integer.
        let first = min(max(min(one, two).rounded(.up), 0), Double(count))
        let last = min(max(max(one, two).rounded(.down) + 1, first), Double(count))
        return Int(first)..<Int(last)
    }

    /// The visible width required of a quiet zone, as a share of the symbol: an ITF of fourteen digits has 127
    /// narrow elements, and half of the ten beside its bars may be cut off.
    private static let paper = 0.04
    /// The largest difference in brightness between paper and the spaces between the bars, as a share of the
    /// contrast.
    private static let paperTone: Float = 0.25

    private static func paperWidth(of range: Range<Double>) -> Double {
        max(2, ((range.upperBound - range.lowerBound) * paper).rounded(.up))
    }

    /// Indicates whether a symbol reaches from one edge of the image to the other, as if it was drawn without quiet
    /// zones or cut out along its bars.
    ///
    /// If an end of a symbol is cut off, its other end has its quiet zone as a rule.
    ///
    /// - Parameter range: the columns of the symbol.
    public func reachesAcrossImage(_ range: Range<Double>) -> Bool {
        guard let seen = seenColumns else { return false }
        let width = Self.paperWidth(of: range)
        return range.lowerBound - width < Double(seen.lowerBound)
            && range.upperBound + width > Double(seen.upperBound)
    }

    /// Indicates whether there is paper on both sides of a symbol, inside the image, as light as the spaces between
    /// its bars.
    ///
    /// An object in the color of the paper that covers bars cannot be told from paper.
    ///
    /// - Parameters:
    ///   - range: the columns of the symbol.
    ///   - isInverted: true if paper is dark and bars are light.
    ///   - rows: the mean of the rows that are examined; `nil` for all that show the bars.
    public func showsPaper(
        beside range: Range<Double>, isInverted: Bool = false, in rows: LinearProfile? = nil
    ) -> Bool {
        let width = Self.paperWidth(of: range)
        let (before, after) = (range.lowerBound - width - 1, range.upperBound + width + 1)
        let seen = seenColumns ?? 0..<columns
        guard before >= Double(seen.lowerBound), after <= Double(seen.upperBound) else { return false }
        let sign: Float = isInverted ? -1 : 1
        let values = (rows ?? profile(from: 0, to: 1)).values.map { sign * $0 }
        let inside = values[Int(range.lowerBound)..<min(values.count, Int(range.upperBound))]
        guard inside.count > 40, Int(after) <= values.count else { return false }
        // The light may come from one side, so compare paper with the spaces next to it.
        func isPaper(_ part: ArraySlice<Float>, beside bars: ArraySlice<Float>) -> Bool {
            let bars = bars.sorted()
            let (dark, light) = (bars[bars.count / 10], bars[bars.count * 9 / 10])
            return !part.isEmpty && part.reduce(0, +) / Float(part.count) >= light - Self.paperTone * (light - dark)
        }
        let (first, last) = (Int(range.lowerBound) - 1, Int(range.upperBound) + 1)
        return isPaper(values[Int(before)..<max(Int(before), first)], beside: inside.prefix(inside.count / 4))
            && isPaper(values[last..<max(last, Int(after))], beside: inside.suffix(inside.count / 4))
    }
}
