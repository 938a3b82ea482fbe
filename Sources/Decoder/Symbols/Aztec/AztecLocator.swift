public import BarcodeCore

/// Locates Aztec symbols by their bull's-eyes: concentric squares with rings one module wide.
public struct AztecLocator: Sendable {
    /// A bull's-eye.
    public struct Bullseye: Sendable, Hashable {
        /// The corners of the square of seven modules around its center, in pixels, clockwise in the image.
        public var outline: Quadrilateral
        /// True if it is light on dark.
        public var isInverted: Bool

        /// The number of modules along a side of the outline.
        static let outlineModules = 7.0

        /// The mean size of a module, in pixels.
        public var moduleSize: Double {
            let points = outline.points
            let perimeter = zip(points, points.dropFirst() + [points[0]]).reduce(0) { sum, side in
                let (x, y) = (side.1.x - side.0.x, side.1.y - side.0.y)
                return sum + (x * x + y * y).squareRoot()
            }
            return perimeter / (4 * Self.outlineModules)
        }
    }

    /// The bull's-eyes, both dark on light and light on dark.
    public let bullseyes: [Bullseye]

    /// Locates bull's-eyes with modules of about 1.5 to 12 pixels.
    ///
    /// Search a smaller image to find larger ones.
    ///
    /// - Parameter rowStep: the distance between scanned rows, in pixels.
    public init(_ binary: BinaryImage, rowStep: Int = 1) {
        bullseyes = AztecBullseyeScan(binary, rowStep: rowStep).patterns.compactMap { pattern in
            guard let corners = AztecBullseyeOutline.corners(of: pattern, in: binary) else { return nil }
            let outline = Quadrilateral(
                topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
            guard Self.hasRings(outline, isInverted: pattern.isInverted, in: binary) else { return nil }
            return Bullseye(outline: outline, isInverted: pattern.isInverted)
        }
    }

    /// Indicates whether most modules within an outline have the tone of their ring.
    ///
    /// If something looks like a bull's-eye only along some lines, about half of its modules do.
    private static func hasRings(_ outline: Quadrilateral, isInverted: Bool, in binary: BinaryImage) -> Bool {
        let modules = Int(Bullseye.outlineModules)
        guard let map = Homography(size: modules, to: outline) else { return false }
        var wrong = 0
        for row in 0..<modules {
            for column in 0..<modules {
                let point = map.map(Double(column) + 0.5, Double(row) + 0.5)
                guard point.isInside(width: binary.width, height: binary.height) else { return false }
                let ring = max(abs(column - modules / 2), abs(row - modules / 2))
                let isDark = binary.pixels[Int(point.y) * binary.width + Int(point.x)] == 1
                if isDark != ((ring % 2 == 0) != isInverted) { wrong += 1 }
            }
        }
        return wrong * 4 <= modules * modules
    }
}
