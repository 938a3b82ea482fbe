public import BarcodeCore

/// Finds the start and stop patterns of PDF417 symbols: bars that run along the whole side of the symbol.
///
/// On any line across a pattern its widths have the same ratios, so that rows and columns of the image find it at
/// every angle. The search starts with a wide bar beside two narrow runs. The other widths are compared from edge to
/// similar edge, which blur and ink spread do not change (ISO/IEC 15438, 5.3). A match on several neighboring lines
/// is a pattern.
public struct PDF417Locator: Sendable {
    /// A start or stop pattern found in an image.
    public struct Pattern: Sendable {
        /// True for a start pattern, false for a stop pattern.
        public var isStart: Bool
        /// True if the pattern is light on dark.
        public var isInverted: Bool
        /// The points of its border with the codewords, line by line.
        public var inner: [Point] = []
        /// The points of its border with the quiet zone, on the same lines.
        public var outer: [Point] = []
    }

    /// The properties of a pattern that must match from line to line.
    private struct Key: Equatable {
        var isStart: Bool
        var isInverted: Bool
        var isForward: Bool
    }

    /// The patterns, longest first.
    public private(set) var patterns: [Pattern] = []
    /// The left sides of MicroPDF417 symbols on the same lines, as start patterns, longest first.
    public private(set) var rowAddressSides: [Pattern] = []
    /// The clock tracks of films on the same lines, if requested.
    public private(set) var clocks: [FilmClockLocator.Clock] = []
    /// The finder patterns of Han Xin symbols on the same lines.
    public let cornerPatterns: [CornerPattern]
    /// The fields of bars on the same lines, if requested, in the order of ``BarFieldLocator``.
    public let fields: [BarField]
    /// The finder patterns of DataBar on the same columns, if requested.
    let dataBarColumns: DataBarFinderScan?

    /// The widths in modules, from the wide bar on, which has 8 modules in a start pattern and 7 in a stop pattern.
    private static let startRuns = [8, 1, 1, 1, 1, 1, 1, 3]
    private static let stopRuns = [7, 1, 1, 3, 1, 1, 1, 2, 1]
    /// The smallest number of lines that show a pattern, and the largest number of lines between two of them, or
    /// twice this number if every row is scanned.
    private static let minimumLines = 4
    private static let greatestGap = 5
    /// The largest number of left sides of MicroPDF417 symbols that are returned: three for each of 100 symbols.
    private static let maximumSides = 300

    /// Searches every `step`th row of an image and every fourth column, or every eighth if `step` is over 4.
    ///
    /// - Parameters:
    ///   - image: the image.
    ///   - step: the distance of the rows, in pixels.
    ///   - withClocks: true to find clock tracks of films too.
    ///   - withCorners: true to find the finder patterns of Han Xin symbols too.
    ///   - withFields: true to find fields of bars too.
    ///   - withDataBar: true to find the finder patterns of DataBar on the columns too.
    public init(
        _ image: BinaryImage, step: Int, withClocks: Bool = false, withCorners: Bool = false, withFields: Bool = false,
        withDataBar: Bool = false
    ) {
        let isSparse = step > 4
        let columnStep = isSparse ? 8 : 4
        var rows = RunTracks<Key>(greatestGap: Self.greatestGap * max(step, 2), isAmbiguous: false)
        var addressRows = RowAddressScan(step: step)
        var films = FilmClockLocator()
        var cornerRows = CornerPatternScan(image, isRow: true)
        var bars = BarFieldScans(step: step)
        RunLines.rows(image, step: step) {
            Self.examine($0, &rows)
            addressRows.examine($0)
            if withClocks { films.examine($0, isRow: true) }
            if withCorners { cornerRows.examine($0) }
            if withFields { bars.rows.examine($0) }
        }
        var columns = RunTracks<Key>(greatestGap: Self.greatestGap * columnStep, isAmbiguous: false)
        var addressColumns = RowAddressScan(step: columnStep)
        var cornerColumns = CornerPatternScan(image, isRow: false, known: cornerRows.patterns)
        var dataBars = DataBarFinderScan(step: columnStep)
        RunLines.columns(image, isSparse: isSparse) {
            Self.examine($0, &columns)
            addressColumns.examine($0)
            if withClocks { films.examine($0, isRow: false) }
            if withCorners { cornerColumns.examine($0) }
            if withFields { bars.columns.examine($0) }
            if withDataBar { dataBars.examine($0) }
        }
        clocks = films.clocks
        cornerPatterns = cornerColumns.patterns
        fields = bars.finish()
        dataBarColumns = withDataBar ? dataBars : nil
        rowAddressSides = addressRows.sides(isRow: true) + addressColumns.sides(isRow: false)
        rowAddressSides.sort { $0.inner.count > $1.inner.count }
        rowAddressSides = Array(rowAddressSides.prefix(Self.maximumSides))
        for (tracks, isRow) in [(rows, true), (columns, false)] {
            for track in tracks.tracks(ofLines: Self.minimumLines) {
                patterns.append(
                    Pattern(
                        isStart: track.key.isStart, isInverted: track.key.isInverted,
                        inner: track.points(track.inner, isRow: isRow),
                        outer: track.points(track.outer, isRow: isRow)))
            }
        }
        patterns.sort { $0.inner.count > $1.inner.count }
    }

    private static func examine(_ line: RunLines.Line, _ tracks: inout RunTracks<Key>) {
        let starts = line.starts
        let runs = starts.count - 1
        guard runs >= startRuns.count else { return }
        for index in 0..<runs {
            let wide = starts[index + 1] - starts[index]
            guard wide >= 6 else { continue }
            if index + 8 <= runs, wide > 3 * (starts[index + 2] - starts[index + 1]),
                wide > 3 * (starts[index + 3] - starts[index + 2])
            {
                compare(starts, index, isForward: true, line, &tracks)
            }
            if index >= 7, wide > 3 * (starts[index] - starts[index - 1]),
                wide > 3 * (starts[index - 1] - starts[index - 2])
            {
                compare(starts, index, isForward: false, line, &tracks)
            }
        }
    }

    private static func compare(
        _ starts: UnsafeBufferPointer<Int32>, _ index: Int, isForward: Bool, _ line: RunLines.Line,
        _ tracks: inout RunTracks<Key>
    ) {
        for isStart in [true, false] {
            let runs = isStart ? startRuns : stopRuns
            let far = isForward ? index + runs.count : index + 1 - runs.count
            guard far >= 0, far < starts.count else { continue }
            let (near, end) = (starts[isForward ? index : index + 1], starts[far])
            let module = Double(abs(end - near)) / (isStart ? 17 : 18)
            let slack = 0.35 * module + 0.7
            var fits = module >= 0.9
            for pair in 0..<runs.count - 1 where fits {
                let first = isForward ? index + pair : index + 1 - pair
                let width = abs(starts[isForward ? first + 2 : first - 2] - starts[first])
                fits = abs(Double(width) - Double(runs[pair] + runs[pair + 1]) * module) < slack
            }
            guard fits else { continue }
            let isDark = line.isFirstDark == (index % 2 == 0)
            // The wide bar is the outer end of a start pattern and the inner end of a stop pattern.
            tracks.add(
                Key(isStart: isStart, isInverted: !isDark, isForward: isForward), line: Int32(line.number),
                inner: isStart ? end : near, outer: isStart ? near : end)
        }
    }
}
