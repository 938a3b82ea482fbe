public import BarcodeCore

/// Reads a DotCode symbol from a located lattice of dots.
public struct DotCodeReader: Sendable {
    /// The range, in dot positions to either side, for the comparison of brightness.
    private static let reach = 4

    /// Creates a reader.
    public init() {}

    /// Reads the symbol on a lattice.
    ///
    /// - Parameters:
    ///   - map: the homography from lattice to pixels. Dot positions have integer coordinates; those with an even sum
    ///     may have dots.
    ///   - columns: the positions from the leftmost dot to the rightmost; a row or a column at an edge may be
    ///     missing.
    ///   - rows: the positions from the uppermost dot to the lowest.
    ///   - isInverted: true if the dots are light.
    /// - Throws: ``MatrixDecodeFailure`` of the attempt that got farthest.
    public func read(
        _ image: LumaImage, map: Homography, columns: ClosedRange<Int>, rows: ClosedRange<Int>, isInverted: Bool
    ) throws(MatrixDecodeFailure) -> DotCodeReading {
        guard columns.count <= 202, rows.count <= 202 else {
            throw MatrixDecodeFailure(.badSize, "\(columns.count) by \(rows.count) positions is not a valid size")
        }
        return try image.withUnsafePixels { buffer throws(MatrixDecodeFailure) in
            guard let pixels = PixelSampler(buffer, of: image) else {
                throw MatrixDecodeFailure(.badPattern, "the picture has no pixels")
            }
            let lattice = Lattice(pixels, map, columns, rows, isInverted: isInverted)
            var farthest = MatrixDecodeFailure(.badPattern, "the dots are not at every second position")
            for (columns, rows) in Self.extents(columns, rows) {
                guard let mapping = LatticeMapping(columns, rows) else { continue }
                let grid = lattice.grid(mapping)
                do throws(MatrixDecodeFailure) {
                    var (message, isFlipped) = try DotCodeDecoder.decodeUpright(grid)
                    let corners = mapping.corners(map, isFlipped: isFlipped)
                    message.isMirrored = corners.runsCounterclockwise
                    return DotCodeReading(message: message, corners: corners, isInverted: isInverted)
                } catch {
                    if error.rank > farthest.rank { farthest = error }
                }
            }
            throw farthest
        }
    }

    /// Returns the extents as located, and with a row or a column more or less: an edge may have few dots, or dirt
    /// beside it.
    private static func extents(
        _ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>
    ) -> [(columns: ClosedRange<Int>, rows: ClosedRange<Int>)] {
        let changes = [
            (0, 0, 0, 0), (-1, 0, 0, 0), (0, 1, 0, 0), (0, 0, -1, 0), (0, 0, 0, 1), (1, 0, 0, 0), (0, -1, 0, 0),
            (0, 0, 1, 0), (0, 0, 0, -1), (-1, 1, 0, 0), (0, 0, -1, 1), (-1, 0, -1, 0), (-1, 0, 0, 1), (0, 1, -1, 0),
            (0, 1, 0, 1),
        ]
        return changes.compactMap { left, right, top, bottom in
            let (first, last) = (columns.lowerBound + left, columns.upperBound + right)
            let (upper, lower) = (rows.lowerBound + top, rows.upperBound + bottom)
            return first < last && upper < lower ? (first...last, upper...lower) : nil
        }
    }

    /// The mapping of an upright symbol to the lattice.
    private struct LatticeMapping {
        var width: Int
        var height: Int
        private var isTransposed: Bool
        private var isTurned = false
        private var columns: ClosedRange<Int>
        private var rows: ClosedRange<Int>

        /// `nil` unless one of the numbers of rows and columns is even and the other odd.
        init?(_ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>) {
            guard (columns.count + rows.count) % 2 == 1 else { return nil }
            isTransposed = rows.count % 2 == 1
            (self.columns, self.rows) = (columns, rows)
            (width, height) = isTransposed ? (rows.count, columns.count) : (columns.count, rows.count)
            let corner = lattice(0, 0)
            isTurned = (corner.x + corner.y) % 2 != 0
        }

