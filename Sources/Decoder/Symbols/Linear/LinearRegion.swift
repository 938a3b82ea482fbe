public import BarcodeCore
internal import Glibc

/// A rectangle of parallel bars at any angle, in pixels of the picture that was looked at.
public struct LinearRegion: Sendable, Hashable {
    /// The middle.
    public var center: Point
    /// The direction across the bars, in radians clockwise from the x axis, more than -π/2 and at most π/2.
    public var angle: Double
    /// Pixels from the first bar to the last.
    public var length: Double
    /// Pixels along the bars.
    public var height: Double
    /// How much of the change of brightness runs across the bars, 0 to 1.
    public var confidence: Double
    /// The share of the rectangle in which bars were seen, 0 to 1; 1 where nothing is known of that.
    ///
    /// Blocks on the edge count whole, so that it may be a little more.
    public var coverage: Double

    /// A region with all that is known of it.
    public init(
        center: Point, angle: Double, length: Double, height: Double, confidence: Double, coverage: Double = 1
    ) {
        self.center = center
        self.angle = angle
        self.length = length
        self.height = height
        self.confidence = confidence
        self.coverage = coverage
    }

    /// The unit vector across the bars.
    public var across: Point { Point(x: cos(angle), y: sin(angle)) }

    /// The unit vector along the bars: a quarter turn clockwise from ``across``.
    public var along: Point { Point(x: -sin(angle), y: cos(angle)) }

    /// The corners, beginning where both directions are least.
    public var corners: Quadrilateral {
        Quadrilateral(
            topLeft: point(-length / 2, -height / 2), topRight: point(length / 2, -height / 2),
            bottomRight: point(length / 2, height / 2), bottomLeft: point(-length / 2, height / 2))
    }

    /// The same region in a picture that is `factor` times as large.
    public func scaled(by factor: Double) -> LinearRegion {
        LinearRegion(
            center: Point(x: center.x * factor, y: center.y * factor), angle: angle, length: length * factor,
            height: height * factor, confidence: confidence, coverage: coverage)
    }

    /// The point so many pixels across and along the bars from the centre.
    func point(_ u: Double, _ v: Double) -> Point {
        let (a, b) = (across, along)
        return Point(x: center.x + u * a.x + v * b.x, y: center.y + u * a.y + v * b.y)
    }
}
