import Glibc
package import Symbols

/// The pattern of a symbol: dark and light modules, a row of bars, a grid of dots or the hexagons of a MaxiCode.
package struct ModulePattern: Sendable, Hashable {
    /// The number of columns.
    package let columns: Int
    /// The number of rows; one for a linear symbol.
    package let rows: Int
    /// The height of a row, in modules.
    package var rowHeight: Double
    /// Row by row: 1 is dark.
    package let modules: [UInt8]
    /// The radii at which light and dark alternate around the center of a MaxiCode, in modules; empty for other
    /// symbols.
    package var rings: [Double] = []

    /// The height of all rows, in modules.
    package var height: Double { Double(rows) * rowHeight }

    /// Creates the pattern of a matrix symbol.
    package init(_ grid: ModuleGrid) {
        columns = grid.width
        rows = grid.height
        rowHeight = 1
        modules = grid.modules
    }

    /// Creates the pattern of rows of equal width, true for dark.
    package init(rows: [[Bool]]) {
        columns = rows[0].count
        self.rows = rows.count
        rowHeight = 1
        modules = rows.joined().map { $0 ? 1 : 0 }
    }

    /// Creates the pattern of bars from left to right, true for dark; `height` is in modules.
    package init(bars: [Bool], height: Double = 40) {
        columns = bars.count
        rows = 1
        rowHeight = height
        modules = bars.map { $0 ? 1 : 0 }
    }

    /// Creates the hexagons of a MaxiCode around the rings of the standard (ISO/IEC 16023, 4.2.1.1).
    ///
    /// The center has the height of one hexagon, followed by equal widths out to nine modules across.
    package init(maxiCode grid: ModuleGrid) {
        columns = grid.width
        rows = grid.height
        modules = grid.modules
        // The first and the last row are whole hexagons; each other row adds three quarters of one.
        rowHeight = (Double(grid.height - 1) * Self.hexagonPitch + 2 * Self.hexagonReach) / Double(grid.height)
        rings = (0...5).map { Self.hexagonReach + Double($0) * (4.5 - Self.hexagonReach) / 5 }
    }

    /// The distance between rows of hexagons, and the distance from the center of a hexagon to its lower corner.
    private static let hexagonPitch = 0.75.squareRoot()
    private static let hexagonReach = 1 / 3.0.squareRoot()

    /// Indicates whether a MaxiCode is dark at a point, in modules from its upper left.
    ///
    /// - Precondition: the point lies within `columns` and `height`.
    func isDarkHexagon(_ x: Double, _ y: Double) -> Bool {
        let middle = (x: 14.5, y: height / 2)
        let radius = hypot(x - middle.x, y - middle.y)
        if radius < (rings.last ?? 0) { return rings.count { $0 <= radius } % 2 == 1 }
        // A point belongs to the hexagon with the nearest center.
        var nearest = (distance: Double.infinity, isDark: false)
        let row = Int((y - Self.hexagonReach) / Self.hexagonPitch)
        for row in max(0, row)...min(rows - 1, row + 1) {
            let start = row % 2 == 0 ? 0.5 : 1
            let column = min(max(Int((x - start + 0.5).rounded(.down)), 0), columns - 1 - row % 2)
            let (right, down) = (
                x - start - Double(column), y - Self.hexagonReach - Double(row) * Self.hexagonPitch
            )
            let distance = right * right + down * down
            if distance < nearest.distance { nearest = (distance, modules[row * columns + column] != 0) }
        }
        return nearest.distance < Self.hexagonReach * Self.hexagonReach && nearest.isDark
    }
}
