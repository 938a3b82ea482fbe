internal import BarcodeCore
internal import Glibc

/// Finds the corners of a bull's-eye's third ring, which show the perspective of the symbol around it.
enum AztecBullseyeOutline {
    /// The number of rings within the outline.
    ///
    /// The fourth is the last ring of a compact symbol and touches its surroundings.
    private static let rings = 3
    /// The number of directions in which rays look for the edge of the ring if it cannot be traced.
    private static let directions = 64

    /// The corners of the outline in pixels, clockwise in the image from any corner; `nil` if the ring is not a
    /// square.
    static func corners(of pattern: FinderPattern, in image: BinaryImage) -> [Point]? {
        if let edge = FinderOutline.trace(pattern, image, rings: rings),
            let corners = FinderOutline.corners(of: edge, around: pattern.center)
        {
            return FinderOutline.grown(corners, around: pattern)
        }
        // Something touches the ring, or it is broken. Most rays still end at its edge.
        let edge = rays(from: pattern, in: image)
        guard edge.count >= directions * 3 / 4 else { return nil }
        return FinderOutline.corners(of: edge, around: pattern.center)
    }

    /// The points at which rays from the center leave the ring, clockwise.
    ///
    /// A ray that meets no edge is left out.
    private static func rays(from pattern: FinderPattern, in image: BinaryImage) -> [Point] {
        let step = 0.5
        // Half of a diagonal, doubled to allow for tilt.
        let reach = max(pattern.width, pattern.height)
        return image.pixels.withUnsafeBufferPointer { pixels in
            (0..<directions).compactMap { index -> Point? in
                let angle = 2 * Double.pi * Double(index) / Double(directions)
                let (dx, dy) = (cos(angle) * step, sin(angle) * step)
                var (x, y) = (pattern.center.x, pattern.center.y)
                var tone: UInt8 = pattern.isInverted ? 0 : 1
                var edges = 0
                for _ in 0..<Int(reach / step) {
                    x += dx
                    y += dy
                    guard x >= 0, y >= 0, Int(x) < image.width, Int(y) < image.height else { return nil }
                    if pixels[Int(y) * image.width + Int(x)] != tone {
                        tone = 1 - tone
                        edges += 1
                        if edges == rings + 1 { return Point(x: x - dx / 2, y: y - dy / 2) }
                    }
                }
                return nil
            }
        }
    }
}
