internal import BarcodeCore

extension Quadrilateral {
    /// True if the corners run counterclockwise, as those of a mirrored symbol in its own order do.
    var runsCounterclockwise: Bool { (topRight - topLeft).cross(bottomLeft - topLeft) < 0 }

    /// Indicates whether each corner is near the same corner of another outline, in pixels along both axes.
    func isTwin(of other: Quadrilateral, within reach: Double) -> Bool {
        zip(points, other.points).allSatisfy { abs($0.x - $1.x) < reach && abs($0.y - $1.y) < reach }
    }
}

extension Rectangle {
    /// The corners of the rectangle.
    var corners: Quadrilateral {
        Quadrilateral(
            topLeft: Point(x: x, y: y), topRight: Point(x: x + width, y: y),
            bottomRight: Point(x: x + width, y: y + height), bottomLeft: Point(x: x, y: y + height))
    }
}
