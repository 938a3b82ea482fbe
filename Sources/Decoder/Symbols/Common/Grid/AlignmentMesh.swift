import BarcodeCore

/// The shifts of a symbol's modules from a homography, on a sheet that is not flat.
///
/// The alignment patterns are searched for one by one. Between them the shift is interpolated by cubics
/// (Catmull-Rom), since paper bends smoothly; beyond the outermost it is constant. Units are modules.
struct AlignmentMesh: ModuleShifts {
    private let positions: [Double]
    /// The shifts at each pair of positions, row by row, with a margin of one that extrapolates them as a parabola.
    private let shifts: [Point]

    /// Creates the mesh of a QR Code symbol from its alignment patterns; `nil` if the version has fewer than two rows
    /// of them or none is found.
    ///
    /// - Parameter sign: 1 for dark on light, -1 for light on dark.
    init?(_ pixels: PixelSampler, map: Homography, version: Int, sign: Float) {
        let positions = QRVersion.alignmentPositions(version).map { Double($0) + 0.5 }
        guard positions.count >= 3 else { return nil }
        let last = positions.count - 1
        var found = [Point?](repeating: nil, count: positions.count * positions.count)
        // Outward from the top left, each search starts from the shifts of the neighbors already found.
        for row in positions.indices {
            for column in positions.indices {
                let place = row * positions.count + column
                if (row, column) == (0, 0) || (row, column) == (0, last) || (row, column) == (last, 0) {
                    // The finder patterns are here, from which the homography is made.
                    found[place] = Point(x: 0, y: 0)
                    continue
                }
                let left = column > 0 ? found[place - 1] : nil
                let upper = row > 0 ? found[place - positions.count] : nil
                let start = Self.mean(left, upper) ?? Point(x: 0, y: 0)
                let (x, y) = (positions[column], positions[row])
                let best = pixels.search(around: (x + start.x, y + start.y), reach: 4) {
                    sign * pixels.alignmentScore(map, x: $0, y: $1)
                }
                if best.score >= 0.6 { found[place] = Point(x: best.x - x, y: best.y - y) }
            }
        }
        guard found.compactMap({ $0 }).count > 3 else { return nil }
        self.init(positions: positions, found: found)
    }

    /// Creates a mesh of nodes at the crossings of rows and columns.
    ///
    /// - Parameters:
    ///   - positions: the positions of the rows and of the columns, in modules: three or more.
    ///   - found: the shift of each node in modules, row by row; `nil` if it was not found.
    init(positions: [Double], found: [Point?]) {
        self.positions = positions
        let last = positions.count - 1
        let measured = found.indices.map { place in
            if let shift = found[place] { return shift }
            // A node that was not found lies between its neighbors.
            let row = place / positions.count
            let column = place % positions.count
            let horizontal = Self.mean(
                column > 0 ? found[place - 1] : nil, column < last ? found[place + 1] : nil)
            let vertical = Self.mean(
                row > 0 ? found[place - positions.count] : nil, row < last ? found[place + positions.count] : nil)
            return Self.mean(horizontal, vertical) ?? Point(x: 0, y: 0)
        }
        shifts = Self.withMargin(measured, side: positions.count)
    }

    /// Adds a node before the first and after the last of each row and column.
    private static func withMargin(_ nodes: [Point], side: Int) -> [Point] {
        func extended(_ line: [Point]) -> [Point] {
            func beyond(_ a: Point, _ b: Point, _ c: Point) -> Point {
                Point(x: 3 * (a.x - b.x) + c.x, y: 3 * (a.y - b.y) + c.y)
            }
            let last = line.count - 1
            return [beyond(line[0], line[1], line[2])] + line + [beyond(line[last], line[last - 1], line[last - 2])]
        }
        let rows = (0..<side).map { extended(Array(nodes[($0 * side)..<(($0 + 1) * side)])) }
        let columns = (0..<(side + 2)).map { column in extended(rows.map { $0[column] }) }
        return (0..<(side + 2)).flatMap { row in columns.map { $0[row] } }
    }

    static func mean(_ one: Point?, _ other: Point?) -> Point? {
        guard let one else { return other }
        guard let other else { return one }
        return Point(x: (one.x + other.x) / 2, y: (one.y + other.y) / 2)
    }

    /// Returns the shift at a point, both in modules.
    func shift(_ x: Double, _ y: Double) -> Point {
        let (column, right) = cell(x)
        let (row, lower) = cell(y)
        let across = Self.weights(right)
        let down = Self.weights(lower)
        let width = positions.count + 2
        func blend(_ row: Int) -> Point {
            let place = row * width + column
            let (a, b, c, d) = (shifts[place], shifts[place + 1], shifts[place + 2], shifts[place + 3])
            return Point(
                x: a.x * across.0 + b.x * across.1 + c.x * across.2 + d.x * across.3,
                y: a.y * across.0 + b.y * across.1 + c.y * across.2 + d.y * across.3)
        }
        let (a, b, c, d) = (blend(row), blend(row + 1), blend(row + 2), blend(row + 3))
        return Point(
            x: a.x * down.0 + b.x * down.1 + c.x * down.2 + d.x * down.3,
            y: a.y * down.0 + b.y * down.1 + c.y * down.2 + d.y * down.3)
    }

    /// Returns the weights of four nodes for a point between the second and the third, `t` from 0 to 1.
    private static func weights(_ t: Double) -> (Double, Double, Double, Double) {
        (
            ((2 - t) * t - 1) * t / 2, ((3 * t - 5) * t * t + 2) / 2, ((4 - 3 * t) * t + 1) * t / 2,
            (t - 1) * t * t / 2
        )
    }

    /// Returns the interval that contains a coordinate, and the fraction along it, 0 to 1.
    private func cell(_ value: Double) -> (index: Int, fraction: Double) {
        var index = 0
        while index < positions.count - 2, value >= positions[index + 1] { index += 1 }
        let fraction = (value - positions[index]) / (positions[index + 1] - positions[index])
        return (index, min(max(fraction, 0), 1))
    }
}
