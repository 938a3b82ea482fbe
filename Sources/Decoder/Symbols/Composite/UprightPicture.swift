public import BarcodeCore
internal import Glibc

/// A linear symbol and what is above it, turned so that the symbol lies upright; a pixel is as large as before.
///
/// Patterns of few rows that are looked for along the rows of a picture are seen at right angles only.
public struct UprightPicture: Sendable {
    /// The turned picture.
    public let image: LumaImage
    private let origin: Point
    private let right, down: Point

    /// Pixels at both sides of the symbol, as a share of its length, and above it, as much as it is long: a CC-C of few
    /// columns is higher than wide.
    private static let margin = 0.2
    private static let reach = 1.2
    private static let maximumPixels = 4_000_000.0

    /// Nil for corners that are no rectangle in the picture.
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
        // No farther than the picture goes on.
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

    /// Corners in the turned picture as they lie in the other.
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
