public import BarcodeCore

/// Finds where QR symbols may be in a grey picture.
public struct QRLocator: Sendable {
    /// A place that looks like a symbol.
    public struct Candidate: Sendable, Hashable {
        /// The corners that the three finder patterns suggest, without the quiet zone.
        public var corners: Quadrilateral
        /// Modules along a side, not rounded.
        public var size: Double
        /// Whether the symbol is light on dark.
        public var isInverted: Bool
        /// Which of the finder patterns are its own: that between the other two, the one clockwise from it, the last.
        public var patterns: [Int]
        /// How far the finder patterns' outlines are from one plane, in modules; 1 where an outline is not known.
        public var residual: Double

        /// Pixels a module, in the mean.
        public var moduleSize: Double {
            let points = corners.corners
            let perimeter = zip(points, points.dropFirst() + [points[0]]).reduce(0) { sum, side in
                let (x, y) = (side.1.x - side.0.x, side.1.y - side.0.y)
                return sum + (x * x + y * y).squareRoot()
            }
            return perimeter / (4 * size)
        }
    }

    /// Modules by which the outlines of three finder patterns may be off a common plane.
    private static let largestResidual = 1.6

    /// The finder patterns, dark on light and light on dark.
    public let patterns: [FinderPattern]
    /// The places, the likeliest first.
    ///
    /// A pattern may be part of several.
    public let candidates: [Candidate]

    /// Looks for symbols in `image`.
    ///
    /// Modules of 1.5 to about 12 pixels are found; larger ones in a smaller picture.
    public init(_ image: LumaImage, rowStep: Int = 1) {
        guard image.width >= 16, image.height >= 16 else {
            patterns = []
            candidates = []
            return
        }
        let binary = BinaryImage(image)
        let patterns = FinderScan(binary, rowStep: rowStep).patterns
        let outlines = patterns.map { FinderOutline.corners(of: $0, in: binary) }
        self.patterns = patterns
        candidates = FinderTriples.all(patterns).compactMap { triple -> Candidate? in
            let places = [triple.corner, triple.right, triple.below]
            let known = places.compactMap { outlines[$0] }
            guard known.count == 3 else { return Self.rough(triple, patterns) }
            guard let fit = TripleFit(known), fit.residual < Self.largestResidual else { return nil }
            return Candidate(
                corners: fit.map.quadrilateral(side: fit.size), size: fit.size,
                isInverted: patterns[triple.corner].isInverted, patterns: places, residual: fit.residual)
        }.sorted { ($0.residual + 0.005 * $0.size) < ($1.residual + 0.005 * $1.size) }
    }

    /// A place from the centres of its patterns alone, the fourth corner as if there were no perspective.
    private static func rough(_ triple: FinderTriple, _ patterns: [FinderPattern]) -> Candidate {
        let origin = patterns[triple.corner].centre
        let right = patterns[triple.right].centre
        let below = patterns[triple.below].centre
        // From centre to centre it is seven modules less than from edge to edge.
        let modules = max(14, triple.size - 7)
        let across = Point(x: (right.x - origin.x) / modules, y: (right.y - origin.y) / modules)
        let down = Point(x: (below.x - origin.x) / modules, y: (below.y - origin.y) / modules)
        func place(_ column: Double, _ row: Double) -> Point {
            Point(x: origin.x + column * across.x + row * down.x, y: origin.y + column * across.y + row * down.y)
        }
        let (low, high) = (-3.5, modules + 3.5)
        return Candidate(
            corners: Quadrilateral(
                topLeft: place(low, low), topRight: place(high, low),
                bottomRight: place(high, high), bottomLeft: place(low, high)),
            size: triple.size, isInverted: patterns[triple.corner].isInverted,
            patterns: [triple.corner, triple.right, triple.below], residual: 0.6 + triple.distortion)
    }
}
