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
        let count = (degree + 1) * (degree + 2) / 2
        // The normal equations, summed up without an array for each sample.
        func solve(_ samples: [AxisSample]) -> [Double]? {
            var sums = [Double](repeating: 0, count: count * (count + 1))
            var terms = [Double](repeating: 0, count: count)
            for sample in samples {
                Self.terms(sample.at, middle, degree, into: &terms)
                for one in 0..<count {
                    let weighted = terms[one] * sample.weight
                    for other in 0..<count { sums[one * (count + 1) + other] += weighted * terms[other] }
                    sums[one * (count + 1) + count] += weighted * sample.shift
                }
            }
            return LinearEquations.solve(
                (0..<count).map { Array(sums[$0 * (count + 1)..<($0 + 1) * (count + 1)]) })
        }
        guard let across = solve(across), let down = solve(down) else { return nil }
        (self.middle, self.degree, self.across, self.down) = (middle, degree, across, down)
    }

    /// Returns the shift at a point, both in modules.
    func shift(_ x: Double, _ y: Double) -> Point {
        var terms = across
        Self.terms(Point(x: x, y: y), middle, degree, into: &terms)
        var shift = Point(x: 0, y: 0)
        for index in terms.indices {
            shift.x += terms[index] * across[index]
            shift.y += terms[index] * down[index]
        }
        return shift
    }

    /// Computes the powers of the coordinates up to a degree in both together, from the lowest on.
    private static func terms(_ point: Point, _ middle: Point, _ degree: Int, into terms: inout [Double]) {
        // In units of half a side the equations are well conditioned.
        let (x, y) = (point.x / middle.x - 1, point.y / middle.y - 1)
        terms[0] = 1
        var (before, count) = (0, 1)
        for power in 1...max(1, degree) where power <= degree {
            // Each of the terms of the degree before, times x, and the last one times y.
            for index in 0..<power { terms[count + index] = terms[before + index] * x }
            terms[count + power] = terms[before + power - 1] * y
            (before, count) = (count, count + power + 1)
        }
    }
}
