internal import Glibc

extension Point {
    /// Returns the vector sum of two points.
    package static func + (one: Point, other: Point) -> Point { Point(x: one.x + other.x, y: one.y + other.y) }

    /// Returns the vector from another point to this one.
    package static func - (one: Point, other: Point) -> Point { Point(x: one.x - other.x, y: one.y - other.y) }

    /// Returns the point in an image that is `factor` times as large.
    package static func * (point: Point, factor: Double) -> Point { Point(x: point.x * factor, y: point.y * factor) }

    /// Returns the dot product of two vectors.
    package func dot(_ other: Point) -> Double { x * other.x + y * other.y }

    /// Returns the cross product of two vectors: positive if, on a screen, `other` is clockwise of this one.
    package func cross(_ other: Point) -> Double { x * other.y - y * other.x }

    /// The distance from (0, 0) in pixels.
    package var length: Double { hypot(x, y) }

    /// Returns the distance between two points in pixels.
    package func distance(to other: Point) -> Double { hypot(x - other.x, y - other.y) }
}
