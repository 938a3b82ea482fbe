public import BarcodeCore

/// A finder pattern of a Han Xin symbol in a picture: a square core inside two L-shaped bows, which point to a
/// corner.
public struct CornerPattern: Sendable, Hashable {
    /// The center of the core, in pixels.
    public var center: Point
    /// The width of the core's three modules along the picture's rows, in pixels; about the same along its columns.
    public var width: Double
    /// The direction from the core to the corner of the bows: a unit vector, accurate to about five degrees.
    public var direction: Point
    /// The module size in pixels, the mean of both directions.
    var module: Double
    /// The number of matching modules, of the pattern and the light ones around it.
    var modulesSeen: Int
    /// Indicates whether the pattern is light on dark.
    public var isInverted: Bool

    /// Returns the cosine of the angle between the pattern's direction and a vector: 1 if parallel, -1 if opposite.
    func points(x: Double, y: Double) -> Double {
        let length = (x * x + y * y).squareRoot()
        return length > 0 ? (direction.x * x + direction.y * y) / length : 0
    }
}
