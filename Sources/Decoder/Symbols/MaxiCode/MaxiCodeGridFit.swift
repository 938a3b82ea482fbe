import BarcodeCore

/// Fits the homography of a MaxiCode symbol to the edges between its hexagons, from the bull's-eye outward.
///
/// The rings determine the homography well only near them. Between the centers of two neighbors of different tone,
/// brightness crosses the midpoint halfway if the homography is right. The larger the area in which it is right, the
/// farther out such pairs can be identified.
struct MaxiCodeGridFit {
    /// The maximum distance of pairs from the center in modules, round by round.
    private static let rounds = [8, 8, 10, 10, 12.5, 12.5, 15.5, 15.5, 30, 30, 30]
    /// The number of steps from the center of a hexagon to that of its neighbor.
    private static let steps = 8
    /// The minimum contrast of a pair, as a share of the clearest contrast; below that both modules have the same
    /// tone.
    private static let smallestContrast: Float = 0.5
    /// The minimum number of pairs of a round, and the approximate maximum.
    private static let fewestPairs = 40
    private static let mostPairs = 500
    /// The maximum root mean square distance of the edges from their locations at the end, in modules; by chance it
    /// is 0.3.
    private static let largestResidual = 0.24

    /// Two neighbors: the midpoint between their centers, and the vector from one center to the other.
    private struct Pair {
        var middle: Point
        var way: Point
        var distance: Double

        /// Returns the point at an offset from the midpoint, as a share of the vector.
        func point(at offset: Double) -> Point {
            Point(x: middle.x + offset * way.x, y: middle.y + offset * way.y)
        }
    }

    /// All pairs of neighbors, the innermost first.
    private static let pairs: [Pair] = {
        let isModule = MaxiCodeLayout.modules.reduce(into: Set<Int>()) {
            $0.insert($1.y * MaxiCodeLayout.columns + $1.x)
        }
        var pairs: [Pair] = []
        for (x, y) in MaxiCodeLayout.modules {
            let below = MaxiCodeLayout.below(x, y)
            for other in [(x: x + 1, y: y), below, (x: below.x + 1, y: below.y)] {
                guard other.x >= 0, other.y < MaxiCodeLayout.rows, other.x < MaxiCodeLayout.count(inRow: other.y),
                    isModule.contains(other.y * MaxiCodeLayout.columns + other.x)
                else { continue }
                let (from, to) = (MaxiCodeLayout.center(x, y), MaxiCodeLayout.center(other.x, other.y))
                let middle = Point(x: (from.x + to.x) / 2, y: (from.y + to.y) / 2)
                pairs.append(
                    Pair(
                        middle: middle, way: Point(x: to.x - from.x, y: to.y - from.y),
                        distance: (middle.x * middle.x + middle.y * middle.y).squareRoot()))
            }
        }
        return pairs.sorted { $0.distance < $1.distance }
    }()

    /// Returns the homography that fits the edges in the picture; `nil` if they do not lie in a plane.
    static func refined(_ map: Homography, _ pixels: PixelSampler) -> Homography? {
        var map = map
        var residual = Double.infinity
        for reach in rounds {
            let count = pairs.prefix { $0.distance <= reach }.count
            // Only some pairs have an edge between them.
            let step = max(1, count / (2 * mostPairs))
            let seen = stride(from: 0, to: count, by: step).map { measured(pairs[$0], map, pixels) }
            let contrasts = seen.map(\.contrast).sorted()
            guard let clearest = contrasts.dropLast(contrasts.count / 10).last else { return nil }
            var sum = 0.0
            var points: [(from: Point, to: Point)] = []
            for (index, edge) in seen.enumerated() where edge.contrast > smallestContrast * clearest {
                guard let offset = edge.offset else { continue }
                let pair = pairs[index * step]
                sum += offset * offset
                points.append((pair.middle, map.map(pair.point(at: offset))))
            }
            guard points.count >= fewestPairs, let fitted = Homography(fitting: points) else { return nil }
            residual = sum / Double(points.count)
            map = fitted
        }
        return residual < largestResidual * largestResidual ? map : nil
    }

    /// Returns the offset from the midpoint at which brightness crosses the mean of two centers, as a share of the
    /// vector, and the contrast.
    ///
    /// The offset is `nil` if there is no crossing.
    private static func measured(
        _ pair: Pair, _ map: Homography, _ pixels: PixelSampler
    ) -> (offset: Double?, contrast: Float) {
        func value(_ index: Int) -> Float {
            pixels.brightness(map.map(pair.point(at: Double(index) / Double(steps) - 0.5)))
        }
        let (first, last) = (value(0), value(steps))
        let middle = (first + last) / 2
        guard abs(last - first) > 1 else { return (nil, 0) }
        var offset: Double?
        var before = first
        for index in 1...steps {
            let after = index == steps ? last : value(index)
            if (before < middle) != (after < middle) {
                let part = Double((middle - before) / (after - before))
                let place = (Double(index - 1) + part) / Double(steps) - 0.5
                if abs(place) < abs(offset ?? 1) { offset = place }
            }
            before = after
        }
        return (offset, abs(last - first))
    }
}
