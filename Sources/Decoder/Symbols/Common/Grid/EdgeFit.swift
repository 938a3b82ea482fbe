import BarcodeCore

/// Fits the homography of a symbol to the edges between its modules.
///
/// The decoded modules are known, and with them hundreds of edges between dark and light. A finder pattern or an
/// alignment pattern alone determines the far corner of a tilted symbol only to a few percent of its side. Source:
/// the search along the normal of a known edge as in Harris and Stennett, RAPID - a video rate object tracker, 1990.
struct EdgeFit {
    /// The maximum number of edges: enough for a tenth of a module at the corners, in half a millisecond.
    private static let maximumEdges = 400
    /// The search range to either side of an edge in modules, and the number of steps.
    private static let reach = 0.5
    private static let steps = 10
    /// The minimum contrast of an edge, as a share of the mean.
    private static let smallestContrast: Float = 0.4
    /// The maximum root mean square distance of the edges from a plane in modules, for a sheet that counts as flat.
    private static let largestResidual = 0.2
    /// The ink spread from which on it is taken into account, in modules: it moves the edges of all dark modules outward,
    /// or inward, and a smaller one does not move the fit.
    private static let smallestSpread = 0.1
    /// The maximum move of a corner in modules: farther away is an edge of the next module.
    private static let largestMove = 2.5

    /// An edge between two modules of different tone, in modules, and its direction.
    private struct Edge {
        var x, y: Double
        var isVertical: Bool
        /// True if the module to the right or below is the lighter one in the picture.
        var isRising: Bool
        /// The direction in which the darker module grows along the axis.
        var growth: Double { isRising ? 1 : -1 }
    }

    private let pixels: PixelSampler
    private let edges: [Edge]
    private let width: Int
    private let height: Int

    init(_ pixels: PixelSampler, grid: ModuleGrid, isInverted: Bool) {
        self.pixels = pixels
        width = grid.width
        height = grid.height
        var all: [Edge] = []
        for y in 0..<height {
            for x in 0..<width {
                if x > 0, grid[x - 1, y] != grid[x, y] {
                    all.append(
                        Edge(
                            x: Double(x), y: Double(y) + 0.5, isVertical: true, isRising: grid[x - 1, y] != isInverted))
                }
                if y > 0, grid[x, y - 1] != grid[x, y] {
                    all.append(
                        Edge(
                            x: Double(x) + 0.5, y: Double(y), isVertical: false, isRising: grid[x, y - 1] != isInverted)
                    )
                }
            }
        }
        edges = Self.some(of: all)
    }

    /// Fits to function patterns alone, before the rest of the symbol is decoded.
    ///
    /// - Parameters:
    ///   - columns: the number of columns to use, from the left; one more than the symbol has includes the right
    ///     edge.
    ///   - rows: the number of rows to use, from the top; likewise.
    init(_ pixels: PixelSampler, patterns: FunctionPatterns, columns: Int, rows: Int, isInverted: Bool) {
        self.pixels = pixels
        width = min(columns, patterns.width + 1)
        height = min(rows, patterns.height + 1)
        // The quiet zone is beyond the edges.
        func isDark(_ x: Int, _ y: Int) -> Bool? {
            guard x >= 0, y >= 0, x < patterns.width, y < patterns.height else { return false }
            switch patterns.roles[y * patterns.width + x] {
            case .dark: return true
            case .light: return false
            default: return nil
            }
        }
        var all: [Edge] = []
        for y in 0..<height {
            for x in 0..<width {
                guard let here = isDark(x, y) else { continue }
                if let left = isDark(x - 1, y), left != here {
                    all.append(
                        Edge(x: Double(x), y: Double(y) + 0.5, isVertical: true, isRising: left != isInverted))
                }
                if let above = isDark(x, y - 1), above != here {
                    all.append(
                        Edge(x: Double(x) + 0.5, y: Double(y), isVertical: false, isRising: above != isInverted))
                }
            }
        }
        edges = Self.some(of: all)
    }

    private static func some(of all: [Edge]) -> [Edge] {
        let step = max(1, all.count / maximumEdges)
        return stride(from: 0, to: all.count, by: step).map { all[$0] }
    }

    /// Returns the homography that fits the edges in the picture; the given one if they do not lie in a plane.
    func refined(_ map: Homography) -> Homography {
        var best = map
        for _ in 0..<2 {
            let seen = edges.compactMap { measured($0, best) }
            let mean = seen.reduce(0) { $0 + $1.contrast } / Float(max(1, seen.count))
            let clear = seen.filter { $0.contrast >= Self.smallestContrast * mean }
            guard clear.count >= 24, clear.count * 2 > edges.count else { return map }
            var spread = clear.reduce(0) { $0 + $1.edge.growth * $1.offset } / Double(clear.count)
            if abs(spread) < Self.smallestSpread { spread = 0 }
            let pairs = clear.map { item in
                let (x, y) = (item.edge.x, item.edge.y)
                let offset = item.offset - item.edge.growth * spread
                let place = item.edge.isVertical ? best.map(x + offset, y) : best.map(x, y + offset)
                return (from: Point(x: x, y: y), to: place)
            }
            guard let fitted = Homography(fitting: pairs), isFlat(fitted, pairs), isNear(fitted, map) else {
                return map
            }
            best = fitted
        }
        return best
    }

