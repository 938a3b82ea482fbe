internal import BarcodeCore

/// The outer edges of a symbol, found near four rough corners, with one of the corners taken as the first.
struct DataMatrixOutline {
    /// The corners in pixels; the solid lines are assumed to meet at the bottom left.
    var corners: Quadrilateral
    /// Indicates whether the symbol is light on dark.
    var isInverted: Bool
    /// The support of the solid lines minus that of the dotted lines, -2 to 2.
    var score: Double

    /// The search ranges for edges, as shares of the shorter side: 1.5 modules of 8, 22 and 50.
    ///
    /// A wide range includes the surroundings of a large symbol; a narrow one misses the edges of a small one.
    private static let reaches = [0.2, 0.07, 0.03]

    /// Returns outlines of both polarities, with the two likeliest first corners of each.
    static func candidates(_ pixels: PixelSampler, corners: Quadrilateral) -> [DataMatrixOutline] {
        let points = corners.points
        guard points.allSatisfy({ abs($0.x) < 1e6 && abs($0.y) < 1e6 }) else { return [] }
        let lengths = (0..<4).map { points[$0].distance(to: points[($0 + 1) % 4]) }
        let shorter = min(lengths[0] + lengths[2], lengths[1] + lengths[3]) / 2
        guard shorter >= 8, lengths.allSatisfy({ $0 >= 4 }) else { return [] }
        var result: [DataMatrixOutline] = []
        for reach in Self.reaches {
            for isInverted in [false, true] {
                let sides = (0..<4).compactMap { index in
                    DataMatrixSide(
                        pixels, from: points[index], to: points[(index + 1) % 4], center: corners.center,
                        reach: max(2, reach * shorter), isInverted: isInverted)
                }
                guard sides.count == 4 else { continue }
                let found = (0..<4).compactMap { sides[($0 + 3) % 4].intersection(sides[$0]) }
                guard found.count == 4 else { continue }
                let quad = Quadrilateral(
                    topLeft: found[0], topRight: found[1], bottomRight: found[2], bottomLeft: found[3])
                let rotations = (0..<4).map { start in
                    DataMatrixOutline(
                        corners: Quadrilateral(quad, beginningAt: start), isInverted: isInverted,
                        score: sides[(start + 2) % 4].support + sides[(start + 3) % 4].support
                            - sides[start].support - sides[(start + 1) % 4].support)
                }
                result += rotations.sorted { $0.score > $1.score }.prefix(2)
            }
        }
        return result
    }
}

extension Quadrilateral {
    /// The same corners in the same direction, starting with another one.
    fileprivate init(_ other: Quadrilateral, beginningAt start: Int) {
        let points = other.points
        self.init(
            topLeft: points[start], topRight: points[(start + 1) % 4], bottomRight: points[(start + 2) % 4],
            bottomLeft: points[(start + 3) % 4])
    }
}
