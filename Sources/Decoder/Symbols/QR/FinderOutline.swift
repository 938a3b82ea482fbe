internal import BarcodeCore

/// Finds the four corners of the outer ring of a finder pattern, which give the perspective of the symbol around it.
///
/// The edge of the ring is followed from pixel to pixel. Lines are fitted to the pixels of its four sides between
/// the corners, so that the corners are subpixel-accurate.
enum FinderOutline {
    /// Returns the corners of the outer square of the pattern, clockwise in the image from any corner; `nil` if the
    /// edge of the ring is broken or touches something.
    static func corners(of pattern: FinderPattern, in image: BinaryImage) -> [Point]? {
        guard let edge = trace(pattern, image, rings: 2), let corners = corners(of: edge, around: pattern.center)
        else { return nil }
        return grown(corners, around: pattern)
    }

    /// Returns the same corners, extrapolated from the central square of 3 × 3 modules, which the light ring
    /// isolates.
    static func cornersByMiddle(of pattern: FinderPattern, in image: BinaryImage) -> [Point]? {
        let share = 3.0 / 7
        let middle = FinderPattern(
            center: pattern.center, width: pattern.width * share, height: pattern.height * share,
            isInverted: pattern.isInverted, crossings: pattern.crossings, correlation: pattern.correlation)
        guard let edge = trace(middle, image, rings: 0), let found = corners(of: edge, around: middle.center) else {
            return nil
        }
        let corners = grown(found, around: middle)
        let x = corners.reduce(0) { $0 + $1.x } / 4
        let y = corners.reduce(0) { $0 + $1.y } / 4
        return corners.map { Point(x: x + ($0.x - x) / share, y: y + ($0.y - y) / share) }
    }

    /// Returns the corners of a square from the points of its edge in order, at least sixteen; `nil` if it is not a
    /// square.
    static func corners(of edge: [Point], around center: Point) -> [Point]? {
        guard let places = cornerPlaces(of: edge, around: center) else { return nil }
        var lines: [Line] = []
        for side in 0..<4 {
            guard let line = Line(through: points(of: edge, from: places[side], to: places[(side + 1) % 4])) else {
                return nil
            }
            lines.append(line)
        }
        var corners: [Point] = []
        for side in 0..<4 {
            guard let corner = lines[(side + 3) % 4].crossing(lines[side]) else { return nil }
            corners.append(corner)
        }
        return corners
    }

    /// Follows the outer edge of a ring: returns the centers of its pixels, clockwise (Moore neighbor tracing);
    /// `nil` if it is not closed.
    ///
    /// - Parameter rings: the number of the ring from the center, 0 for the central square; even rings have its
    ///   color.
    static func trace(_ pattern: FinderPattern, _ image: BinaryImage, rings: Int) -> [Point]? {
        let tone: UInt8 = pattern.isInverted == (rings % 2 == 0) ? 0 : 1
        let (width, height) = (image.width, image.height)
        return image.pixels.withUnsafeBufferPointer { pixels in
            func isRing(_ x: Int, _ y: Int) -> Bool {
                x >= 0 && y >= 0 && x < width && y < height && pixels[y * width + x] == tone
            }
            // From the center to the right, through the central square and the rings to the end of the last.
            var x = Int(pattern.center.x)
            let y = Int(pattern.center.y)
            guard x >= 0, y >= 0, x < width, y < height, isRing(x, y) == (rings % 2 == 0) else { return nil }
            for ring in 0...rings {
                while x < width, isRing(x, y) == (ring % 2 == rings % 2) { x += 1 }
            }
            let start = (x: x - 1, y: y)
            guard Double(start.x) - pattern.center.x < pattern.width else { return nil }

            let steps = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
            // Twice the length of the edge of a square seen from its corner.
            let longest = Int(4 * (pattern.width + pattern.height))
            var edge: [Point] = []
            var place = start
            // The pixel to the right of the start is outside.
            var direction = 0
            repeat {
                edge.append(Point(x: Double(place.x) + 0.5, y: Double(place.y) + 0.5))
                guard edge.count <= longest else { return nil }
                // Look around clockwise, beginning after the last outside pixel.
                var found = false
                for turn in 1...8 {
                    let next = (direction + turn) % 8
                    if isRing(place.x + steps[next].0, place.y + steps[next].1) {
                        place = (place.x + steps[next].0, place.y + steps[next].1)
                        // The pixel before was outside: from the new location it is two steps back.
                        direction = (next + 5) % 8
                        found = true
                        break
                    }
                }
                guard found else { return nil }
            } while place != start
            return edge.count >= (rings == 0 ? 8 : 16) ? edge : nil
        }
    }

