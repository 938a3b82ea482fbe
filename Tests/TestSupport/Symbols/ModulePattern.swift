package import MatrixReader

/// What a symbol is made of: dark and light modules, a row of bars or a square of dots.
package struct ModulePattern: Sendable, Hashable {
    /// Modules across.
    package let columns: Int
    /// Rows of modules; one for a linear symbol.
    package let rows: Int
    /// How high a row is, in modules.
    package var rowHeight: Double
    /// Row by row: 1 is dark.
    package let modules: [UInt8]

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
}
