internal import BarcodeCore

/// The four corners of a finder pattern's outer ring, which tell how the plane of the symbol lies around it.
///
/// The edge of the ring is followed from pixel to pixel; its four sides are lines fitted to the pixels between the
/// corners, so that the corners are better than a pixel.
enum FinderOutline {
    /// The corners of the pattern's outer square, clockwise in the picture from any; nil where the edge of the ring
    /// cannot be followed all around, because something touches it or it is broken.
    static func corners(of pattern: FinderPattern, in image: BinaryImage) -> [Point]? {
        guard let edge = trace(pattern, image, rings: 2), let corners = corners(of: edge, around: pattern.center)
        else { return nil }
        return grown(corners, around: pattern)
    }

    /// The same as the three by three modules in the middle tell it, which the light ring keeps apart from all else.
    static func cornersByMiddle(of pattern: FinderPattern, in image: BinaryImage) -> [Point]? {
        let share = 3.0 / 7
        let middle = FinderPattern(
            center: pattern.center, width: pattern.width * share, height: pattern.height * share,
            isInverted: pattern.isInverted, crossings: pattern.crossings, likeness: pattern.likeness)
        guard let edge = trace(middle, image, rings: 0), let found = corners(of: edge, around: middle.center) else {
            return nil
        }
        let corners = grown(found, around: middle)
        let x = corners.reduce(0) { $0 + $1.x } / 4
        let y = corners.reduce(0) { $0 + $1.y } / 4
        return corners.map { Point(x: x + ($0.x - x) / share, y: y + ($0.y - y) / share) }
    }

    /// The corners of the square whose edge is given by points in their order, at least sixteen; nil where it is none.
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

    /// Follows the outer edge of a ring: the centres of its pixels, clockwise (Moore's neighbour tracing).
    ///
    /// - Parameter rings: which ring it is, from the centre on: those of an even number have the tone of the centre.
    static func trace(_ pattern: FinderPattern, _ image: BinaryImage, rings: Int) -> [Point]? {
        let tone: UInt8 = pattern.isInverted == (rings % 2 == 0) ? 0 : 1
        let (width, height) = (image.width, image.height)
        return image.pixels.withUnsafeBufferPointer { pixels in
            func isRing(_ x: Int, _ y: Int) -> Bool {
                x >= 0 && y >= 0 && x < width && y < height && pixels[y * width + x] == tone
            }
            // From the centre to the right, through the middle and the rings to the end of the last.
            var x = Int(pattern.center.x)
            let y = Int(pattern.center.y)
            guard x >= 0, y >= 0, x < width, y < height, isRing(x, y) == (rings % 2 == 0) else { return nil }
            for ring in 0...rings {
                while x < width, isRing(x, y) == (ring % 2 == rings % 2) { x += 1 }
            }
            let start = (x: x - 1, y: y)
            guard Double(start.x) - pattern.center.x < pattern.width else { return nil }

            let steps = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
            // As long as the edge of a square that is seen from the corner, twice over.
            let longest = Int(4 * (pattern.width + pattern.height))
            var edge: [Point] = []
            var place = start
            // The pixel to the right of the start is outside.
            var direction = 0
            repeat {
                edge.append(Point(x: Double(place.x) + 0.5, y: Double(place.y) + 0.5))
                guard edge.count <= longest else { return nil }
                // Look around clockwise, beginning behind the last outside pixel.
                var found = false
                for turn in 1...8 {
                    let next = (direction + turn) % 8
                    if isRing(place.x + steps[next].0, place.y + steps[next].1) {
                        place = (place.x + steps[next].0, place.y + steps[next].1)
                        // The pixel looked at before was outside: seen from the new place it lies two turns back.
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

    /// Which points of the edge are its corners, in the order of the edge.
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
        // A square, however tilted, has no side that is very short.
        let perimeter = Double(edge.count)
        for (place, next) in zip(places, places.dropFirst() + [places[0] + edge.count]) {
            guard Double(next - place) > perimeter / 14 else { return nil }
        }
        return places
    }

    /// The points between two corners, without those near the corners, which blur has rounded.
    private static func points(of edge: [Point], from start: Int, to end: Int) -> [Point] {
        let count = (end - start + edge.count) % edge.count
        let margin = max(1, count / 6)
        guard count - 2 * margin >= 1 else { return [edge[start], edge[(start + count) % edge.count]] }
        return (margin...(count - margin)).map { edge[(start + $0) % edge.count] }
    }

    /// The corners half a pixel further out: the line through the centres of the outermost pixels runs inside the edge.
    static func grown(_ corners: [Point], around pattern: FinderPattern) -> [Point] {
        let side = (pattern.width + pattern.height) / 2
        let factor = (side + 1) / max(1, side)
        let x = corners.reduce(0) { $0 + $1.x } / 4
        let y = corners.reduce(0) { $0 + $1.y } / 4
        return corners.map { Point(x: x + ($0.x - x) * factor, y: y + ($0.y - y) * factor) }
    }
}

/// A line in the picture: the points whose distance along a normal is the same.
private struct Line {
    let normalX, normalY, distance: Double

    /// The line nearest to some points, by the sum of the squares of the distances; nil for a single place.
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
        // The direction of the larger spread, from the two by two matrix of moments.
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
        // Sides of a square that meet at less than ten degrees are not the sides of one.
        guard abs(determinant) > 0.17 else { return nil }
        return Point(
            x: (distance * other.normalY - other.distance * normalY) / determinant,
            y: (normalX * other.distance - other.normalX * distance) / determinant)
    }
}
