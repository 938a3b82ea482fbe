internal import BarcodeCore

/// The layout of every MaxiCode symbol: 33 rows of hexagons, alternately 30 and 29, around a bull's-eye.
///
/// The origin is the center of the bull's-eye, x to the right and y down. The unit is the distance between the
/// centers of two hexagons in a row. Source: ISO/IEC 16023, 4.2 and 4.11.
enum MaxiCodeLayout {
    /// The number of modules in an even row; an odd one starts half a module farther right and has one less.
    static let columns = 30
    /// The number of rows of modules.
    static let rows = 33

    /// The distance between rows: half the square root of three.
    private static let rowPitch = 0.8660254037844386
    /// The distance from the center of a hexagon to its lower corner.
    private static let lowerReach = 0.5773502691896258

    /// The radius of the outer edge of the outermost of the three dark rings.
    ///
    /// The widths of the rings and of the light center vary between encoders.
    static let finderRadius = 4.5

    /// The edges of the symbol without its quiet zone.
    static let (left, right, bottom) = (-14.5, 15.5, 16 * rowPitch + lowerReach)

    /// Returns the center of a module.
    static func center(_ x: Int, _ y: Int) -> Point {
        Point(x: Double(x - 14) + (y.isMultiple(of: 2) ? 0 : 0.5), y: Double(y - 16) * rowPitch)
    }

    /// Returns the number of modules in a row.
    static func count(inRow y: Int) -> Int { y.isMultiple(of: 2) ? columns : columns - 1 }

    /// Returns the module to the lower left of another; the next column is to its lower right.
    static func below(_ x: Int, _ y: Int) -> (x: Int, y: Int) { (y.isMultiple(of: 2) ? x - 1 : x, y + 1) }

    /// A module with the same tone in every symbol.
    struct Mark {
        var x: Int
        var y: Int
        var isDark: Bool
    }

    /// The six groups of three modules around the bull's-eye that indicate the orientation (4.2.1.2).
    static let orientationMarks: [Mark] =
        [(10, 9), (11, 9), (11, 10), (7, 15), (8, 16), (20, 16), (20, 17), (10, 22), (10, 23), (17, 22), (17, 23)]
        .map { Mark(x: $0.0, y: $0.1, isDark: true) }
        + [(17, 9), (17, 10), (18, 10), (7, 16), (21, 16), (11, 22), (16, 23)].map {
            Mark(x: $0.0, y: $0.1, isDark: false)
        }

    /// All modules: those of the bits, the marks, and two at the upper right that are always dark.
    static let modules: [(x: Int, y: Int)] = {
        let places = MaxiCodePlacement.places + orientationMarks.map { $0.y * columns + $0.x } + [28, 29]
        return places.sorted().map { ($0 % columns, $0 / columns) }
    }()
}
