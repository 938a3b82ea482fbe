import Synchronization

/// The indices of the borders and of the codeword bits in a symbol of one size.
///
/// Source: ISO/IEC 16022, annex F, "Symbol character placement"; ISO/IEC 21471 for rectangles whose codewords wrap
/// from the last row to the first. Indices are `y * columns + x` in the whole symbol.
package final class DataMatrixPlacement: Sendable {
    /// The size.
    package let size: DataMatrixSize
    /// The indices of the codeword bits, the most significant bit of the first codeword first.
    package let dataOrder: [UInt16]
    /// The dark modules of the regions' borders: the solid lines at the left and the bottom, and every second module
    /// at the top and the right.
    package let darkBorder: [UInt16]
    /// The light modules of the regions' borders.
    package let lightBorder: [UInt16]
    /// The dark modules of the bottom right corner, which in some sizes belongs to no codeword.
    package let darkCorner: [UInt16]

    private init(_ size: DataMatrixSize) {
        self.size = size
        (darkBorder, lightBorder) = Self.border(of: size)
        var mapping = MappingMatrix(width: size.mappingWidth, height: size.mappingHeight)
        mapping.fill()
        dataOrder = mapping.bits.map { size.place(ofMapped: $0) }
        darkCorner = mapping.fixedDark.map { size.place(ofMapped: $0) }
    }

    // All sizes together take about half a megabyte; each is made at its first use.
    private static let cache = Mutex([DataMatrixSize: DataMatrixPlacement]())

    /// Returns the placement of a size.
    package static func of(_ size: DataMatrixSize) -> DataMatrixPlacement {
        cache.withLock { cache in
            if let made = cache[size] { return made }
            let made = DataMatrixPlacement(size)
            cache[size] = made
            return made
        }
    }

    private static func border(of size: DataMatrixSize) -> (dark: [UInt16], light: [UInt16]) {
        let width = size.regionWidth + 2
        let height = size.regionHeight + 2
        var dark: [UInt16] = []
        var light: [UInt16] = []
        for y in 0..<size.rows {
            for x in 0..<size.columns {
                let (column, row) = (x % width, y % height)
                guard column == 0 || row == 0 || column == width - 1 || row == height - 1 else { continue }
                let isDark =
                    column == 0 || row == height - 1 || (row == 0 ? column.isMultiple(of: 2) : !row.isMultiple(of: 2))
                if isDark {
                    dark.append(UInt16(y * size.columns + x))
                } else {
                    light.append(UInt16(y * size.columns + x))
                }
            }
        }
        return (dark, light)
    }
}

extension DataMatrixSize {
    /// Returns the index in the symbol of a module of the mapping matrix, which joins the regions without their
    /// borders.
    fileprivate func place(ofMapped index: Int) -> UInt16 {
        let (row, column) = index.quotientAndRemainder(dividingBy: mappingWidth)
        let x = column / regionWidth * (regionWidth + 2) + 1 + column % regionWidth
        let y = row / regionHeight * (regionHeight + 2) + 1 + row % regionHeight
        return UInt16(y * columns + x)
    }
}

/// The data modules of all regions joined, and the order in which codewords fill them: in diagonals, alternately up
/// to the right and down to the left, with a shape of eight modules, and with four special shapes at the corners.
private struct MappingMatrix {
    let width: Int
    let height: Int
    /// The index of each bit, `row * width + column`; eight bits make a codeword.
    private(set) var bits: [Int] = []
    /// The dark modules of a corner that no codeword covers.
    private(set) var fixedDark: [Int] = []
    private var isTaken: [Bool]

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        isTaken = [Bool](repeating: false, count: width * height)
        bits.reserveCapacity(width * height)
    }

    mutating func fill() {
        var row = 4
        var column = 0
        repeat {
            addCorner(row: row, column: column)
            repeat {
                if row < height, column >= 0 { addShape(row: row, column: column) }
                row -= 2
                column += 2
            } while row >= 0 && column < width
            row += 1
            column += 3
            repeat {
                if row >= 0, column < width { addShape(row: row, column: column) }
                row += 2
                column -= 2
            } while row < height && column >= 0
            row += 3
            column += 1
        } while row < height || column < width
        let last = width * height - 1
        if !isTaken[last] { fixedDark = [last, last - width - 1] }
    }

    /// Adds a codeword in a diagonal: rows of two, three and three modules that end at the given row and column.
    private mutating func addShape(row: Int, column: Int) {
        guard !isTaken[row * width + column] else { return }
        add([
            (row - 2, column - 2), (row - 2, column - 1), (row - 1, column - 2), (row - 1, column - 1),
            (row - 1, column), (row, column - 2), (row, column - 1), (row, column),
        ])
    }

    /// Adds a codeword that is split over corners, if the diagonal begins at one of the four points that require it.
    private mutating func addCorner(row: Int, column: Int) {
        let (h, w) = (height, width)
        if row == h, column == 0 {
            add([(h - 1, 0), (h - 1, 1), (h - 1, 2), (0, w - 2), (0, w - 1), (1, w - 1), (2, w - 1), (3, w - 1)])
        } else if row == h - 2, column == 0, w % 4 != 0 {
            add([(h - 3, 0), (h - 2, 0), (h - 1, 0), (0, w - 4), (0, w - 3), (0, w - 2), (0, w - 1), (1, w - 1)])
        } else if row == h - 2, column == 0, w % 8 == 4 {
            add([(h - 3, 0), (h - 2, 0), (h - 1, 0), (0, w - 2), (0, w - 1), (1, w - 1), (2, w - 1), (3, w - 1)])
        } else if row == h + 4, column == 2, w % 8 == 0 {
            add([(h - 1, 0), (h - 1, w - 1), (0, w - 3), (0, w - 2), (0, w - 1), (1, w - 3), (1, w - 2), (1, w - 1)])
        }
    }

    /// Adds a codeword; modules outside wrap to the opposite side, with a shift that depends on the size.
    private mutating func add(_ modules: [(row: Int, column: Int)]) {
        for module in modules {
            var (row, column) = module
            if row < 0 {
                row += height
                column += 4 - (height + 4) % 8
            }
            if column < 0 {
                column += width
                row += 4 - (width + 4) % 8
            }
            if row >= height { row -= height }
            bits.append(row * width + column)
            isTaken[row * width + column] = true
        }
    }
}
