public import BarcodeCore
internal import Glibc

/// A rectangle of parallel bars at any angle, in pixels of the searched image.
public struct LinearRegion: Sendable, Hashable {
    /// The center.
    public var center: Point
    /// The direction across the bars, in radians clockwise from the x axis, more than -π/2 and at most π/2.
    public var angle: Double
    /// The distance from the first bar to the last, in pixels.
    public var length: Double
    /// The length of the bars, in pixels.
    public var height: Double
    /// The share of the gradient that runs across the bars (coherence), 0 to 1.
    public var confidence: Double
    /// The share of the rectangle covered by bars, 0 to 1; 1 if unknown.
    ///
    /// Blocks at the border count whole, so it may slightly exceed 1.
    public var coverage: Double
    /// The distance along the bars by which the ends of the bars move for each pixel across them: not 0 if a symbol
    /// is seen obliquely, so that it is a parallelogram.
    public var shear = 0.0
    /// The growth of the distance of two bars for each pixel along them, as a share: not 0 if they spread like a fan,
    /// on a jar and in perspective.
    public var spread = 0.0

    /// Creates a region.
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

    /// The corners, beginning with the least coordinates across and along the bars.
    public var corners: Quadrilateral {
        Quadrilateral(
            topLeft: point(-length / 2, -height / 2), topRight: point(length / 2, -height / 2),
            bottomRight: point(length / 2, height / 2), bottomLeft: point(-length / 2, height / 2))
    }

    /// Returns the region in an image that is `factor` times as large.
    public func scaled(by factor: Double) -> LinearRegion {
        var result = self
        result.center = Point(x: center.x * factor, y: center.y * factor)
        result.length *= factor
        result.height *= factor
        result.spread /= factor
        return result
    }

    /// Returns the point at an offset from the center of `u` pixels across and `v` pixels along the bars.
    func point(_ u: Double, _ v: Double) -> Point {
        let b = along
        return center + (across * (1 + spread * v) + b * shear) * u + b * v
    }
}
