import BarcodeCore

/// Fits the homography of a MaxiCode symbol to the rings of its bull's-eye.
///
/// Concentric circles determine the homography of their plane except for the rotation: its tilt and its perspective.
/// Each detected edge is paired with the nearest point of its circle, and the map that fits the pairs best gives
/// better pairs (iterative closest point: Besl and McKay, A Method for Registration of 3-D Shapes, 1992).
struct MaxiCodeRings {
    /// The number of rays from the center, the distance between the points on each, and its length; both in modules.
    private static let rayCount = 48
    private static let step = 0.125
    private static let reach = 5.25
    /// The minimum number of rays of ``rayCount`` that show all rings: some may be damaged.
    private static let fewestRays = 28
    /// The number of ring edges on a ray.
    ///
    /// This leaves out the outer edge of the outermost ring, which a dark module hides if it touches the ring:
    /// circles of which only parts are visible would bias the homography.
    private static let edgesPerRay = 5
    /// The minimum number of rays that show the outer edge of the outermost ring.
    private static let fewestEnds = 8
    /// The maximum distance of an edge from its location on the other rays in modules, after the ray is scaled.
    private static let largestDeviation = 0.4
    /// The maximum root mean square distance of the edges from their circles, in modules; concentric squares have
    /// 0.35.
    private static let largestResidual = 0.25
    private static let roundsOfPairs = 8

    /// Returns the homography from the plane of ``MaxiCodeLayout``, rotated by an unknown angle, to pixels; `nil` if
    /// there are no such rings.
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

    /// A point between dark and light in pixels, and the index of its circle: 0 is the edge of the center.
    private struct Edge {
        var place: Point
        var circle: Int
    }

    /// - Parameter innerRadius: the inner radius of the outermost ring, in modules.
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

    /// Returns the edges on all rays that agree with most, and the inner radius of the outermost ring in modules.
    ///
    /// The scale comes from the outer edge of that ring: it is the only circle of constant size.
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
            // With more rays without rings, too few are left.
            guard ray - rays.count < rayCount - fewestRays else { return nil }
        }
        guard rays.count >= fewestRays else { return nil }
        let usual = (0..<edgesPerRay).map { circle in rays.map { $0.distances[circle] }.sorted()[rays.count / 2] }
        let regular = rays.compactMap { ray in
            scale(ray.distances, usual).map { (direction: ray.direction, distances: ray.distances, scale: $0) }
        }
        // Modules can only move the outer edge outward, so the nearer ones are right.
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

    /// Returns the ratio of a ray's edge distances to the usual ones; `nil` if a single ratio does not fit all of
    /// them.
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

    /// Returns the edges of the three dark rings on a ray from the light center; the outer edge of the last may be
    /// missing.
    ///
    /// `nil` if the ray shows something else.
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
