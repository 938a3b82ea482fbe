internal import BarcodeCore

extension Point {
    /// Indicates whether the point is inside an image of this size in pixels.
    ///
    /// False for coordinates that are not finite, which must not be converted to integers.
    @inline(__always)
    func isInside(width: Int, height: Int) -> Bool {
        x >= 0 && y >= 0 && x < Double(width) && y < Double(height)
    }
}