        /// Returns the lattice coordinates of a dot position of the symbol.
        func lattice(_ x: Int, _ y: Int) -> (x: Int, y: Int) {
            let (x, y) = isTurned ? (width - 1 - x, height - 1 - y) : (x, y)
            return isTransposed
                ? (columns.lowerBound + y, rows.lowerBound + x) : (columns.lowerBound + x, rows.lowerBound + y)
        }

        func corners(_ map: Homography, isFlipped: Bool) -> Quadrilateral {
            // Half a position beyond the centers of the outermost dots.
            func corner(_ x: Int, _ y: Int) -> Point {
                let (place, next) = (lattice(x, y), lattice(x == 0 ? 1 : x - 1, y == 0 ? 1 : y - 1))
                return map.map(
                    Double(place.x) + Double(place.x - next.x) / 2, Double(place.y) + Double(place.y - next.y) / 2)
            }
            let (left, right) = isFlipped ? (width - 1, 0) : (0, width - 1)
            return Quadrilateral(
                topLeft: corner(left, 0), topRight: corner(right, 0), bottomRight: corner(right, height - 1),
                bottomLeft: corner(left, height - 1))
        }
    }

    /// The brightness at the positions of a lattice and at some around them.
    private struct Lattice {
        private let columns: ClosedRange<Int>
        private let rows: ClosedRange<Int>
        private let values: [Float]
        private let isDark: [Bool]

        init(
            _ pixels: PixelSampler, _ map: Homography, _ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>,
            isInverted: Bool
        ) {
            let columns = columns.lowerBound - 1...columns.upperBound + 1
            let rows = rows.lowerBound - 1...rows.upperBound + 1
            (self.columns, self.rows) = (columns, rows)
            var values: [Float] = []
            for y in rows {
                for x in columns {
                    let center = map.map(Double(x), Double(y))
                    let (right, down) = (map.map(Double(x) + 0.2, Double(y)), map.map(Double(x), Double(y) + 0.2))
                    let value = pixels.meanBrightness(
                        center, toRight: Point(x: right.x - center.x, y: right.y - center.y),
                        down: Point(x: down.x - center.x, y: down.y - center.y))
                    values.append(isInverted ? 255 - value : value)
                }
            }
            self.values = values
            isDark = Self.divided(values, columns, rows)
        }

        /// Returns the positions with a dot: those nearer to the darkest around than to the mean of those that cannot
        /// have dots.
        private static func divided(
            _ values: [Float], _ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>
        ) -> [Bool] {
            let (width, height) = (columns.count, rows.count)
            var isDark = [Bool](repeating: false, count: values.count)
            for y in 0..<height {
                for x in 0..<width where (x + columns.lowerBound + y + rows.lowerBound) % 2 == 0 {
                    var (light, count): (Float, Float) = (0, 0)
                    var dark = Float.infinity
                    for row in max(0, y - reach)...min(height - 1, y + reach) {
                        for column in max(0, x - reach)...min(width - 1, x + reach) {
                            let value = values[row * width + column]
                            if (column + columns.lowerBound + row + rows.lowerBound) % 2 == 0 {
                                dark = min(dark, value)
                            } else {
                                light += value
                                count += 1
                            }
                        }
                    }
                    isDark[y * width + x] = values[y * width + x] < (dark + light / max(1, count)) / 2
                }
            }
            return isDark
        }

        func grid(_ mapping: LatticeMapping) -> ModuleGrid {
            var grid = ModuleGrid(width: mapping.width, height: mapping.height)
            for y in 0..<mapping.height {
                for x in 0..<mapping.width {
                    let there = mapping.lattice(x, y)
                    guard columns.contains(there.x), rows.contains(there.y) else { continue }
                    grid[x, y] =
                        isDark[(there.y - rows.lowerBound) * columns.count + there.x - columns.lowerBound]
                }
            }
            return grid
        }
    }
}
