internal import Glibc

extension Point {
    /// The sum of two points as vectors.
    package static func + (one: Point, other: Point) -> Point { Point(x: one.x + other.x, y: one.y + other.y) }

    /// The vector from another point to this one.
    package static func - (one: Point, other: Point) -> Point { Point(x: one.x - other.x, y: one.y - other.y) }

    /// The point in a picture that is `factor` times as large.
    package static func * (point: Point, factor: Double) -> Point { Point(x: point.x * factor, y: point.y * factor) }

    /// Pixels from (0, 0).
    package var length: Double { hypot(x, y) }

    /// Pixels from one point to another.
    package func distance(to other: Point) -> Double { hypot(x - other.x, y - other.y) }
}
