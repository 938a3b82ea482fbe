import BarcodeCore

/// Fits the plane of a symbol that was read to the edges between its modules.
///
/// The modules are known by then, and with them hundreds of places where dark meets light; a finder pattern or an
/// alignment pattern alone tells the far corner of a tilted symbol to a few percent of its side only. Source: the
/// search along the normal of a known edge as in Harris and Stennett, RAPID - a video rate object tracker, 1990.
struct EdgeFit {
    /// Edges that are looked at: enough for a tenth of a module at the corners, in half a millisecond.
    private static let maximumEdges = 400
    /// How far to either side of its place an edge is looked for, in modules, and in how many steps.
    private static let reach = 0.5
    private static let steps = 10
    /// An edge whose contrast is less than this share of the mean is left out.
    private static let smallestContrast: Float = 0.4
    /// The root of the mean square of what edges are off a plane, in modules, up to which the sheet is called flat.
    private static let largestResidual = 0.2
    /// Modules by which a corner may move: farther away is an edge of the next module.
    private static let largestMove = 2.5

    /// A place where two neighbouring modules differ, in modules, and the direction across it.
    private struct Edge {
        var x, y: Double
        var isVertical: Bool
        /// Whether the module to the right or below is the light one.
        var isRising: Bool
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

    /// Fits to function patterns alone, before anything else of the symbol is known.
    ///
    /// - Parameters:
    ///   - columns: how many columns from the left are looked at; one more than there are for the right edge too.
    ///   - rows: how many rows from the top, likewise.
    init(_ pixels: PixelSampler, patterns: FunctionPatterns, columns: Int, rows: Int, isInverted: Bool) {
        self.pixels = pixels
        width = min(columns, patterns.width + 1)
        height = min(rows, patterns.height + 1)
        // What is beyond the edges is the quiet zone.
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

    /// The map that has the edges where they are seen; the given one where they are in no plane.
    func refined(_ map: Homography) -> Homography {
        var best = map
        for _ in 0..<2 {
            let seen = edges.compactMap { measured($0, best) }
            let mean = seen.reduce(0) { $0 + $1.contrast } / Float(max(1, seen.count))
            let clear = seen.filter { $0.contrast >= Self.smallestContrast * mean }
            guard clear.count >= 24, clear.count * 2 > edges.count else { return map }
            let pairs = clear.map { item in
                let (x, y) = (item.edge.x, item.edge.y)
                let place =
                    item.edge.isVertical ? best.map(x + item.offset, y) : best.map(x, y + item.offset)
                return (from: Point(x: x, y: y), to: place)
            }
            guard let fitted = Homography(fitting: pairs), isFlat(fitted, pairs), isNear(fitted, map) else {
                return map
            }
            best = fitted
        }
        return best
    }

    /// How far an edge is from its place, in modules; nil where it is not seen.
    private func measured(_ edge: Edge, _ map: Homography) -> (edge: Edge, offset: Double, contrast: Float)? {
        let step = 2 * Self.reach / Double(Self.steps)
        // On the way across a single module a plane is as good as flat.
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
        let sum = pairs.reduce(0) { sum, pair in
            let seen = back.map(pair.to)
            return sum + (seen.x - pair.from.x) * (seen.x - pair.from.x)
                + (seen.y - pair.from.y) * (seen.y - pair.from.y)
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
