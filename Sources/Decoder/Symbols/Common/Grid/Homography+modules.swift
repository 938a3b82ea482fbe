internal import BarcodeCore

extension Homography {
    /// The map of `width` by `height` modules onto a quadrilateral; `nil` if three of its corners are collinear.
    init?(width: Int, height: Int, to quad: Quadrilateral) {
        let (right, bottom) = (Double(width), Double(height))
        self.init(
            from: Quadrilateral(
                topLeft: Point(x: 0, y: 0), topRight: Point(x: right, y: 0), bottomRight: Point(x: right, y: bottom),
                bottomLeft: Point(x: 0, y: bottom)),
            to: quad)
    }

    /// Returns the mapped corners of the rectangle from (0, 0) to (`width`, `height`).
    func quadrilateral(width: Double, height: Double) -> Quadrilateral {
        Quadrilateral(
            topLeft: map(0, 0), topRight: map(width, 0), bottomRight: map(width, height), bottomLeft: map(0, height))
    }
}
