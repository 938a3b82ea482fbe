internal import BarcodeCore
internal import Glibc

/// Finds DataBar Stacked symbols by their two finder patterns, one above the other.
///
/// The rows of the smallest stacked symbol are 5 and 7 modules high, so that a line through the image that is a few
/// degrees askew does not cross a whole row, but does cross a finder pattern: 15 modules of which the last two are
/// narrow elements. The pattern of the lower row is mirrored and one module nearer to the start (ISO/IEC 24724,
/// 5.2 and 5.3.2).
struct DataBarStackLocator {
    /// The properties of a finder pattern that must match from line to line.
    private struct Key: Equatable {
        /// True if the narrow elements are at the greater coordinate.
        var isForward: Bool
        var isFirstDark: Bool
    }

    /// A finder pattern on several lines: where it is along the lines and across them, in pixels.
    private struct Finder {
        var key: Key
        var along: Double
        var line: Double
        var module: Double
        var lines: Int
    }

    /// The number of elements and modules of a finder pattern, and of elements of the character on either side.
    private static let elements = 5
    private static let modules = 15
    private static let characterElements = 8
    /// The number of modules of the characters before and after a finder pattern, in the direction of its narrow
    /// elements.
    private static let (outerModules, innerModules): (Int32, Int32) = (16, 15)
    /// The smallest number of lines that show a pattern: a row of 5 modules of 2 pixels has two or three.
    private static let fewestLines = 2
    private static let fewestLinesOfBoth = 5
    /// The smallest finder pattern in pixels that can be resolved.
    private static let smallestFinder: Int32 = 18
    /// The largest height of a row in modules: 7, with a margin for slanted lines.
    private static let highestRow = 11.0
    /// The distance between the middles of the two rows in modules: 7, with a margin for perspective and coarse lines.
    private static let rowDistance = 3.5...10.5
    /// The largest distance of the two patterns along the rows in modules: rows of up to 25 degrees.
    private static let largestMove = 4.5
    /// The largest ratio of the module sizes of the two patterns.
    private static let largestDifference = 1.25
    /// The size of the searched rectangle in modules: 50 by 13, with a margin.
    private static let size = (length: 60.0, height: 26.0)
    /// The largest number of finder patterns that are compared: two for each of 250 symbols.
    private static let mostFinders = 500

    /// The rectangles around the symbols, with a module size in pixels for each.
    private(set) var places: [(region: LinearRegion, module: Double)] = []

    /// Searches every `step`th row of an image, and every fourth column, or every eighth if `step` is over 4.
    init(_ image: BinaryImage, step: Int) {
        let isSparse = step > 4
        var rows = RunTracks<Key>(greatestGap: 2 * step, isAmbiguous: false)
        RunLines.rows(image, step: step) { Self.examine($0, &rows) }
        addPairs(Self.finders(rows), isRow: true)
        var columns = RunTracks<Key>(greatestGap: isSparse ? 16 : 8, isAmbiguous: false)
        RunLines.columns(image, isSparse: isSparse) { Self.examine($0, &columns) }
        addPairs(Self.finders(columns), isRow: false)
    }

    private static func examine(_ line: RunLines.Line, _ tracks: inout RunTracks<Key>) {
        let starts = line.starts
        let last = starts.count - 1
        guard last >= elements + characterElements else { return }
        let number = Int32(truncatingIfNeeded: line.number)
        for index in 0...last - elements {
            let whole = starts[index + elements] - starts[index]
            guard whole >= smallestFinder else { continue }
            let end = index + elements
            let isForward: Bool
            if isNarrow(starts[end] - starts[index + 3], of: whole),
                isWide(starts[index + 3] - starts[index + 1], whole)
            {
                isForward = true
            } else if isNarrow(starts[index + 2] - starts[index], of: whole),
                isWide(starts[index + 4] - starts[index + 2], whole)
            {
                isForward = false
            } else {
                continue
            }
            // A slanted line may miss one of the two characters.
            let (before, after) = isForward ? (outerModules, innerModules) : (innerModules, outerModules)
            guard
                isCharacter(starts, index - characterElements, modules: before, whole)
                    || isCharacter(starts, end, modules: after, whole)
            else { continue }
            let isFirstDark = (index % 2 == 0) == line.isFirstDark
            tracks.add(
                Key(isForward: isForward, isFirstDark: isFirstDark), line: number, inner: starts[index],
                outer: starts[end])
        }
    }

    /// Indicates whether two elements may be the narrow ones: 2 of 15 modules, with a pixel of tolerance.
    @inline(__always)
    private static func isNarrow(_ two: Int32, of whole: Int32) -> Bool {
        let modules = Int32(Self.modules)
        return (two - 1) * modules <= 3 * whole && (two + 1) * modules >= whole * 3 / 2
    }

    /// Indicates whether two elements may be the second and third: 10 to 12 of 15 modules, with half a module and a
    /// pixel of tolerance.
    @inline(__always)
    private static func isWide(_ two: Int32, _ whole: Int32) -> Bool {
        let modules = Int32(Self.modules)
        return 2 * (two + 1) * modules >= 19 * whole && 2 * (two - 1) * modules <= 25 * whole
    }

    /// Indicates whether the eight elements from `first` on may be a character beside a finder pattern: none is wider
    /// than 8 modules, and the whole is as wide as it should be within an eighth and a pixel.
    @inline(__always)
    private static func isCharacter(
        _ starts: UnsafeBufferPointer<Int32>, _ first: Int, modules: Int32, _ finder: Int32
    ) -> Bool {
        guard first >= 0, first + characterElements < starts.count else { return false }
        let width = (starts[first + characterElements] - starts[first]) * Int32(Self.modules)
        guard abs(width - modules * finder) <= modules * finder / 8 + Int32(Self.modules) else { return false }
        return (first..<first + characterElements).allSatisfy { 5 * (starts[$0 + 1] - starts[$0]) <= 3 * finder }
    }

    private static func finders(_ tracks: RunTracks<Key>) -> [Finder] {
        var result: [Finder] = []
        for track in tracks.tracks(ofLines: fewestLines) where result.count < mostFinders {
            let count = Double(track.lines.count)
            func mean(_ values: [Int32]) -> Double { values.reduce(0) { $0 + Double($1) } / count }
            let (start, end) = (mean(track.inner), mean(track.outer))
            let module = (end - start) / Double(modules)
            guard let first = track.lines.first, let last = track.lines.last,
                Double(last - first) <= highestRow * module
            else { continue }
            result.append(
                Finder(
                    key: track.key, along: (start + end) / 2, line: mean(track.lines) + 0.5, module: module,
                    lines: track.lines.count))
        }
        return result
    }

    private mutating func addPairs(_ finders: [Finder], isRow: Bool) {
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
