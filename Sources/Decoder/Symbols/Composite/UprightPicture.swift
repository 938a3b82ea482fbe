public import BarcodeCore
internal import Glibc

/// A picture of a linear symbol and the area above it, rotated so that the symbol is upright, at the same scale.
///
/// The search along the rows of a picture finds patterns of few rows only at right angles.
public struct UprightPicture: Sendable {
    /// The rotated picture.
    public let image: LumaImage
    private let origin: Point
    private let right, down: Point

    /// The margin on both sides of the symbol and the height above it, as shares of the symbol's length: a CC-C of
    /// few columns is higher than wide.
    private static let margin = 0.2
    private static let reach = 1.2
    private static let maximumPixels = 4_000_000.0

    /// `nil` if the symbol is too short, or the area is outside the picture or too large.
    public init?(_ source: LumaImage, above linear: Quadrilateral) {
        let across = Point(
            x: linear.bottomRight.x - linear.bottomLeft.x + linear.topRight.x - linear.topLeft.x,
            y: linear.bottomRight.y - linear.bottomLeft.y + linear.topRight.y - linear.topLeft.y)
        let length = hypot(across.x, across.y) / 2
        guard length > 20, length.isFinite else { return nil }
        let right = Point(x: across.x / length / 2, y: across.y / length / 2)
        let down = Point(x: -right.y, y: right.x)
        func place(_ point: Point, along direction: Point) -> Double {
            (point.x - linear.bottomLeft.x) * direction.x + (point.y - linear.bottomLeft.y) * direction.y
        }
        // Clipped to the picture.
        let ends = [
            Point(x: 0, y: 0), Point(x: Double(source.width), y: 0), Point(x: 0, y: Double(source.height)),
            Point(x: Double(source.width), y: Double(source.height)),
        ]
        let points = [linear.topLeft, linear.topRight, linear.bottomLeft, linear.bottomRight]
        func range(_ direction: Point, before: Double, behind: Double) -> (from: Double, to: Double) {
            let (own, all) = (points.map { place($0, along: direction) }, ends.map { place($0, along: direction) })
            return (
                max((own.min() ?? 0) - before, all.min() ?? 0), min((own.max() ?? 0) + behind, all.max() ?? 0)
            )
        }
        let columns = range(right, before: Self.margin * length, behind: Self.margin * length)
        let rows = range(down, before: Self.reach * length, behind: 0)
        let (width, height) = (columns.to - columns.from, rows.to - rows.from)
        guard width > 20, height > 8, width * height < Self.maximumPixels else { return nil }
        origin = Point(
            x: linear.bottomLeft.x + columns.from * right.x + rows.from * down.x,
            y: linear.bottomLeft.y + columns.from * right.y + rows.from * down.y)
        (self.right, self.down) = (right, down)
        let (columnCount, rowCount) = (Int(width), Int(height))
        let start = origin
        image = source.withUnsafePixels { buffer in
            let pixels = PixelSampler(buffer, of: source)
            return LumaImage(width: columnCount, height: rowCount) { values in
                for row in 0..<rowCount {
                    for column in 0..<columnCount {
                        let (u, v) = (Double(column) + 0.5, Double(row) + 0.5)
                        let brightness = pixels?.brightness(
                            Point(x: start.x + u * right.x + v * down.x, y: start.y + u * right.y + v * down.y))
                        values[row * columnCount + column] = UInt8(max(0, min(255, brightness ?? 0)))
                    }
                }
            }
        }
    }

    /// Converts corners in the rotated picture to the original picture.
    public func original(_ corners: Quadrilateral) -> Quadrilateral {
        func point(_ place: Point) -> Point {
            Point(
                x: origin.x + place.x * right.x + place.y * down.x, y: origin.y + place.x * right.y + place.y * down.y)
        }
        return Quadrilateral(
            topLeft: point(corners.topLeft), topRight: point(corners.topRight),
            bottomRight: point(corners.bottomRight), bottomLeft: point(corners.bottomLeft))
    }
}
