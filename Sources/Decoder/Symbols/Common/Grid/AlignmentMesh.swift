import BarcodeCore

/// How far the modules of a symbol that is not flat are from where a homography puts them.
///
/// The alignment patterns are sought one by one; between them the shift is interpolated by cubics (Catmull-Rom), since
/// paper bends and does not fold, and beyond the outermost it stays as it is there. Units are modules.
struct AlignmentMesh: ModuleShifts {
    private let positions: [Double]
    /// One shift for each pair of positions, row by row, within a margin of one that continues them as a parabola.
    private let shifts: [Point]

    /// The mesh of a symbol whose alignment patterns are seen; nil where it has fewer than two rows of them.
    ///
    /// - Parameter sign: 1 for dark on light, -1 for light on dark.
    init?(_ pixels: PixelSampler, map: Homography, version: Int, sign: Float) {
        let positions = QRVersion.alignmentPositions(version).map { Double($0) + 0.5 }
        guard positions.count >= 3 else { return nil }
        let last = positions.count - 1
        var found = [Point?](repeating: nil, count: positions.count * positions.count)
        // Outwards from the top left, each search starts from the shifts of the neighbours that were found.
        for row in positions.indices {
            for column in positions.indices {
                let place = row * positions.count + column
                if (row, column) == (0, 0) || (row, column) == (0, last) || (row, column) == (last, 0) {
                    // There stand the finder patterns, which the homography is made from.
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

    /// The mesh of nodes at the crossings of rows and columns.
    ///
    /// - Parameters:
    ///   - positions: of the rows and of the columns, in modules: three or more.
    ///   - found: how far each node is from its place, row by row; nil where it was not seen.
    init(positions: [Double], found: [Point?]) {
        self.positions = positions
        let last = positions.count - 1
        let measured = found.indices.map { place in
            if let shift = found[place] { return shift }
            // One that was not seen lies between its neighbours.
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

    /// Adds a node before the first and behind the last of each row and column.
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

    /// The shift at a place in module coordinates.
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

    /// What each of four nodes counts at a place between the second and the third, `t` from 0 to 1.
    private static func weights(_ t: Double) -> (Double, Double, Double, Double) {
        (
            ((2 - t) * t - 1) * t / 2, ((3 * t - 5) * t * t + 2) / 2, ((4 - 3 * t) * t + 1) * t / 2,
            (t - 1) * t * t / 2
        )
    }

    /// The interval that a coordinate is in, and how far along it is, 0 to 1.
    private func cell(_ value: Double) -> (index: Int, fraction: Double) {
        var index = 0
        while index < positions.count - 2, value >= positions[index + 1] { index += 1 }
        let fraction = (value - positions[index]) / (positions[index + 1] - positions[index])
        return (index, min(max(fraction, 0), 1))
    }
}
