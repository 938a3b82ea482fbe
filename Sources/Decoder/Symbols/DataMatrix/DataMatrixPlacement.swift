import Synchronization

/// Where a size has its borders and the bits of its codewords.
///
/// Source: ISO/IEC 16022, annex F, "Symbol character placement"; ISO/IEC 21471 for rectangles whose codewords wrap from
/// the last row to the first. Places are `y * columns + x` of the whole symbol.
package final class DataMatrixPlacement: Sendable {
    /// The size.
    package let size: DataMatrixSize
    /// The places of the bits of the codewords, the most significant bit of the first codeword first.
    package let dataOrder: [UInt16]
    /// The dark modules of the regions' borders: the solid lines at the left and the bottom, and every second module
    /// at the top and the right.
    package let darkBorder: [UInt16]
    /// The light modules of the regions' borders.
    package let lightBorder: [UInt16]
    /// The dark modules of the corner at the bottom right that some sizes have no codeword for.
    package let darkCorner: [UInt16]

    private init(_ size: DataMatrixSize) {
        self.size = size
        (darkBorder, lightBorder) = Self.border(of: size)
        var mapping = MappingMatrix(width: size.mappingWidth, height: size.mappingHeight)
        mapping.fill()
        dataOrder = mapping.bits.map { size.place(ofMapped: $0) }
        darkCorner = mapping.fixedDark.map { size.place(ofMapped: $0) }
    }

    // All sizes take about half a megabyte when all are used; each is made when it is first met.
    private static let cache = Mutex([DataMatrixSize: DataMatrixPlacement]())

    /// The placement of a size.
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
    /// The place in the symbol of a module of the mapping matrix, which is the regions without their borders.
    fileprivate func place(ofMapped index: Int) -> UInt16 {
        let (row, column) = index.quotientAndRemainder(dividingBy: mappingWidth)
        let x = column / regionWidth * (regionWidth + 2) + 1 + column % regionWidth
        let y = row / regionHeight * (regionHeight + 2) + 1 + row % regionHeight
        return UInt16(y * columns + x)
    }
}

/// The data modules of all regions put together, and the order in which codewords fill them: diagonals, up to the right
/// and down to the left by turns, of a shape of eight modules; and four shapes of their own at the corners.
private struct MappingMatrix {
    let width: Int
    let height: Int
    /// The place of each bit, `row * width + column`, eight a codeword.
    private(set) var bits: [Int] = []
    /// The dark modules of a corner that no codeword reaches.
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

    /// The shape of a codeword in a diagonal: rows of two, three and three modules that end in the row and column.
    private mutating func addShape(row: Int, column: Int) {
        guard !isTaken[row * width + column] else { return }
        add([
            (row - 2, column - 2), (row - 2, column - 1), (row - 1, column - 2), (row - 1, column - 1),
            (row - 1, column), (row, column - 2), (row, column - 1), (row, column),
        ])
    }

    /// The codeword that is split over corners, where the diagonal begins at one of the four points that want it.
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

    /// Adds a codeword; what is outside enters again at the other side, shifted as the size wants it.
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
