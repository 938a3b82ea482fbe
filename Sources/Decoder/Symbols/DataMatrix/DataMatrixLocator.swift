public import BarcodeCore
internal import Glibc

/// Locates candidate Data Matrix symbols in a binary image.
///
/// Every symbol has two solid sides that meet, and some rows of the picture cross the steeper one. A straight edge is
/// followed from each transition in these rows; most end after a few pixels. A candidate is two edges that meet, with
/// texture between them and alternating modules opposite.
public struct DataMatrixLocator: Sendable {
    /// A candidate symbol.
    public struct Candidate: Sendable, Hashable {
        /// The corners in pixels, without the quiet zone; the solid sides meet at the bottom left.
        public var corners: Quadrilateral
        /// The number of modules in a row and in a column, from the thickness of the solid sides; up to half too low.
        public var columns, rows: Double
        /// Indicates whether the symbol is light on dark.
        public var isInverted: Bool
        /// The score of the dotted sides; higher is likelier.
        public var score: Double

        /// The module size in pixels, the smaller of both directions.
        public var moduleSize: Double {
            let points = corners.points
            func length(_ one: Int, _ other: Int) -> Double {
                hypot(points[one].x - points[other].x, points[one].y - points[other].y)
            }
            return min((length(0, 1) + length(3, 2)) / columns, (length(0, 3) + length(1, 2)) / rows) / 2
        }
    }

    /// The minimum length of the shorter solid side and the distance between scanned rows, in pixels.
    ///
    /// The steeper solid side of the smallest symbol crosses at least one row.
    private static let dense = (minimum: 10, rowStep: 8)
    /// The same for a larger picture, which is searched at half its size too.
    private static let sparse = (minimum: 13, rowStep: 10)
    /// The number of pixels of a picture above which the search is sparse.
    private static let densePixels = 300_000
    /// The limits of corners that are examined and of candidates that are returned: the least, pixels for each, the
    /// most.
    ///
    /// A sheet of 500 symbols of 32 by 32 pixels has 500 candidates in 2.8 million pixels, and some false ones.
    private static let maximumCorners = (least: 4000, pixels: 20, most: 400_000)
    private static let maximumCandidates = (least: 300, pixels: 500, most: 2000)

    /// The candidates, likeliest first.
    public let candidates: [Candidate]

    /// Searches for symbols with modules of at least 1.5 pixels.
    ///
    /// - Parameter taken: the outlines of known symbols, whose inside is skipped.
    public init(_ image: BinaryImage, taken: [Quadrilateral] = []) {
        candidates = image.pixels.withUnsafeBufferPointer { pixels in
            guard image.width >= 16, image.height >= 16,
                let field = ToneField(pixels, width: image.width, height: image.height)
            else { return [] }
            return Self.candidates(field, taken)
        }
    }

    private static func candidates(_ field: ToneField, _ taken: [Quadrilateral]) -> [Candidate] {
        let pixels = field.width * field.height
        let corners = SolidCornerScan(
            field, taken: taken, pixels > densePixels ? sparse : dense,
            maximumCount: min(max(maximumCorners.least, pixels / maximumCorners.pixels), maximumCorners.most)
        ).corners
        let maximumCandidates = min(
            max(maximumCandidates.least, pixels / maximumCandidates.pixels), maximumCandidates.most)
        var found: [Candidate] = []
        for (index, corner) in corners.enumerated() {
            if index % 256 == 0, SearchTime.isOver { break }
            found += DataMatrixFrame.all(corner, field).map(Candidate.init)
        }
        found.sort { $0.score > $1.score }
        var distinct: [Candidate] = []
        for candidate in found where distinct.count < maximumCandidates {
            guard !SearchTime.isOver else { break }
            if !distinct.contains(where: { $0.isNear(candidate) }) { distinct.append(candidate) }
        }
        return distinct
    }
}

extension DataMatrixLocator.Candidate {
    fileprivate init(_ frame: DataMatrixFrame) {
        let solid = frame.solid
        let toOne = Point(x: solid.one.x - solid.corner.x, y: solid.one.y - solid.corner.y)
        let toOther = Point(x: solid.other.x - solid.corner.x, y: solid.other.y - solid.corner.y)
        // Positive if, on screen (y points down), `other` is clockwise of `one`: then `one` is the left side.
        let isOneUp = toOne.cross(toOther) > 0
        corners = Quadrilateral(
            topLeft: isOneUp ? solid.one : solid.other, topRight: frame.far,
            bottomRight: isOneUp ? solid.other : solid.one, bottomLeft: solid.corner)
        columns = isOneUp ? frame.modulesOther : frame.modulesOne
        rows = isOneUp ? frame.modulesOne : frame.modulesOther
        isInverted = solid.tone == 0
        score = frame.score
    }

    /// True if two candidates are the same symbol.
    fileprivate func isNear(_ other: Self) -> Bool {
        let reach = 1.5 * max(moduleSize, 1)
        return isInverted == other.isInverted && abs(corners.bottomLeft.x - other.corners.bottomLeft.x) < reach
            && abs(corners.bottomLeft.y - other.corners.bottomLeft.y) < reach
            && corners.isTwin(of: other.corners, within: reach)
    }
}
