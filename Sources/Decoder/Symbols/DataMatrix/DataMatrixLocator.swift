public import BarcodeCore
internal import Glibc

/// Finds where Data Matrix symbols may be in a picture of two tones.
///
/// Every symbol has two solid sides that meet, and in a few rows of the picture the steeper one is crossed. From each
/// change of tone in these rows a straight edge is followed; most end after a few pixels. Where another edge meets its
/// end, inside of the two is texture and opposite to them modules alternate, may be a symbol.
public struct DataMatrixLocator: Sendable {
    /// A place that looks like a symbol.
    public struct Candidate: Sendable, Hashable {
        /// The corners without the quiet zone; the solid sides meet at the bottom left.
        public var corners: Quadrilateral
        /// Modules in a row and in a column, measured by the thickness of the solid sides: up to half too few.
        public var columns, rows: Double
        /// Whether the symbol is light on dark.
        public var isInverted: Bool
        /// How well it looks like a symbol.
        public var score: Double

        /// Pixels a module, the lesser of both directions.
        public var moduleSize: Double {
            let points = corners.points
            func length(_ one: Int, _ other: Int) -> Double {
                hypot(points[one].x - points[other].x, points[one].y - points[other].y)
            }
            return min((length(0, 1) + length(3, 2)) / columns, (length(0, 3) + length(1, 2)) / rows) / 2
        }
    }

    /// Pixels along the shorter solid side, and rows from one that is walked to the next: the steeper solid side of the
    /// smallest symbol crosses one.
    private static let dense = (minimum: 10, rowStep: 8)
    /// The same in a larger picture, since it is searched at half its size too.
    private static let sparse = (minimum: 13, rowStep: 10)
    /// Pixels of a picture above which the search is sparse.
    private static let densePixels = 300_000
    /// Corners of one picture that are looked at closely, and places that are given, the best: at least so many, and one
    /// for so many pixels.
    ///
    /// A sheet of 500 symbols of 32 by 32 pixels has as many places in 2.8 million pixels, and some that are none.
    private static let maximumCorners = (least: 4000, pixels: 20, most: 400_000)
    private static let maximumCandidates = (least: 300, pixels: 500, most: 2000)

    /// The places, the likeliest first.
    public let candidates: [Candidate]

    /// Looks for symbols of 1.5 pixels a module and more.
    ///
    /// - Parameter taken: where other symbols are known to be, whose inside is left out.
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
        // Clockwise from the top left, with y down: from the corner the right side turns to the left one.
        let isOneUp = toOne.x * toOther.y - toOne.y * toOther.x > 0
        corners = Quadrilateral(
            topLeft: isOneUp ? solid.one : solid.other, topRight: frame.far,
            bottomRight: isOneUp ? solid.other : solid.one, bottomLeft: solid.corner)
        columns = isOneUp ? frame.modulesOther : frame.modulesOne
        rows = isOneUp ? frame.modulesOne : frame.modulesOther
        isInverted = solid.tone == 0
        score = frame.score
    }

    /// Whether two places are one, seen twice.
    fileprivate func isNear(_ other: Self) -> Bool {
        let reach = 1.5 * max(moduleSize, 1)
        return isInverted == other.isInverted && abs(corners.bottomLeft.x - other.corners.bottomLeft.x) < reach
            && abs(corners.bottomLeft.y - other.corners.bottomLeft.y) < reach
            && zip(corners.points, other.corners.points).allSatisfy {
                abs($0.x - $1.x) < reach && abs($0.y - $1.y) < reach
            }
    }
}
