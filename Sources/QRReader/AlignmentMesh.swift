import BarcodeCore

/// How far the modules of a symbol that is not flat are from where a homography puts them.
///
/// The alignment patterns are sought one by one; between them the shift is interpolated, and beyond the outermost it
/// stays as it is there. Units are modules.
struct AlignmentMesh {
    private let positions: [Double]
    /// One shift for each pair of positions, row by row.
    private var shifts: [Point]

    /// The mesh of a symbol whose alignment patterns are seen; nil where it has fewer than two rows of them.
    ///
    /// - Parameter sign: 1 for dark on light, -1 for light on dark.
    init?(_ pixels: PixelSampler, map: Homography, version: Int, sign: Float) {
        let positions = SymbolVersion.alignmentPositions(version).map { Double($0) + 0.5 }
        guard positions.count >= 3 else { return nil }
        self.positions = positions
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
        shifts = found.indices.map { place in
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
    }

    private static func mean(_ one: Point?, _ other: Point?) -> Point? {
        guard let one else { return other }
        guard let other else { return one }
        return Point(x: (one.x + other.x) / 2, y: (one.y + other.y) / 2)
    }

    /// The shift at a place in module coordinates.
    func shift(_ x: Double, _ y: Double) -> Point {
        let (column, right) = cell(x)
        let (row, lower) = cell(y)
        let place = row * positions.count + column
        let (a, b) = (shifts[place], shifts[place + 1])
        let (c, d) = (shifts[place + positions.count], shifts[place + positions.count + 1])
        func blend(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
            (a * (1 - right) + b * right) * (1 - lower) + (c * (1 - right) + d * right) * lower
        }
        return Point(x: blend(a.x, b.x, c.x, d.x), y: blend(a.y, b.y, c.y, d.y))
    }

    /// The interval that a coordinate is in, and how far along it is, 0 to 1.
    private func cell(_ value: Double) -> (index: Int, fraction: Double) {
        var index = 0
        while index < positions.count - 2, value >= positions[index + 1] { index += 1 }
        let fraction = (value - positions[index]) / (positions[index + 1] - positions[index])
        return (index, min(max(fraction, 0), 1))
    }
}
