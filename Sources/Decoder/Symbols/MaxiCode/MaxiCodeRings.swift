import BarcodeCore

/// Fits the plane of a MaxiCode symbol to the rings of its bull's-eye.
///
/// Concentric circles tell the plane that they are drawn on, but for the direction in which the symbol is turned: how far
/// it is slanted, and by how much what is nearer is larger. Each edge that is seen is paired with the nearest point of its
/// circle, and the map that fits the pairs best gives better pairs (Besl and McKay, A Method for Registration of 3-D
/// Shapes, 1992).
struct MaxiCodeRings {
    /// Rays from the center, and how far apart the points on each are, in modules.
    private static let rayCount = 48
    private static let step = 0.125
    private static let reach = 5.25
    /// Rays of ``rayCount`` on which all rings must be seen: some may be damaged.
    private static let fewestRays = 28
    /// Where three rings begin and end, but for the end of the outermost, which a dark module hides wherever it touches
    /// the ring: circles of which only parts are seen would draw the plane to one side.
    private static let edgesPerRay = 5
    /// Rays on which the outermost ring must be seen to end.
    private static let fewestEnds = 8
    /// Modules by which an edge may be off its place on the other rays, once the ray is scaled.
    private static let largestDeviation = 0.4
    /// The root of the mean square of what the edges are off their circles, in modules, up to which they are circles;
    /// concentric squares have 0.35.
    private static let largestResidual = 0.25
    private static let roundsOfPairs = 8

    /// From the plane of ``MaxiCodeLayout``, turned by an unknown angle, to pixels; nil where there are no such rings.
    static func fit(_ pixels: PixelSampler, corners: Quadrilateral, isInverted: Bool) -> Homography? {
        let radius = MaxiCodeLayout.finderRadius
        let square = Quadrilateral(
            topLeft: Point(x: -radius, y: -radius), topRight: Point(x: radius, y: -radius),
            bottomRight: Point(x: radius, y: radius), bottomLeft: Point(x: -radius, y: radius))
        guard var map = Homography(from: square, to: corners) else { return nil }
        for _ in 0..<2 {
            guard let seen = edges(pixels, map, sign: isInverted ? -1 : 1),
                seen.edges.count >= fewestRays * edgesPerRay,
                let fitted = fit(seen.edges, innerRadius: seen.innerRadius, from: map)
            else { return nil }
            map = fitted
        }
        return map
    }

    /// A place where dark meets light, and on which circle: 0 is the edge of the center.
    private struct Edge {
        var place: Point
        var circle: Int
    }

    /// - Parameter innerRadius: of the outermost ring, in modules.
    private static func fit(_ edges: [Edge], innerRadius: Double, from map: Homography) -> Homography? {
        var map = map
        var residual = Double.infinity
        for _ in 0..<roundsOfPairs {
            let back = map.inverse
            let seen = edges.map { back.map($0.place) }
            let distances = seen.map { max(1e-9, ($0.x * $0.x + $0.y * $0.y).squareRoot()) }
            var radii = [Double](repeating: 0, count: edgesPerRay)
            var counts = [Double](repeating: 0, count: edgesPerRay)
            for (edge, distance) in zip(edges, distances) {
                radii[edge.circle] += distance
                counts[edge.circle] += 1
            }
            for circle in radii.indices { radii[circle] /= max(1, counts[circle]) }
            guard let size = radii.last, size.isFinite, size > 0 else { return nil }
            residual = 0
            var pairs: [(from: Point, to: Point)] = []
            for index in edges.indices {
                let radius = radii[edges[index].circle]
                residual += (distances[index] - radius) * (distances[index] - radius)
                let scale = radius / distances[index] * innerRadius / size
                pairs.append((Point(x: seen[index].x * scale, y: seen[index].y * scale), edges[index].place))
            }
            guard residual.isFinite, let fitted = Homography(fitting: pairs) else { return nil }
            map = fitted
        }
        return residual < largestResidual * largestResidual * Double(edges.count) ? map : nil
    }

    /// The edges on all rays that show every ring where most do, and the inner radius of the outermost ring, in modules:
    /// of all circles only the end of that ring has the same size always.
    private static func edges(
        _ pixels: PixelSampler, _ map: Homography, sign: Float
    ) -> (edges: [Edge], innerRadius: Double)? {
        var rays: [(direction: Point, distances: [Double])] = []
        var profile = [Float](repeating: 0, count: Int(reach / step) + 1)
        for ray in 0..<rayCount {
            let direction = Self.direction(ray)
            for index in profile.indices {
                let distance = Double(index) * step
                profile[index] = sign * pixels.brightness(map.map(direction.x * distance, direction.y * distance))
            }
            if let distances = crossings(profile) { rays.append((direction, distances)) }
            // Too many that show none leave too few.
            guard ray - rays.count < rayCount - fewestRays else { return nil }
        }
        guard rays.count >= fewestRays else { return nil }
        let usual = (0..<edgesPerRay).map { circle in rays.map { $0.distances[circle] }.sorted()[rays.count / 2] }
        let regular = rays.compactMap { ray in
            scale(ray.distances, usual).map { (direction: ray.direction, distances: ray.distances, scale: $0) }
        }
        // Modules can only move the end of the ring outward, so that the nearer ends are the right ones.
        let ends = regular.compactMap { $0.distances.count > edgesPerRay ? $0.distances[edgesPerRay] / $0.scale : nil }
            .sorted()
        guard ends.count >= fewestEnds, let inner = usual.last else { return nil }
        var edges: [Edge] = []
        for ray in regular {
            for (circle, distance) in ray.distances.prefix(edgesPerRay).enumerated() {
                let place = map.map(ray.direction.x * distance, ray.direction.y * distance)
                if pixels.contains(place) { edges.append(Edge(place: place, circle: circle)) }
            }
        }
        return (edges, inner / ends[ends.count / 4] * MaxiCodeLayout.finderRadius)
    }

    /// How much farther the edges of a ray are than those of most rays; nil where they are not so all together.
    private static func scale(_ distances: [Double], _ usual: [Double]) -> Double? {
        var (product, square) = (0.0, 0.0)
        for (distance, radius) in zip(distances, usual) {
            product += distance * radius
            square += radius * radius
        }
        let scale = product / square
        guard scale > 0, scale.isFinite else { return nil }
        return zip(distances, usual).allSatisfy { abs($0 - scale * $1) < largestDeviation } ? scale : nil
    }

    private static func direction(_ ray: Int) -> Point { .onCircle(turns: Double(ray) / Double(rayCount)) }

    /// Where a ray from the light center enters and leaves the three dark rings, but for where it leaves the last if that
    /// is not seen; nil where it shows something else.
    private static func crossings(_ profile: [Float]) -> [Double]? {
        let inner = profile[..<Int(MaxiCodeLayout.finderRadius / step)]
        guard let darkest = inner.min(), let lightest = inner.max(), lightest > darkest else { return nil }
        let middle = (darkest + lightest) / 2
        guard profile[0] > middle else { return nil }
        var distances: [Double] = []
        for index in 1..<profile.count where (profile[index - 1] > middle) != (profile[index] > middle) {
            let part = (profile[index - 1] - middle) / (profile[index - 1] - profile[index])
            distances.append((Double(index - 1) + Double(part)) * step)
            if distances.count > edgesPerRay { break }
        }
        return distances.count >= edgesPerRay ? distances : nil
    }
}
