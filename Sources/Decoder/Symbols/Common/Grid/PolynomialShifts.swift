internal import BarcodeCore

/// The shifts of a symbol's modules as polynomials, which describe a sheet around a can.
struct PolynomialShifts: ModuleShifts {
    /// A point in modules, its shift, and the weight of both.
    struct Sample {
        var at: Point
        var shift: Point
        var weight = 1.0
    }

    /// A point in modules, its shift along one axis, and the weight.
    struct AxisSample {
        var at: Point
        var shift: Double
        var weight = 1.0
    }

    /// The middle of the symbol in modules, from which the polynomials are evaluated.
    private let middle: Point
    private let degree: Int
    private let across: [Double]
    private let down: [Double]

    /// Fits the polynomials to samples by least squares; `nil` if the samples do not determine them.
    ///
    /// - Parameters:
    ///   - samples: the samples.
    ///   - degree: the degree of the polynomials in both variables together.
    ///   - size: the number of modules along a side.
    init?(fitting samples: [Sample], degree: Int, size: Int) {
        func axis(_ shift: (Sample) -> Double) -> [AxisSample] {
            samples.map { AxisSample(at: $0.at, shift: shift($0), weight: $0.weight) }
        }
        self.init(
            across: axis(\.shift.x), down: axis(\.shift.y), degree: degree, width: size, height: size)
    }

    /// Fits the polynomials of both axes, each to samples of its own.
    ///
    /// - Parameters:
    ///   - across: the shifts to the right.
    ///   - down: the shifts downward.
    ///   - degree: the degree of the polynomials in both variables together.
    ///   - width: the number of modules in a row.
    ///   - height: the number of modules in a column.
    init?(across: [AxisSample], down: [AxisSample], degree: Int, width: Int, height: Int) {
        let middle = Point(x: Double(width) / 2, y: Double(height) / 2)
        func solve(_ samples: [AxisSample]) -> [Double]? {
            let rows = samples.map { Self.terms($0.at, middle, degree) }
            let count = rows.first?.count ?? 0
            return LinearEquations.solve(
                (0..<count).map { one in
                    let weighted = zip(rows, samples).map { $0[one] * $1.weight }
                    return (0..<count).map { other in zip(weighted, rows).reduce(0) { $0 + $1.0 * $1.1[other] } }
                        + [zip(weighted, samples).reduce(0) { $0 + $1.0 * $1.1.shift }]
                })
        }
        guard let across = solve(across), let down = solve(down) else { return nil }
        (self.middle, self.degree, self.across, self.down) = (middle, degree, across, down)
    }

    /// Returns the shift at a point, both in modules.
    func shift(_ x: Double, _ y: Double) -> Point {
        let terms = Self.terms(Point(x: x, y: y), middle, degree)
        return Point(
            x: zip(terms, across).reduce(0) { $0 + $1.0 * $1.1 }, y: zip(terms, down).reduce(0) { $0 + $1.0 * $1.1 })
    }

    private static func terms(_ point: Point, _ middle: Point, _ degree: Int) -> [Double] {
        // In units of half a side the equations are well conditioned.
        let (x, y) = (point.x / middle.x - 1, point.y / middle.y - 1)
        var row = [1.0]
        var terms = row
        for _ in 0..<degree {
            row = row.map { $0 * x } + [row[row.count - 1] * y]
            terms += row
        }
        return terms
    }
}