    /// Returns the indices of the corners in the edge, in ascending order.
    private static func cornerPlaces(of edge: [Point], around center: Point) -> [Int]? {
        func farthest(from point: Point) -> Int {
            edge.indices.max { distance(edge[$0], point) < distance(edge[$1], point) } ?? 0
        }
        func distance(_ a: Point, _ b: Point) -> Double { (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) }
        let first = farthest(from: center)
        let opposite = farthest(from: edge[first])
        let (a, b) = (edge[first], edge[opposite])
        func side(_ point: Point) -> Double { (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) }
        guard let second = edge.indices.max(by: { side(edge[$0]) < side(edge[$1]) }),
            let fourth = edge.indices.min(by: { side(edge[$0]) < side(edge[$1]) })
        else { return nil }
        let places = [first, second, opposite, fourth].sorted()
        guard Set(places).count == 4 else { return nil }
        // A square has no very short side at any angle.
        let perimeter = Double(edge.count)
        for (place, next) in zip(places, places.dropFirst() + [places[0] + edge.count]) {
            guard Double(next - place) > perimeter / 14 else { return nil }
        }
        return places
    }

    /// Returns the points between two corners, without those near the corners, which blur has rounded.
    private static func points(of edge: [Point], from start: Int, to end: Int) -> [Point] {
        let count = (end - start + edge.count) % edge.count
        let margin = max(1, count / 6)
        guard count - 2 * margin >= 1 else { return [edge[start], edge[(start + count) % edge.count]] }
        return (margin...(count - margin)).map { edge[(start + $0) % edge.count] }
    }

    /// Returns the corners half a pixel further out, because the line through the centers of the outermost pixels is
    /// inside the edge.
    static func grown(_ corners: [Point], around pattern: FinderPattern) -> [Point] {
        let side = (pattern.width + pattern.height) / 2
        let factor = (side + 1) / max(1, side)
        let x = corners.reduce(0) { $0 + $1.x } / 4
        let y = corners.reduce(0) { $0 + $1.y } / 4
        return corners.map { Point(x: x + ($0.x - x) * factor, y: y + ($0.y - y) * factor) }
    }
}

/// A line in the image: the points at a constant distance along a normal.
private struct Line {
    let normalX, normalY, distance: Double

    /// Fits a line by least squares; `nil` if all points are the same.
    init?(through points: [Point]) {
        let count = Double(points.count)
        guard count >= 2 else { return nil }
        let x = points.reduce(0) { $0 + $1.x } / count
        let y = points.reduce(0) { $0 + $1.y } / count
        var (xx, xy, yy) = (0.0, 0.0, 0.0)
        for point in points {
            xx += (point.x - x) * (point.x - x)
            xy += (point.x - x) * (point.y - y)
            yy += (point.y - y) * (point.y - y)
        }
        guard xx + yy > 0 else { return nil }
        // The direction of the larger variance, from the 2 × 2 matrix of moments.
        let half = (xx - yy) / 2
        let length = (half * half + xy * xy).squareRoot()
        var directionX = half + length
        var directionY = xy
        if abs(directionX) < 1e-9 && abs(directionY) < 1e-9 { (directionX, directionY) = (0, 1) }
        let norm = (directionX * directionX + directionY * directionY).squareRoot()
        normalX = -directionY / norm
        normalY = directionX / norm
        distance = normalX * x + normalY * y
    }

    func crossing(_ other: Line) -> Point? {
        let determinant = normalX * other.normalY - normalY * other.normalX
        // Lines that meet at less than ten degrees are not sides of a square.
        guard abs(determinant) > 0.17 else { return nil }
        return Point(
            x: (distance * other.normalY - other.distance * normalY) / determinant,
            y: (normalX * other.distance - other.normalX * distance) / determinant)
    }
}
