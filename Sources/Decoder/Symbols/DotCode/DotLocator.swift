public import BarcodeCore

/// Locates lattices of separate dots: DotCode symbols, which have no finder pattern.
///
/// Dots are components of one size at every second position of a grid. From a dot, its neighbors are followed, each
/// from the location predicted by the previous ones; so a bent or tilted sheet does no harm.
public struct DotLocator: Sendable {
    /// A lattice of dots.
    public struct Lattice: Sendable {
        /// The homography from lattice to pixels.
        ///
        /// Dot positions have integer coordinates; those with an even sum may have dots.
        public var map: Homography
        /// The positions from the leftmost dot to the rightmost.
        public var columns: ClosedRange<Int>
        /// The positions from the uppermost dot to the lowest.
        public var rows: ClosedRange<Int>
        /// The number of dots found.
        public var count: Int

        /// The corners in pixels, half a position outside the outermost dots.
        public var corners: Quadrilateral {
            let (left, right) = (Double(columns.lowerBound) - 0.5, Double(columns.upperBound) + 0.5)
            let (top, bottom) = (Double(rows.lowerBound) - 0.5, Double(rows.upperBound) + 0.5)
            return Quadrilateral(
                topLeft: map.map(left, top), topRight: map.map(right, top), bottomRight: map.map(right, bottom),
                bottomLeft: map.map(left, bottom))
        }
    }

    /// The lattices, those with the most dots first.
    public let lattices: [Lattice]

    /// The area of a dot in pixels.
    private static let dotPixels = 1...4000
    /// The maximum number of components; a picture with more is texture.
    private static let maximumDots = 30_000
    /// The minimum number of dots of a symbol.
    private static let minimumDots = 12
    /// The maximum number of lattices returned.
    private static let maximumLattices = 64
    /// The maximum distance of a dot from its predicted location, as a share of the distance to its neighbor.
    private static let slack = 0.3

    /// Searches for lattices of dark or of light dots.
    ///
    /// - Parameter coresOf: the picture that was binarized, to search for touching dots: only the darker part of the
    ///   dark pixels then counts (for light dots, the lighter part of the light ones).
    public init(_ image: BinaryImage, isLight: Bool, coresOf original: LumaImage? = nil) {
        let cores = original.map { image.cores(of: $0, isLight: isLight) }
        let components = ConnectedComponents(
            cores ?? image, pixels: Self.dotPixels,
            isLight: cores == nil && isLight, joinsCorners: false
        ).components
        let dots = components.filter { $0.length < 1.7 * $0.width + 1.5 }
        guard dots.count >= Self.minimumDots, dots.count <= Self.maximumDots else {
            lattices = []
            return
        }
        let neighbors = ComponentIndex(dots)
        var isUsed = [Bool](repeating: false, count: dots.count)
        var found: [Lattice] = []
        for seed in dots.indices where !isUsed[seed] && found.count < Self.maximumLattices {
            guard !SearchTime.isOver else { break }
            guard let step = Self.step(from: seed, dots, neighbors) else { continue }
            let grown = Self.grown(from: seed, step, dots, neighbors, isUsed)
            guard grown.count >= Self.minimumDots, let (lattice, used) = Self.lattice(grown, dots) else { continue }
            for dot in used { isUsed[dot] = true }
            found.append(lattice)
        }
        lattices = found.sorted { $0.count > $1.count }
    }

    /// Returns the vector to the nearest dot, if another dot is as near at a right angle.
    private static func step(
        from seed: Int, _ dots: [ConnectedComponents.Component], _ neighbors: ComponentIndex
    ) -> Point? {
        guard let own = nearest(to: seed, dots, neighbors) else { return nil }
        // The dot at a right angle distinguishes a lattice from a line of print.
        let (x, y) = (own.way.x, own.way.y)
        for (acrossX, acrossY) in [(-y, x), (y, -x)] {
            let expected = Point(x: dots[seed].center.x + acrossX, y: dots[seed].center.y + acrossY)
            if dot(near: expected, reach: slack * own.distance, like: dots[seed], dots, neighbors) != nil {
                return own.way
            }
        }
        return nil
    }

    private static func nearest(
        to seed: Int, _ dots: [ConnectedComponents.Component], _ neighbors: ComponentIndex
    ) -> (way: Point, distance: Double)? {
        let from = dots[seed]
        var best: (way: Point, distance: Double)?
        let reach = 4 * from.length + 2
        for index in neighbors.near(from.center, reach: reach) where index != seed && areAlike(dots[index], from) {
            let (x, y) = (dots[index].center.x - from.center.x, dots[index].center.y - from.center.y)
            let distance = (x * x + y * y).squareRoot()
            if distance < best?.distance ?? reach, distance > 1.1 { best = (Point(x: x, y: y), distance) }
        }
        return best
    }

