public import BarcodeCore

/// Finds lattices of separate dots: DotCode symbols, which have no finder pattern.
///
/// Dots are spots of one size, at every second place of a grid; from a dot its neighbors are followed, each from where
/// those before it say that the next must be, so that a bent or tilted sheet does no harm.
public struct DotLocator: Sendable {
    /// A lattice.
    public struct Lattice: Sendable {
        /// From places to pixels; the middles of places have whole coordinates, and those have dots whose sum is even.
        public var map: Homography
        /// Places from the leftmost dot to the rightmost.
        public var columns: ClosedRange<Int>
        /// Places from the uppermost dot to the lowest.
        public var rows: ClosedRange<Int>
        /// Dots that were seen.
        public var count: Int

        /// The corners, half a place around the outermost dots.
        public var corners: Quadrilateral {
            let (left, right) = (Double(columns.lowerBound) - 0.5, Double(columns.upperBound) + 0.5)
            let (top, bottom) = (Double(rows.lowerBound) - 0.5, Double(rows.upperBound) + 0.5)
            return Quadrilateral(
                topLeft: map.map(left, top), topRight: map.map(right, top), bottomRight: map.map(right, bottom),
                bottomLeft: map.map(left, bottom))
        }
    }

    /// The lattices, those of most dots first.
    public let lattices: [Lattice]

    /// Pixels of a dot.
    private static let dotPixels = 1...4000
    /// Spots after which the rest of a picture is texture.
    private static let maximumDots = 30_000
    /// Dots of the smallest symbol that is looked for.
    private static let minimumDots = 12
    /// Lattices that are given.
    private static let maximumLattices = 64
    /// How far a dot may be from where it is expected, as a part of the distance to its neighbor.
    private static let slack = 0.3

    /// Looks for lattices of dark dots, or of light ones.
    ///
    /// - Parameter coresOf: the picture that was divided into two tones, where dots that touch each other are to be looked
    ///   for: of what is dark then the darker part counts alone.
    public init(_ image: BinaryImage, isLight: Bool, coresOf original: LumaImage? = nil) {
        let cores = original.map { image.cores(of: $0, isLight: isLight) }
        let spots = InkSpots(
            cores ?? image, pixels: Self.dotPixels,
            isLight: cores == nil && isLight, joinsCorners: false
        ).spots
        let dots = spots.filter { $0.length < 1.7 * $0.width + 1.5 }
        guard dots.count >= Self.minimumDots, dots.count <= Self.maximumDots else {
            lattices = []
            return
        }
        let places = SpotPlaces(dots)
        var isUsed = [Bool](repeating: false, count: dots.count)
        var found: [Lattice] = []
        for seed in dots.indices where !isUsed[seed] && found.count < Self.maximumLattices {
            guard !SearchTime.isOver else { break }
            guard let step = Self.step(from: seed, dots, places) else { continue }
            let grown = Self.grown(from: seed, step, dots, places, isUsed)
            guard grown.count >= Self.minimumDots, let (lattice, used) = Self.lattice(grown, dots) else { continue }
            for dot in used { isUsed[dot] = true }
            found.append(lattice)
        }
        lattices = found.sorted { $0.count > $1.count }
    }

    /// The way to the nearest dot, where others are as near to theirs.
    private static func step(from seed: Int, _ dots: [InkSpots.Spot], _ places: SpotPlaces) -> Point? {
        guard let own = nearest(to: seed, dots, places) else { return nil }
        // Another one square to it tells the lattice from a line of print.
        let (x, y) = (own.way.x, own.way.y)
        for (acrossX, acrossY) in [(-y, x), (y, -x)] {
            let expected = Point(x: dots[seed].center.x + acrossX, y: dots[seed].center.y + acrossY)
            if dot(near: expected, reach: slack * own.distance, like: dots[seed], dots, places) != nil {
                return own.way
            }
        }
        return nil
    }

    private static func nearest(
        to seed: Int, _ dots: [InkSpots.Spot], _ places: SpotPlaces
    ) -> (way: Point, distance: Double)? {
        let from = dots[seed]
        var best: (way: Point, distance: Double)?
        let reach = 4 * from.length + 2
        for index in places.near(from.center, reach: reach) where index != seed && areAlike(dots[index], from) {
            let (x, y) = (dots[index].center.x - from.center.x, dots[index].center.y - from.center.y)
            let distance = (x * x + y * y).squareRoot()
            if distance < best?.distance ?? reach, distance > 1.1 { best = (Point(x: x, y: y), distance) }
        }
        return best
    }

    private static func areAlike(_ one: InkSpots.Spot, _ other: InkSpots.Spot) -> Bool {
        one.length < 1.7 * other.length + 0.7 && other.length < 1.7 * one.length + 0.7
    }

    private static func dot(
        near point: Point, reach: Double, like one: InkSpots.Spot, _ dots: [InkSpots.Spot], _ places: SpotPlaces
    ) -> Int? {
        var best: (index: Int, distance: Double)?
        for index in places.near(point, reach: reach) where areAlike(dots[index], one) {
            let (x, y) = (dots[index].center.x - point.x, dots[index].center.y - point.y)
            let distance = (x * x + y * y).squareRoot()
            if distance < min(reach, best?.distance ?? reach) { best = (index, distance) }
        }
        return best?.index
    }

    /// A dot of a lattice, and the ways from it to the next in both directions.
    private struct Node {
        var dot: Int
        var (i, j): (Int, Int)
        var (u, v): (Point, Point)
    }

    /// The dots that are reached from one, step by step or over one that is not there.
    private static func grown(
        from seed: Int, _ step: Point, _ dots: [InkSpots.Spot], _ places: SpotPlaces, _ isUsed: [Bool]
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
                    let dot = dot(near: expected, reach: slack * size, like: dots[seed], dots, places),
                    !isUsed[dot], isKnown.insert(dot).inserted
                else { continue }
                // What it is off the place is spread over the steps to it.
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

    /// The next dots in all directions, then those behind them.
    private static let ways: [(Int, Int)] = [
        (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1), (2, 0), (-2, 0), (0, 2), (0, -2),
    ]

    /// The plane of the dots, and all dots that are on it: some are reached from no other.
    private static func lattice(_ nodes: [Node], _ dots: [InkSpots.Spot]) -> (Lattice, used: [Int])? {
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
            // Noise has spots of all sizes.
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

    /// Places beyond the outermost dots in which others are looked for.
    private static let margin = 4
}
