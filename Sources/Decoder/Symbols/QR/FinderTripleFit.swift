internal import BarcodeCore

/// The perspective transform of a symbol, fitted to the outlines of its three finder patterns.
struct FinderTripleFit {
    /// The number of modules along a side, not rounded, estimated from the sizes of the patterns.
    let size: Double
    /// The transform from modules to pixels.
    let map: Homography
    /// The root mean square error of the twelve corners, in modules.
    let residual: Double

    /// Fits a transform to three outlines; `nil` if they cannot belong to one symbol.
    ///
    /// - Parameter outlines: four corners each, clockwise: of the pattern between the other two, of the one
    ///   clockwise from it, and of the last.
    init?(_ outlines: [[Point]]) {
        let centers = outlines.map { corners in
            Point(x: corners.reduce(0) { $0 + $1.x } / 4, y: corners.reduce(0) { $0 + $1.y } / 4)
        }
        let across = Point(x: centers[1].x - centers[0].x, y: centers[1].y - centers[0].y)
        let down = Point(x: centers[2].x - centers[0].x, y: centers[2].y - centers[0].y)
        var ordered: [[Point]] = []
        for (outline, center) in zip(outlines, centers) {
            guard let corners = Self.upright(outline, around: center, across: across, down: down) else { return nil }
            ordered.append(corners)
        }
        // The distance in modules from the pattern at either end of a side to the other.
        let distances = [(0, 1), (1, 0), (0, 2), (2, 0)].compactMap { from, to in
            Self.modules(from: ordered[from], to: centers[to])
        }
        guard distances.count == 4, distances.allSatisfy({ $0 > 8 && $0 < 260 }) else { return nil }
        let right = (distances[0] * distances[1]).squareRoot()
        let below = (distances[2] * distances[3]).squareRoot()
        guard max(right, below) < 1.6 * min(right, below) else { return nil }
        let size = (right * below).squareRoot() + 7
        let far = size - 7
        let origins = [(0.0, 0.0), (far, 0.0), (0.0, far)]
        var pairs: [(from: Point, to: Point)] = []
        for (corners, origin) in zip(ordered, origins) {
            for (corner, place) in zip(corners, [(0.0, 0.0), (7, 0), (7, 7), (0, 7)]) {
                pairs.append((Point(x: origin.0 + place.0, y: origin.1 + place.1), corner))
            }
        }
        guard let map = Homography(fitting: pairs) else { return nil }
        let back = map.inverse
        var sum = 0.0
        for pair in pairs {
            let seen = back.map(pair.to)
            sum += (seen.x - pair.from.x) * (seen.x - pair.from.x) + (seen.y - pair.from.y) * (seen.y - pair.from.y)
        }
        self.size = size
        self.map = map
        residual = (sum / 12).squareRoot()
    }

    /// Rotates the order of the corners so that the top left one is first; `nil` if the directions are parallel.
    static func upright(
        _ outline: [Point], around center: Point, across: Point, down: Point
    ) -> [Point]? {
        // In the frame of the two directions, the top left corner has the smallest sum of coordinates.
        let determinant = across.cross(down)
        guard abs(determinant) > 1e-6 else { return nil }
        let sums = outline.map { corner in
            let (x, y) = (corner.x - center.x, corner.y - center.y)
            return (x * down.y - y * down.x) / determinant + (across.x * y - across.y * x) / determinant
        }
        guard let first = sums.indices.min(by: { sums[$0] < sums[$1] }) else { return nil }
        return (0..<4).map { outline[(first + $0) % 4] }
    }

    /// Returns the distance of a point in modules, in the frame of a finder pattern; `nil` if it does not lie along
    /// a side.
    private static func modules(from corners: [Point], to point: Point) -> Double? {
        let center = Point(
            x: corners.reduce(0) { $0 + $1.x } / 4, y: corners.reduce(0) { $0 + $1.y } / 4)
        let across = Point(
            x: (corners[1].x + corners[2].x - corners[0].x - corners[3].x) / 14,
            y: (corners[1].y + corners[2].y - corners[0].y - corners[3].y) / 14)
        let down = Point(
            x: (corners[2].x + corners[3].x - corners[0].x - corners[1].x) / 14,
            y: (corners[2].y + corners[3].y - corners[0].y - corners[1].y) / 14)
        let determinant = across.cross(down)
        guard abs(determinant) > 1e-6 else { return nil }
        let (x, y) = (point.x - center.x, point.y - center.y)
        let column = (x * down.y - y * down.x) / determinant
        let row = (across.x * y - across.y * x) / determinant
        let (major, minor) = abs(column) > abs(row) ? (abs(column), abs(row)) : (abs(row), abs(column))
        guard minor < 0.45 * major else { return nil }
        return major
    }
}
