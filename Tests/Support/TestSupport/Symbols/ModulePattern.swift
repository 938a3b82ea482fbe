import Glibc
package import Symbols

/// What a symbol is made of: dark and light modules, a row of bars, a square of dots or the hexagons of a MaxiCode.
package struct ModulePattern: Sendable, Hashable {
    /// Modules across.
    package let columns: Int
    /// Rows of modules; one for a linear symbol.
    package let rows: Int
    /// How high a row is, in modules.
    package var rowHeight: Double
    /// Row by row: 1 is dark.
    package let modules: [UInt8]
    /// Where light and dark change in turn around the center of a MaxiCode, in modules; empty for other symbols.
    package var rings: [Double] = []

    /// How high all rows are, in modules.
    package var height: Double { Double(rows) * rowHeight }

    /// The modules of a matrix symbol.
    package init(_ grid: ModuleGrid) {
        columns = grid.width
        rows = grid.height
        rowHeight = 1
        modules = grid.modules
    }

    /// Bars from left to right, true for dark; `height` modules high.
    package init(bars: [Bool], height: Double = 40) {
        columns = bars.count
        rows = 1
        rowHeight = height
        modules = bars.map { $0 ? 1 : 0 }
    }

    /// The hexagons of a MaxiCode around the rings of the standard: a center of one hexagon's height, then equal widths
    /// out to nine modules across (ISO/IEC 16023, 4.2.1.1).
    package init(maxiCode grid: ModuleGrid) {
        columns = grid.width
        rows = grid.height
        modules = grid.modules
        // The first and the last row are whole hexagons, and each of the others adds three quarters of one.
        rowHeight = (Double(grid.height - 1) * Self.hexagonPitch + 2 * Self.hexagonReach) / Double(grid.height)
        rings = (0...5).map { Self.hexagonReach + Double($0) * (4.5 - Self.hexagonReach) / 5 }
    }

    /// From one row of hexagons to the next, and from the center of one to its lower corner.
    private static let hexagonPitch = 0.75.squareRoot()
    private static let hexagonReach = 1 / 3.0.squareRoot()

    /// Whether a MaxiCode is dark at a point, in modules from its upper left.
    ///
    /// - Precondition: the point lies within `columns` and `height`.
    func isDarkHexagon(_ x: Double, _ y: Double) -> Bool {
        let middle = (x: 14.5, y: height / 2)
        let radius = hypot(x - middle.x, y - middle.y)
        if radius < (rings.last ?? 0) { return rings.count { $0 <= radius } % 2 == 1 }
        // A point belongs to the hexagon whose center is nearest.
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