    private static func areAlike(_ one: ConnectedComponents.Component, _ other: ConnectedComponents.Component) -> Bool {
        one.length < 1.7 * other.length + 0.7 && other.length < 1.7 * one.length + 0.7
    }

    private static func dot(
        near point: Point, reach: Double, like one: ConnectedComponents.Component,
        _ dots: [ConnectedComponents.Component], _ neighbors: ComponentIndex
    ) -> Int? {
        var best: (index: Int, distance: Double)?
        for index in neighbors.near(point, reach: reach) where areAlike(dots[index], one) {
            let (x, y) = (dots[index].center.x - point.x, dots[index].center.y - point.y)
            let distance = (x * x + y * y).squareRoot()
            if distance < min(reach, best?.distance ?? reach) { best = (index, distance) }
        }
        return best?.index
    }

    /// A dot of a lattice, and the vectors from it to the next in both directions.
    private struct Node {
        var dot: Int
        var (i, j): (Int, Int)
        var (u, v): (Point, Point)
    }

    /// Returns the dots reachable from one, step by step or across one missing dot.
    private static func grown(
        from seed: Int, _ step: Point, _ dots: [ConnectedComponents.Component], _ neighbors: ComponentIndex,
        _ isUsed: [Bool]
    ) -> [Node] {
        var nodes = [Node(dot: seed, i: 0, j: 0, u: step, v: Point(x: -step.y, y: step.x))]
        var isKnown: Set<Int> = [seed]
        var next = 0
        while next < nodes.count {
            let node = nodes[next]
            next += 1
            let from = dots[node.dot].center
            for (i, j) in ways {
                let expected = Point(
                    x: from.x + Double(i) * node.u.x + Double(j) * node.v.x,
                    y: from.y + Double(i) * node.u.y + Double(j) * node.v.y)
                let size = (node.u.x * node.u.x + node.u.y * node.u.y).squareRoot()
                guard abs(node.i + i) < 200, abs(node.j + j) < 200,
                    let dot = dot(near: expected, reach: slack * size, like: dots[seed], dots, neighbors),
                    !isUsed[dot], isKnown.insert(dot).inserted
                else { continue }
                // The deviation from the predicted location is spread over the steps to it.
                let steps = Double(abs(i) + abs(j))
                let (x, y) = (dots[dot].center.x - expected.x, dots[dot].center.y - expected.y)
                func corrected(_ way: Point, _ count: Int) -> Point {
                    let share = 0.4 * Double(count) / (steps * steps)
                    return Point(x: way.x + share * x, y: way.y + share * y)
                }
                nodes.append(
                    Node(dot: dot, i: node.i + i, j: node.j + j, u: corrected(node.u, i), v: corrected(node.v, j)))
            }
        }
        return nodes
    }

    /// The nearest dots in all directions, then those behind them.
    private static let ways: [(Int, Int)] = [
        (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1), (2, 0), (-2, 0), (0, 2), (0, -2),
    ]

    /// Fits the plane of the dots, and adds all other dots that are on it, which may be reachable from no other.
    private static func lattice(_ nodes: [Node], _ dots: [ConnectedComponents.Component]) -> (Lattice, used: [Int])? {
        var members = nodes.map { (dot: $0.dot, x: $0.i + $0.j, y: $0.i - $0.j) }
        guard !nodes.isEmpty else { return nil }
        let length = nodes.map { dots[$0.dot].length }.sorted()[nodes.count / 2]
        while true {
            let pairs = members.map { (from: Point(x: Double($0.x), y: Double($0.y)), to: dots[$0.dot].center) }
            guard let map = Homography(fitting: pairs), let left = members.map(\.x).min(),
                let right = members.map(\.x).max(), let top = members.map(\.y).min(),
                let bottom = members.map(\.y).max(),
                left < right, top < bottom
            else { return nil }
            let lattice = Lattice(map: map, columns: left...right, rows: top...bottom, count: members.count)
            let back = map.inverse
            var isKnown = Set(members.map(\.dot))
            // Noise has components of all sizes.
            for dot in dots.indices
            where abs(dots[dot].length - length) < 0.25 * length + 0.4 && !isKnown.contains(dot) {
                let place = back.map(dots[dot].center)
                guard place.x > Double(left - margin), place.x < Double(right + margin), place.y > Double(top - margin),
                    place.y < Double(bottom + margin)
                else { continue }
                let (x, y) = (place.x.rounded(), place.y.rounded())
                guard abs(place.x - x) < slack, abs(place.y - y) < slack, (Int(x) + Int(y)) % 2 == 0 else { continue }
                members.append((dot, Int(x), Int(y)))
                isKnown.insert(dot)
            }
            if members.count == pairs.count { return (lattice, Array(isKnown)) }
        }
    }

    /// The number of positions beyond the outermost dots in which to look for others.
    private static let margin = 4
}