    /// The edges per unknown of a bent sheet, at least, and the distance in modules beyond which an edge is taken for
    /// another one.
    private static let edgesPerTerm = 4
    private static let largestBentResidual = 0.3

    /// Returns the shifts of the modules from a homography that fit the edges in the picture, on a sheet that is not
    /// flat; `nil` if too few edges are seen.
    ///
    /// - Parameters:
    ///   - map: the homography.
    ///   - start: the shifts by which the grid was sampled.
    ///   - degree: the degree of the polynomials.
    func shifts(from map: Homography, start: PolynomialShifts?, degree: Int) -> PolynomialShifts? {
        // Each edge with its move from where it was expected, and its shift from the homography.
        let seen = edges.compactMap { edge -> (edge: Edge, move: Double, shift: Double, contrast: Float)? in
            let before = start?.shift(edge.x, edge.y) ?? Point(x: 0, y: 0)
            var expected = edge
            expected.x += before.x
            expected.y += before.y
            return measured(expected, map).map {
                (edge, $0.offset, $0.offset + (edge.isVertical ? before.x : before.y), $0.contrast)
            }
        }
        let mean = seen.reduce(0) { $0 + $1.contrast } / Float(max(1, seen.count))
        let clear = seen.filter { $0.contrast >= Self.smallestContrast * mean }
        guard clear.count * 2 > edges.count else { return nil }
        let spread = clear.reduce(0) { $0 + $1.edge.growth * $1.move } / Double(clear.count)
        func samples(_ isVertical: Bool) -> [PolynomialShifts.AxisSample] {
            clear.filter { $0.edge.isVertical == isVertical }.map {
                PolynomialShifts.AxisSample(
                    at: Point(x: $0.edge.x, y: $0.edge.y), shift: $0.shift - $0.edge.growth * spread)
            }
        }
        let terms = (degree + 1) * (degree + 2) / 2
        func fit(_ across: [PolynomialShifts.AxisSample], _ down: [PolynomialShifts.AxisSample]) -> PolynomialShifts? {
            guard min(across.count, down.count) >= Self.edgesPerTerm * terms else { return nil }
            return PolynomialShifts(across: across, down: down, degree: degree, width: width, height: height)
        }
        let (across, down) = (samples(true), samples(false))
        guard let first = fit(across, down) else { return nil }
        // A wrong module has edges where none belong.
        return fit(
            across.filter { abs(first.shift($0.at.x, $0.at.y).x - $0.shift) < Self.largestBentResidual },
            down.filter { abs(first.shift($0.at.x, $0.at.y).y - $0.shift) < Self.largestBentResidual })
    }

    /// Returns the offset of an edge from its predicted location in modules, and its contrast; `nil` if it is not
    /// visible.
    private func measured(_ edge: Edge, _ map: Homography) -> (edge: Edge, offset: Double, contrast: Float)? {
        let step = 2 * Self.reach / Double(Self.steps)
        // Across a single module, perspective is negligible.
        let (from, to) =
            edge.isVertical
            ? (map.map(edge.x - Self.reach, edge.y), map.map(edge.x + Self.reach, edge.y))
            : (map.map(edge.x, edge.y - Self.reach), map.map(edge.x, edge.y + Self.reach))
        let (stepX, stepY) = ((to.x - from.x) / Double(Self.steps), (to.y - from.y) / Double(Self.steps))
        func value(_ index: Int) -> Float {
            pixels.brightness(Point(x: from.x + Double(index) * stepX, y: from.y + Double(index) * stepY))
        }
        let (first, last) = (value(0), value(Self.steps))
        let contrast = edge.isRising ? last - first : first - last
        guard contrast > 0 else { return nil }
        let middle = (first + last) / 2
        var before = first
        for index in 0..<Self.steps {
            let after = value(index + 1)
            if (before < middle) != (after < middle) {
                let fraction = (middle - before) / (after - before)
                return (edge, (Double(index) + Double(fraction)) * step - Self.reach, contrast)
            }
            before = after
        }
        return nil
    }

    private func isFlat(_ map: Homography, _ pairs: [(from: Point, to: Point)]) -> Bool {
        let back = map.inverse
        var sum = 0.0
        for pair in pairs {
            let seen = back.map(pair.to)
            let (x, y) = (seen.x - pair.from.x, seen.y - pair.from.y)
            sum += x * x + y * y
        }
        return sum < Self.largestResidual * Self.largestResidual * Double(pairs.count)
    }

    private func isNear(_ map: Homography, _ given: Homography) -> Bool {
        let back = given.inverse
        let (right, bottom) = (Double(width), Double(height))
        return [(0, 0), (right, 0), (right, bottom), (0, bottom)].allSatisfy { x, y in
            let seen = back.map(map.map(x, y))
            return abs(seen.x - x) < Self.largestMove && abs(seen.y - y) < Self.largestMove
        }
    }
}
