public import BarcodeCore

/// A finder pattern of a QR symbol: a square in a ring in a ring, as seen in a picture.
public struct FinderPattern: Sendable, Hashable {
    /// The centre, in pixels.
    public var center: Point
    /// Pixels across the whole pattern of seven modules along the picture's rows.
    public var width: Double
    /// Pixels across the whole pattern along the picture's columns.
    public var height: Double
    /// Whether the pattern is light on dark.
    public var isInverted: Bool
    /// How many scan lines crossed it.
    public var crossings: Int
    /// How much the modules are dark and light as they should be, from 1 for all of them to about 0 for texture.
    public var likeness: Double

    /// Modules from the centre to that of another pattern that may be of the same symbol; nil where it cannot be.
    func modules(to other: FinderPattern) -> Double? {
        let (x, y) = (other.center.x - center.x, other.center.y - center.y)
        let (first, second) = (moduleSize(x: x, y: y), other.moduleSize(x: x, y: y))
        guard isInverted == other.isInverted, max(first, second) < 1.5 * min(first, second) else { return nil }
        let distance = (x * x + y * y).squareRoot() / ((first + second) / 2)
        return distance > 11 && distance < 130 ? distance : nil
    }

    /// Pixels a module for a line through the centre in the direction (`x`, `y`), which need not be of length one.
    ///
    /// A row through a square that is turned by an angle is longer than its side by 1 / max(cos, sin).
    func moduleSize(x: Double, y: Double) -> Double {
        let length = (x * x + y * y).squareRoot()
        guard length > 0 else { return (width + height) / 14 }
        let mean = (width * height).squareRoot() / 7
        return mean * max(abs(x), abs(y)) / length
    }
}
