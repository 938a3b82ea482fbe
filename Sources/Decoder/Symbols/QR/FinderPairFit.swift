internal import BarcodeCore

/// The possible outlines of a symbol whose third finder pattern is hidden, from the outlines of the other two.
///
/// Two patterns determine the plane of the symbol: their sides, and the lines from one to the other.
struct FinderPairFit {
    /// An outline: the corners of the symbol, and the number of modules along a side, not rounded.
    struct Outline {
        var corners: Quadrilateral
        var size: Double
    }

    private let outlines: (one: [Point], other: [Point])
    private let centers: (one: Point, other: Point)
    /// The directions of two sides at each pattern, a module long; the first one leads to the other pattern.
    private let one, other: (along: Point, aside: Point)

    /// The number of modules of a finder pattern along a side.
    private static let side = 7.0

    /// Creates the fit of two outlines of four corners each, clockwise; `nil` if an outline has no area.
    init?(_ first: [Point], _ second: [Point], from center: Point, to otherCenter: Point) {
        let distance = otherCenter - center
        func sides(_ corners: [Point]) -> (Point, Point) {
            (
                (corners[1] - corners[0] + corners[2] - corners[3]) * (0.5 / Self.side),
                (corners[3] - corners[0] + corners[2] - corners[1]) * (0.5 / Self.side)
            )
        }
        var (one, other) = (sides(first), sides(second))
        guard abs(one.0.cross(one.1)) > 1e-6, abs(other.0.cross(other.1)) > 1e-6 else { return nil }
        if one.0.alignment(with: distance) < one.1.alignment(with: distance) { swap(&one.0, &one.1) }
        if other.0.alignment(with: one.0) < other.1.alignment(with: one.0) { swap(&other.0, &other.1) }
        outlines = (first, second)
        centers = (center, otherCenter)
        (self.one, self.other) = (one, other)
    }

    /// Returns the outlines of symbols of which the two patterns are at the ends of a side: the third beside either of
    /// them, on either side.
    var besideEachOther: [Outline] {
        let distance = centers.other - centers.one
        let near = distance.length / one.along.length
        let modules = (near * distance.length / other.along.length).squareRoot()
        let down = Point(x: -distance.y, y: distance.x)
        guard
            let map = map(
                across: distance, down: down, one: Point(x: 0, y: 0), other: Point(x: modules, y: 0))
        else { return [] }
        let (left, right) = (0.0, modules + Self.side)
        return [(0.0, modules + Self.side), (Self.side, -modules)].flatMap { near, far in
            let corners = [(left, near), (right, near), (right, far), (left, far)].map { map.map($0.0, $0.1) }
            // Clockwise from either pattern; with the third pattern above, the frame runs the other way.
            let starts = far > near ? [(0, 1), (1, 1)] : [(0, 3), (1, 3)]
            return starts.map { start, step in
                let turned = (0..<4).map { corners[(start + step * $0) % 4] }
                return Outline(
                    corners: Quadrilateral(
                        topLeft: turned[0], topRight: turned[1], bottomRight: turned[2], bottomLeft: turned[3]),
                    size: modules + Self.side)
            }
        }
    }

    /// Returns the outlines of symbols of which the two patterns are diagonally opposite.
    var opposite: [Outline] {
        let distance = centers.other - centers.one
        return [(one.along, other.aside), (one.aside, other.along)].compactMap { own, others in
            let determinant = own.cross(others)
            guard abs(determinant) > 1e-6 else { return nil }
            let (near, far) = (distance.cross(others) / determinant, distance.cross(own) / determinant)
            let modules = abs(near * far).squareRoot()
            let corner = centers.one + own * near
            let (toOne, toOther) = (centers.one - corner, centers.other - corner)
            // The pattern clockwise from the corner is the right one.
            let isOneRight = toOne.cross(toOther) > 0
            let (right, below) = (Point(x: modules, y: 0), Point(x: 0, y: modules))
            guard modules > Self.side,
                let map = map(
                    across: isOneRight ? toOne : toOther, down: isOneRight ? toOther : toOne,
                    one: isOneRight ? right : below, other: isOneRight ? below : right)
            else { return nil }
            return Outline(corners: map.quadrilateral(side: modules + Self.side), size: modules + Self.side)
        }
    }

    /// Returns the transform from modules to pixels by the corners of both patterns; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - across: the direction of the rows.
    ///   - down: the direction of the columns.
    ///   - one: the top left corner of the first pattern in modules.
    ///   - other: the same of the second pattern.
    private func map(across: Point, down: Point, one: Point, other: Point) -> Homography? {
        var pairs: [(from: Point, to: Point)] = []
        for (outline, center, origin) in [
            (outlines.one, centers.one, one), (outlines.other, centers.other, other),
        ] {
            guard let corners = FinderTripleFit.upright(outline, around: center, across: across, down: down) else {
                return nil
            }
            let side = Self.side
            let places = [
                Point(x: 0, y: 0), Point(x: side, y: 0), Point(x: side, y: side), Point(x: 0, y: side),
            ]
            for (corner, place) in zip(corners, places) { pairs.append((origin + place, corner)) }
        }
        return Homography(fitting: pairs)
    }
}

extension Point {
    /// Returns the cosine of the angle between two lines: 0 to 1.
    fileprivate func alignment(with other: Point) -> Double {
        abs(x * other.x + y * other.y) / max(length * other.length, .leastNormalMagnitude)
    }
}
