/// A homography (perspective transform), such as from the modules of a symbol to the pixels of an image.
///
/// `x' = (a x + b y + c) / (g x + h y + i)`, `y' = (d x + e y + f) / (g x + h y + i)`. Both planes have x to the
/// right and y down. Source: Heckbert, Fundamentals of Texture Mapping and Image Warping, 1989, section 2.2.
public struct Homography: Sendable, Hashable {
    var a, b, c: Double
    var d, e, f: Double
    var g, h, i: Double

    init(
        a: Double, b: Double, c: Double, d: Double, e: Double, f: Double, g: Double, h: Double, i: Double
    ) {
        (self.a, self.b, self.c) = (a, b, c)
        (self.d, self.e, self.f) = (d, e, f)
        (self.g, self.h, self.i) = (g, h, i)
    }

    /// Creates the homography from the unit square to a quadrilateral: (0, 0) to the top left, (1, 0) to the top
    /// right.
    ///
    /// `nil` if three of the corners are on a line, because then no invertible homography exists.
    public init?(unitSquareTo quad: Quadrilateral) {
        let (p0, p1, p2, p3) = (quad.topLeft, quad.topRight, quad.bottomRight, quad.bottomLeft)
        let (dx1, dy1) = (p1.x - p2.x, p1.y - p2.y)
        let (dx2, dy2) = (p3.x - p2.x, p3.y - p2.y)
        let (sx, sy) = (p0.x - p1.x + p2.x - p3.x, p0.y - p1.y + p2.y - p3.y)
        let denominator = dx1 * dy2 - dx2 * dy1
        guard abs(denominator) > 1e-9 else { return nil }
        g = (sx * dy2 - dx2 * sy) / denominator
        h = (dx1 * sy - sx * dy1) / denominator
        i = 1
        a = p1.x - p0.x + g * p1.x
        b = p3.x - p0.x + h * p3.x
        c = p0.x
        d = p1.y - p0.y + g * p1.y
        e = p3.y - p0.y + h * p3.y
        f = p0.y
        guard isUsable else { return nil }
    }

    /// Creates the homography from four points to four others, corner by corner.
    ///
    /// `nil` if three points of either quadrilateral are on a line.
    public init?(from source: Quadrilateral, to target: Quadrilateral) {
        guard let toSource = Homography(unitSquareTo: source), let toTarget = Homography(unitSquareTo: target) else {
            return nil
        }
        self = toTarget.composed(after: toSource.inverse)
        guard isUsable else { return nil }
    }

    /// Creates the homography from a square of `size` modules, (0, 0) to (size, size), to a quadrilateral.
    ///
    /// The center of module (x, y) is (x + 0.5, y + 0.5). `nil` if three of the corners are on a line.
    public init?(size: Int, to quad: Quadrilateral) {
        self.init(unitSquareTo: quad)
        let scale = 1 / Double(size)
        a *= scale
        b *= scale
        d *= scale
        e *= scale
        g *= scale
        h *= scale
    }

    private var determinant: Double {
        a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    }

    var isUsable: Bool {
        let value = determinant
        return value.isFinite && abs(value) > 1e-12
    }

    /// The inverse homography.
    public var inverse: Homography {
        var result = self
        // The adjugate suffices, since a common factor has no effect.
        (result.a, result.b, result.c) = (e * i - f * h, c * h - b * i, b * f - c * e)
        (result.d, result.e, result.f) = (f * g - d * i, a * i - c * g, c * d - a * f)
        (result.g, result.h, result.i) = (d * h - e * g, b * g - a * h, a * e - b * d)
        return result
    }

    /// Returns the composition that applies `first` and then this homography.
    public func composed(after first: Homography) -> Homography {
        var result = self
        result.a = a * first.a + b * first.d + c * first.g
        result.b = a * first.b + b * first.e + c * first.h
        result.c = a * first.c + b * first.f + c * first.i
        result.d = d * first.a + e * first.d + f * first.g
        result.e = d * first.b + e * first.e + f * first.h
        result.f = d * first.c + e * first.f + f * first.i
        result.g = g * first.a + h * first.d + i * first.g
        result.h = g * first.b + h * first.e + i * first.h
        result.i = g * first.c + h * first.f + i * first.i
        // A common factor has no effect, but without this normalization the numbers would grow with each
        // composition.
        let scale = abs(result.i) > 1e-12 ? 1 / result.i : 1
        return result.scaled(by: scale)
    }

    private func scaled(by scale: Double) -> Homography {
        var result = self
        (result.a, result.b, result.c) = (a * scale, b * scale, c * scale)
        (result.d, result.e, result.f) = (d * scale, e * scale, f * scale)
        (result.g, result.h, result.i) = (g * scale, h * scale, i * scale)
        return result
    }

    /// Maps a point; the result is not finite on the horizon of the homography.
    @inline(__always)
    public func map(_ x: Double, _ y: Double) -> Point {
        let w = 1 / (g * x + h * y + i)
        return Point(x: (a * x + b * y + c) * w, y: (d * x + e * y + f) * w)
    }

    /// Maps a point; the result is not finite on the horizon of the homography.
    public func map(_ point: Point) -> Point { map(point.x, point.y) }

    /// Returns the bounding box of the mapped square of `reach` to each side of a point; `nil` if it crosses the
    /// horizon.
    package func bounds(x: Double, y: Double, reach: Double) -> (x: ClosedRange<Double>, y: ClosedRange<Double>)? {
        let (left, right, top, bottom) = (x - reach, x + reach, y - reach, y + reach)
        // The horizon is a straight line, so it does not cross the square if all corners are on one side of it.
        let middle = g * x + h * y + i
        guard abs(middle) > reach * (abs(g) + abs(h)) else { return nil }
        let (one, two, three, four) = (map(left, top), map(right, top), map(right, bottom), map(left, bottom))
        let (firstX, lastX) = (min(one.x, two.x, three.x, four.x), max(one.x, two.x, three.x, four.x))
        let (firstY, lastY) = (min(one.y, two.y, three.y, four.y), max(one.y, two.y, three.y, four.y))
        guard firstX <= lastX, firstY <= lastY else { return nil }
        return (firstX...lastX, firstY...lastY)
    }

    /// Maps the corners of the square from (0, 0) to (`side`, `side`).
    public func quadrilateral(side: Double) -> Quadrilateral {
        Quadrilateral(
            topLeft: map(0, 0), topRight: map(side, 0), bottomRight: map(side, side), bottomLeft: map(0, side))
    }
}
