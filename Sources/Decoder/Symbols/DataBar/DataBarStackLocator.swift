internal import BarcodeCore
internal import Glibc

/// Finds DataBar Stacked symbols by their two finder patterns, one above the other.
///
/// The rows of the smallest stacked symbol are 5 and 7 modules high, so that a line through the image that is a few
/// degrees askew does not cross a whole row, but does cross a finder pattern: 15 modules of which the last two are
/// narrow elements. The pattern of the lower row is mirrored and one module nearer to the start (ISO/IEC 24724,
/// 5.2 and 5.3.2).
struct DataBarStackLocator {
    /// The smallest number of lines that show the two patterns of a symbol.
    private static let fewestLinesOfBoth = 5
    /// The distance between the middles of the two rows in modules: 7, with a margin for perspective and coarse lines.
    private static let rowDistance = 3.5...10.5
    /// The largest distance of the two patterns along the rows in modules: rows of up to 25 degrees.
    private static let largestMove = 4.5
    /// The largest ratio of the module sizes of the two patterns.
    private static let largestDifference = 1.25
    /// The size of the searched rectangle in modules: 50 by 13, with a margin.
    private static let size = (length: 60.0, height: 26.0)
    /// The rectangles around the symbols, with a module size in pixels for each.
    private(set) var places: [(region: LinearRegion, module: Double)] = []

    /// Searches every `step`th row of an image, and every fourth column.
    ///
    /// - Parameter columns: the patterns on these columns, if another search has scanned them; `nil` to scan them now.
    init(_ image: BinaryImage, step: Int, columns: DataBarFinderScan? = nil) {
        addPairs(DataBarFinderScan.rows(of: image, step: step).finders, isRow: true)
        addPairs((columns ?? .columns(of: image)).finders, isRow: false)
    }

    private mutating func addPairs(_ finders: [DataBarFinderScan.Finder], isRow: Bool) {
        for one in finders where one.key.isForward {
            for two in finders where !two.key.isForward {
                let module = (one.module + two.module) / 2
                let distance = two.line - one.line
                let move = two.along - one.along + module
                // One begins with a bar and ends with one, the other with a space, in the direction of reading.
                guard one.key.isFirstDark != two.key.isFirstDark, one.lines + two.lines >= Self.fewestLinesOfBoth,
                    Self.rowDistance.contains(abs(distance) / module),
                    abs(move) <= Self.largestMove * module,
                    max(one.module, two.module) <= Self.largestDifference * min(one.module, two.module)
                else { continue }
                let slope = move / distance
                // As in ``BarFieldScans``: bars run along (slope, 1) in rows, along (1, slope) in columns.
                var angle = isRow ? atan2(-slope, 1) : atan2(1, -slope)
                if angle > .pi / 2 { angle -= .pi }
                let (along, line) = ((one.along + two.along) / 2, (one.line + two.line) / 2)
                let center = isRow ? Point(x: along, y: line) : Point(x: line, y: along)
                guard !places.contains(where: { ($0.region.center - center).length < Self.largestMove * module }) else {
                    continue
                }
                let upright = module / (1 + slope * slope).squareRoot()
                places.append(
                    (
                        LinearRegion(
                            center: center, angle: angle,
                            length: Self.size.length * upright, height: Self.size.height * upright, confidence: 1),
                        upright
                    ))
            }
        }
    }
}
