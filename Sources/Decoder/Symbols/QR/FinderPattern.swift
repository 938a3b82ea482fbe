public import BarcodeCore

/// A finder pattern of a QR Code in an image: a dark square in a light ring in a dark ring.
public struct FinderPattern: Sendable, Hashable {
    /// The center, in pixels.
    public var center: Point
    /// The width of the whole pattern of seven modules along the rows of the image, in pixels.
    public var width: Double
    /// The height of the whole pattern along the columns of the image, in pixels.
    public var height: Double
    /// True if the pattern is light on dark.
    public var isInverted: Bool
    /// The number of scan lines that crossed it.
    public var crossings: Int
    /// The correlation of the modules with those of a finder pattern: 1 if all match, about 0 for texture.
    public var correlation: Double

    /// The largest ratio of the module sizes of two patterns of a symbol: at a pixel a module, one of a pattern's sides
    /// may be measured half too long.
    private static let largestRatio = 1.6

    /// Returns the distance in modules to the center of another pattern; `nil` if they cannot belong to one symbol.
    func modules(to other: FinderPattern) -> Double? {
        let (x, y) = (other.center.x - center.x, other.center.y - center.y)
        let (first, second) = (moduleSize(x: x, y: y), other.moduleSize(x: x, y: y))
        guard isInverted == other.isInverted, max(first, second) < Self.largestRatio * min(first, second) else {
            return nil
        }
        let distance = (x * x + y * y).squareRoot() / ((first + second) / 2)
        return distance > 11 && distance < 130 ? distance : nil
    }

    /// Returns the module size in pixels along a line through the center in the direction (`x`, `y`), of any length.
    ///
    /// A row through a square rotated by an angle is longer than its side by 1 / max(cos, sin). A width other than the
    /// height is that of a picture that was stretched along its rows or columns; a tilt is near to it.
    func moduleSize(x: Double, y: Double) -> Double {
        // The direction before the picture was stretched along its rows.
        let (column, row) = (x * height / width, y)
        let squared = column * column + row * row
        guard squared > 0 else { return (width + height) / 14 }
        return height / 7 * max(abs(column), abs(row)) * (x * x + y * y).squareRoot() / squared
    }
}
