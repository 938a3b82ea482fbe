internal import Glibc

/// A point in pixels of the stored image; (0, 0) is the top left corner of the top left pixel.
public struct Point: Sendable, Hashable {
    /// The distance from the left edge in pixels.
    public var x: Double
    /// The distance from the top edge in pixels.
    public var y: Double

    /// Creates a point.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// The four corners of a symbol, named as in the upright symbol.
///
/// The corners are those of the symbol itself, without its quiet zone. If the image shows the symbol rotated by 180
/// degrees, ``topLeft`` is therefore the corner at the lower right of the image. The corners of a mirrored symbol
/// run counterclockwise.
public struct Quadrilateral: Sendable, Hashable {
    /// The corner at the upright symbol's top left.
    public var topLeft: Point
    /// The corner at the upright symbol's top right.
    public var topRight: Point
    /// The corner at the upright symbol's bottom right.
    public var bottomRight: Point
    /// The corner at the upright symbol's bottom left.
    public var bottomLeft: Point

    /// Creates a quadrilateral.
    public init(topLeft: Point, topRight: Point, bottomRight: Point, bottomLeft: Point) {
        self.topLeft = topLeft
        self.topRight = topRight
        self.bottomRight = bottomRight
        self.bottomLeft = bottomLeft
    }

    /// The corners from the top left in reading order: top left, top right, bottom right, bottom left.
    public var points: [Point] { [topLeft, topRight, bottomRight, bottomLeft] }

    /// The mean of the four corners.
    public var center: Point {
        Point(
            x: (topLeft.x + topRight.x + bottomRight.x + bottomLeft.x) / 4,
            y: (topLeft.y + topRight.y + bottomRight.y + bottomLeft.y) / 4)
    }

    /// The axis-aligned bounding box of the corners.
    public var boundingBox: Rectangle {
        let xs = points.map(\.x)
        let ys = points.map(\.y)
        let left = xs.min() ?? 0
        let top = ys.min() ?? 0
        return Rectangle(x: left, y: top, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - top)
    }

    /// The clockwise rotation of the symbol in degrees, from 0 up to 360: the direction of its top edge.
    public var orientation: Double {
        let degrees = atan2(topRight.y - topLeft.y, topRight.x - topLeft.x) * 180 / .pi
        // A value just below 360 would be printed as 360.
        return degrees < -0.005 ? degrees + 360 : max(0, degrees)
    }

    /// Returns the corners in an image that is `factor` times as large.
    public func scaled(by factor: Double) -> Quadrilateral {
        func scale(_ point: Point) -> Point { Point(x: point.x * factor, y: point.y * factor) }
        return Quadrilateral(
            topLeft: scale(topLeft), topRight: scale(topRight),
            bottomRight: scale(bottomRight), bottomLeft: scale(bottomLeft))
    }

    /// Returns the corners, moved by a number of pixels to the right and down.
    public func moved(right: Double, down: Double) -> Quadrilateral {
        func move(_ point: Point) -> Point { Point(x: point.x + right, y: point.y + down) }
        return Quadrilateral(
            topLeft: move(topLeft), topRight: move(topRight), bottomRight: move(bottomRight),
            bottomLeft: move(bottomLeft))
    }

    /// Indicates whether a point is inside, by the even-odd rule.
    public func contains(_ point: Point) -> Bool {
        var isInside = false
        var previous = bottomLeft
        for corner in points {
            if (previous.y > point.y) != (corner.y > point.y) {
                let crossing = (corner.x - previous.x) * (point.y - previous.y) / (corner.y - previous.y) + previous.x
                if point.x < crossing { isInside.toggle() }
            }
            previous = corner
        }
        return isInside
    }
}

extension Rectangle {
    /// Returns the intersection over union of two rectangles: 0 to 1.
    public func overlap(with other: Rectangle) -> Double {
        let across = min(x + width, other.x + other.width) - max(x, other.x)
        let down = min(y + height, other.y + other.height) - max(y, other.y)
        guard across > 0, down > 0 else { return 0 }
        let shared = across * down
        return shared / (width * height + other.width * other.height - shared)
    }

    /// Indicates whether a point is inside or on the edge.
    public func contains(_ point: Point) -> Bool {
        point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height
    }
}

/// An axis-aligned rectangle in pixels of the stored image.
public struct Rectangle: Sendable, Hashable {
    /// The left edge.
    public var x: Double
    /// The top edge.
    public var y: Double
    /// The width in pixels, not negative.
    public var width: Double
    /// The height in pixels, not negative.
    public var height: Double

    /// Creates a rectangle whose top left corner is (`x`, `y`).
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}
