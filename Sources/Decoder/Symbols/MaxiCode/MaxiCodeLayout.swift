internal import BarcodeCore

/// The shape of every MaxiCode symbol: 33 rows of hexagons, 30 and 29 in turn, around a bull's-eye.
///
/// The plane has its origin in the middle of the bull's-eye, x to the right and y down; its unit is the distance from
/// the center of a hexagon to that of the next in its row. Source: ISO/IEC 16023, 4.2 and 4.11.
enum MaxiCodeLayout {
    /// Modules in an even row; an odd one begins half a module farther to the right and has one less.
    static let columns = 30
    /// Rows of modules.
    static let rows = 33

    /// From one row to the next: half of the root of three.
    private static let rowPitch = 0.8660254037844386
    /// From the center of a hexagon to its lower corner.
    private static let lowerReach = 0.5773502691896258

    /// The outer edge of the outermost of the three dark rings.
    ///
    /// How wide the rings and the light center are differs from encoder to encoder.
    static let finderRadius = 4.5

    /// The edges of the symbol without its quiet zone.
    static let (left, right, bottom) = (-14.5, 15.5, 16 * rowPitch + lowerReach)

    /// The center of a module.
    static func center(_ x: Int, _ y: Int) -> Point {
        Point(x: Double(x - 14) + (y.isMultiple(of: 2) ? 0 : 0.5), y: Double(y - 16) * rowPitch)
    }

    /// How many modules a row has.
    static func count(inRow y: Int) -> Int { y.isMultiple(of: 2) ? columns : columns - 1 }

    /// The module to the lower left of another, or, one column on, to its lower right.
    static func below(_ x: Int, _ y: Int) -> (x: Int, y: Int) { (y.isMultiple(of: 2) ? x - 1 : x, y + 1) }

    /// A module whose tone is the same in every symbol.
    struct Mark {
        var x: Int
        var y: Int
        var isDark: Bool
    }

    /// The six groups of three modules around the bull's-eye that tell which way up the symbol is (4.2.1.2).
    static let orientationMarks: [Mark] =
        [(10, 9), (11, 9), (11, 10), (7, 15), (8, 16), (20, 16), (20, 17), (10, 22), (10, 23), (17, 22), (17, 23)]
        .map { Mark(x: $0.0, y: $0.1, isDark: true) }
        + [(17, 9), (17, 10), (18, 10), (7, 16), (21, 16), (11, 22), (16, 23)].map {
            Mark(x: $0.0, y: $0.1, isDark: false)
        }

    /// All places that hold a module: those of the bits, the marks, and two at the upper right that are always dark.
    static let modules: [(x: Int, y: Int)] = {
        let places = MaxiCodePlacement.places + orientationMarks.map { $0.y * columns + $0.x } + [28, 29]
        return places.sorted().map { ($0 % columns, $0 / columns) }
    }()
}
