internal import BarcodeCore

/// Finds the finder patterns of GS1 DataBar on the rows or columns of an image.
///
/// A finder pattern has five elements with 15 modules in all. Its last two elements are narrow, and it stands beside a
/// character (ISO/IEC 24724, 5.2.2).
struct DataBarFinderScan: Sendable {
    /// A finder pattern on several lines: where it is along the lines and across them, in pixels.
    struct Finder {
        var key: Key
        var along: Double
        var line: Double
        var module: Double
        var lines: Int
    }

    /// The properties of a finder pattern that must match from line to line.
    struct Key: Equatable, Sendable {
        /// True if the narrow elements are at the greater coordinate.
        var isForward: Bool
        var isFirstDark: Bool
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
    /// The smallest finder pattern in pixels that can be resolved.
    private static let smallestFinder: Int32 = 18
    /// The largest height of a row in modules: 7, with a margin for slanted lines.
    private static let highestRow = 11.0
    /// The largest number of patterns that are returned: two for each of 250 symbols.
    private static let mostFinders = 500

    private var tracks: RunTracks<Key>

    /// - Parameter step: the distance of the lines, in pixels.
    init(step: Int) {
        tracks = RunTracks(greatestGap: 2 * step, isAmbiguous: false)
    }

    /// Returns the patterns on every `step`th row.
    static func rows(of image: BinaryImage, step: Int) -> Self {
        var scan = Self(step: step)
        RunLines.rows(image, step: step) { scan.examine($0) }
        return scan
    }

    /// Returns the patterns on every fourth column.
    static func columns(of image: BinaryImage) -> Self {
        var scan = Self(step: 4)
        RunLines.columns(image, isSparse: false) { scan.examine($0) }
        return scan
    }

    /// Finds the patterns on a line.
    mutating func examine(_ line: RunLines.Line) {
        let starts = line.starts
        let last = starts.count - 1
        guard last >= Self.elements + Self.characterElements else { return }
        let number = Int32(truncatingIfNeeded: line.number)
        for index in 0...last - Self.elements {
            let whole = starts[index + Self.elements] - starts[index]
            guard whole >= Self.smallestFinder else { continue }
            let end = index + Self.elements
            let isForward: Bool
            if Self.isNarrow(starts[end] - starts[index + 3], of: whole),
                Self.isWide(starts[index + 3] - starts[index + 1], whole)
            {
                isForward = true
            } else if Self.isNarrow(starts[index + 2] - starts[index], of: whole),
                Self.isWide(starts[index + 4] - starts[index + 2], whole)
            {
                isForward = false
            } else {
                continue
            }
            // A slanted line may miss one of the two characters.
            let (before, after) =
                isForward ? (Self.outerModules, Self.innerModules) : (Self.innerModules, Self.outerModules)
            guard
                Self.isCharacter(starts, index - Self.characterElements, modules: before, whole)
                    || Self.isCharacter(starts, end, modules: after, whole)
            else { continue }
            let isFirstDark = (index % 2 == 0) == line.isFirstDark
            tracks.add(
                Key(isForward: isForward, isFirstDark: isFirstDark), line: number, inner: starts[index],
                outer: starts[end])
        }
    }

    /// The patterns, longest first.
    var finders: [Finder] {
        var result: [Finder] = []
        for track in tracks.tracks(ofLines: Self.fewestLines) where result.count < Self.mostFinders {
            let count = Double(track.lines.count)
            func mean(_ values: [Int32]) -> Double { values.reduce(0) { $0 + Double($1) } / count }
            let (start, end) = (mean(track.inner), mean(track.outer))
            let module = (end - start) / Double(Self.modules)
            guard let first = track.lines.first, let last = track.lines.last,
                Double(last - first) <= Self.highestRow * module
            else { continue }
            result.append(
                Finder(
                    key: track.key, along: (start + end) / 2, line: mean(track.lines) + 0.5, module: module,
                    lines: track.lines.count))
        }
        return result
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
}
