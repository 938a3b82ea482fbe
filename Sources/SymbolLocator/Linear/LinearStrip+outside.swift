public import BarcodeCore

extension LinearStrip {
    /// The strip with paper where rows run on beyond the picture.
    ///
    /// A symbol that touches the edge of its picture has its quiet zone there; it seems to begin or end with a very wide
    /// bar where the last pixels are repeated.
    /// - Parameter image: the picture that the strip was made of.
    public func withPaperOutside(_ image: LumaImage) -> LinearStrip {
        var result = self
        result.fillOutside(image)
        return result
    }

    private mutating func fillOutside(_ image: LumaImage) {
        func isInside(_ column: Int, _ row: Int) -> Bool {
            let place = point(column: Double(column) + 0.5, row: Double(row) + 0.5)
            return place.x >= 0 && place.y >= 0 && place.x <= Double(image.width) && place.y <= Double(image.height)
        }
        // A row is a line: where both of its ends are in the picture all of it is.
        for row in 0..<rows where !isInside(0, row) || !isInside(columns - 1, row) {
            guard let first = (0..<columns).first(where: { isInside($0, row) }),
                let last = (0..<columns).last(where: { isInside($0, row) }),
                let paper = values[row * columns + first...row * columns + last].max()
            else { continue }
            for column in 0..<first { replace(paper, column, row) }
            for column in last + 1..<max(columns, last + 1) { replace(paper, column, row) }
        }
    }
}
