public import BarcodeCore

extension BinaryImage {
    /// Makes a place that is explained one tone, so that nobody looks at what is in it.
    ///
    /// - Parameter isDark: the tone, which is that of the paper around.
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

    /// The columns of a picture of so many that a quadrilateral covers in a row; nil for none.
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
