extension Homography {
    /// Fits the homography (perspective transform) that maps points to their partners, by least squares.
    ///
    /// It needs four pairs or more; `nil` if they do not determine a homography, for example if all points are on a
    /// line. It minimizes the algebraic error with the last coefficient fixed at one, after normalization of both
    /// point sets. Source: Hartley and Zisserman, Multiple View Geometry, 2nd edition, 4.1 and 4.4.
    public init?(fitting pairs: [(from: Point, to: Point)]) {
        guard pairs.count >= 4 else { return nil }
        let source = Normalization(pairs.map(\.from))
        let target = Normalization(pairs.map(\.to))
        // The normal equations: two rows per pair, eight unknowns and the right side.
        var sums = NormalEquations()
        for pair in pairs {
            let (p, q) = (source.apply(pair.from), target.apply(pair.to))
            sums.add([p.x, p.y, 1, 0, 0, 0, -p.x * q.x, -p.y * q.x], q.x, first: 0)
            sums.add([0, 0, 0, p.x, p.y, 1, -p.x * q.y, -p.y * q.y], q.y, first: 3)
        }
        guard let solution = LinearEquations.solve(sums.rows) else { return nil }
        let normalized = Homography(
            a: solution[0], b: solution[1], c: solution[2], d: solution[3], e: solution[4], f: solution[5],
            g: solution[6], h: solution[7], i: 1)
        self = target.map.inverse.composed(after: normalized.composed(after: source.map))
        guard isUsable else { return nil }
    }

    /// Accumulates the normal equations over hundreds of rows, in the hottest loop after a symbol was decoded.
    private struct NormalEquations {
        private var sums = (
            SIMD8<Double>(), SIMD8<Double>(), SIMD8<Double>(), SIMD8<Double>(), SIMD8<Double>(), SIMD8<Double>(),
            SIMD8<Double>(), SIMD8<Double>()
        )
        private var right = SIMD8<Double>()

        /// Adds a row in which only three coefficients from `first` on and the last two are nonzero.
        @inline(__always)
        mutating func add(_ row: SIMD8<Double>, _ value: Double, first: Int) {
            if first == 0 {
                sums.0 += row[0] * row
                sums.1 += row[1] * row
                sums.2 += row[2] * row
            } else {
                sums.3 += row[3] * row
                sums.4 += row[4] * row
                sums.5 += row[5] * row
            }
            sums.6 += row[6] * row
            sums.7 += row[7] * row
            right += row * value
        }

        /// The equations, each with its right side as the last element.
        var rows: [[Double]] {
            let all = [sums.0, sums.1, sums.2, sums.3, sums.4, sums.5, sums.6, sums.7]
            return all.indices.map { index in (0..<8).map { all[index][$0] } + [right[index]] }
        }
    }

    /// Centers points at the origin and scales their mean distance to one, so that the equations are well
    /// conditioned.
    private struct Normalization {
        let x, y, scale: Double

        init(_ points: [Point]) {
            let count = Double(points.count)
            let meanX = points.reduce(0) { $0 + $1.x } / count
            let meanY = points.reduce(0) { $0 + $1.y } / count
            let spread = points.reduce(0) { $0 + abs($1.x - meanX) + abs($1.y - meanY) } / count
            x = meanX
            y = meanY
            scale = spread > 0 ? 1 / spread : 1
        }

        func apply(_ point: Point) -> Point { Point(x: (point.x - x) * scale, y: (point.y - y) * scale) }

        var map: Homography {
            Homography(a: scale, b: 0, c: -x * scale, d: 0, e: scale, f: -y * scale, g: 0, h: 0, i: 1)
        }
    }
}
