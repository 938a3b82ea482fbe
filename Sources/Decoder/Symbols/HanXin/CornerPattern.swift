public import BarcodeCore

/// A finder pattern of a Han Xin symbol as seen in a picture: a square core in two bows, which point to a corner.
public struct CornerPattern: Sendable, Hashable {
    /// The middle of the core, in pixels.
    public var center: Point
    /// Pixels across the core's three modules along the picture's rows, which is about the same along its columns.
    public var width: Double
    /// Where the bows meet, as seen from the core: a direction of length one, right within some five degrees.
    public var direction: Point
    /// Pixels a module, in the mean of both directions.
    var module: Double
    /// Of the modules of the pattern and of the light ones around it those that are seen.
    var modulesSeen: Int
    /// Whether the pattern is light on dark.
    public var isInverted: Bool

    /// How far the bows point in a direction: 1 for straight in it, -1 for straight away.
    func points(x: Double, y: Double) -> Double {
        let length = (x * x + y * y).squareRoot()
        return length > 0 ? (direction.x * x + direction.y * y) / length : 0
    }
}
