public import BarcodeCore

extension BinaryImage {
    /// Fills the area of a decoded symbol with one tone, so that the search ignores it.
    ///
    /// - Parameters:
    ///   - place: the area, in pixels.
    ///   - isDark: the tone of the paper around it.
    public mutating func blank(_ place: Quadrilateral, isDark: Bool) {
        let box = place.boundingBox
        let top = Int(max(0, min(Double(height), box.y)))
        let bottom = Int(max(0, min(Double(height), (box.y + box.height).rounded(.up))))
        guard top < bottom else { return }
        let tone: UInt8 = isDark ? 1 : 0
        let width = width
        pixels.withUnsafeMutableBufferPointer { pixels in
            for row in top..<bottom {
                guard let columns = Self.columns(of: place, atRow: row, width: width) else { continue }
                pixels[row * width + columns.lowerBound..<row * width + columns.upperBound].update(repeating: tone)
            }
        }
    }

    /// The columns that a quadrilateral covers in a row of an image of this width; `nil` if there are none.
    static func columns(of place: Quadrilateral, atRow row: Int, width: Int) -> Range<Int>? {
        let y = Double(row) + 0.5
        let points = place.points
        var (left, right) = (Double(width), 0.0)
        for index in 0..<4 {
            let (from, to) = (points[index], points[(index + 1) % 4])
            guard (from.y <= y) != (to.y <= y) else { continue }
            let x = from.x + (y - from.y) / (to.y - from.y) * (to.x - from.x)
            (left, right) = (min(left, x), max(right, x))
        }
        left = max(0, left)
        right = min(Double(width), right)
        return left < right ? Int(left)..<Int(right.rounded(.up)) : nil
    }
}
