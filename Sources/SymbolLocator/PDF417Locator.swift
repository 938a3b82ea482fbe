public import BarcodeCore

/// Finds the start and stop patterns of PDF417 symbols: bars that run along the whole side of the symbol.
///
/// On any line across it a pattern has its widths in the same ratios, so that rows and columns of the picture find it at
/// every angle. A wide bar with two narrow runs beside it is what is looked for; the rest is compared from edge to like
/// edge, which blur and bleeding leave where they are (ISO/IEC 15438, 5.3). What is seen on several lines above each
/// other is a pattern.
public struct PDF417Locator: Sendable {
    /// A pattern that was seen.
    public struct Pattern: Sendable {
        /// Whether it is the start pattern and not the stop pattern.
        public var isStart: Bool
        /// Whether it is light on dark.
        public var isInverted: Bool
        /// Where it meets the codewords, on lines in the order of the picture.
        public var inner: [Point] = []
        /// Where it meets the quiet zone, on the same lines.
        public var outer: [Point] = []
    }

    /// The patterns that were seen, the longest first.
    public private(set) var patterns: [Pattern] = []

    /// Widths in modules behind the wide bar, which has 8 in a start pattern and 7 in a stop pattern.
    private static let startRuns = [8, 1, 1, 1, 1, 1, 1, 3]
    private static let stopRuns = [7, 1, 1, 3, 1, 1, 1, 2, 1]
    /// Lines that a pattern must be seen on, and lines on which it may be missed in between.
    private static let minimumLines = 4
    private static let greatestGap = 5

    /// Searches a picture: every `step`th row, and as many columns.
    public init(_ image: BinaryImage, step: Int) {
        var rows = Tracks()
        RunLines.rows(image, step: step) { Self.examine($0, step: step, &rows) }
        var columns = Tracks()
        let isSparse = step > 4
        RunLines.columns(image, isSparse: isSparse) { Self.examine($0, step: isSparse ? 8 : 4, &columns) }
        for (tracks, isRow) in [(rows, true), (columns, false)] {
            for track in tracks.finished() where track.inner.count >= Self.minimumLines {
                func points(_ places: [Int32]) -> [Point] {
                    zip(track.lines, places).map { line, place in
                        isRow
                            ? Point(x: Double(place), y: Double(line) + 0.5)
                            : Point(x: Double(line) + 0.5, y: Double(place))
                    }
                }
                patterns.append(
                    Pattern(
                        isStart: track.key.isStart, isInverted: track.key.isInverted, inner: points(track.inner),
                        outer: points(track.outer)))
            }
        }
        patterns.sort { $0.inner.count > $1.inner.count }
    }

    private static func examine(_ line: RunLines.Line, step: Int, _ tracks: inout Tracks) {
        line.starts.withUnsafeBufferPointer { starts in
            let runs = starts.count - 1
            guard runs >= startRuns.count else { return }
            for index in 0..<runs {
                let wide = starts[index + 1] - starts[index]
                guard wide >= 6 else { continue }
                if index + 8 <= runs, wide > 3 * (starts[index + 2] - starts[index + 1]),
                    wide > 3 * (starts[index + 3] - starts[index + 2])
                {
                    compare(starts, index, isForward: true, line, step, &tracks)
                }
                if index >= 7, wide > 3 * (starts[index] - starts[index - 1]),
                    wide > 3 * (starts[index - 1] - starts[index - 2])
                {
                    compare(starts, index, isForward: false, line, step, &tracks)
                }
            }
        }
    }

    private static func compare(
        _ starts: UnsafeBufferPointer<Int32>, _ index: Int, isForward: Bool, _ line: RunLines.Line, _ step: Int,
        _ tracks: inout Tracks
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
            // The wide bar of a start pattern lies outside, that of a stop pattern inside.
            tracks.add(
                Tracks.Key(isStart: isStart, isInverted: !isDark, isForward: isForward), line: Int32(line.number),
                inner: isStart ? end : near, outer: isStart ? near : end,
                greatestGap: Int32(greatestGap * step))
        }
    }

    /// Patterns as they are followed from line to line.
    private struct Tracks {
        struct Key: Equatable {
            var isStart: Bool
            var isInverted: Bool
            var isForward: Bool
        }

        struct Track {
            var key: Key
            var lines: [Int32]
            var inner: [Int32]
            var outer: [Int32]
        }

        private var open: [Track] = []
        private var closed: [Track] = []

        mutating func add(_ key: Key, line: Int32, inner: Int32, outer: Int32, greatestGap: Int32) {
            var index = 0
            let width = abs(inner - outer)
            while index < open.count {
                guard let last = open[index].lines.last, let place = open[index].inner.last,
                    let outerPlace = open[index].outer.last
                else { break }
                let gap = line - last
                if gap > greatestGap {
                    let track = open.remove(at: index)
                    if track.lines.count > 1 { closed.append(track) }
                    continue
                }
                let known = abs(place - outerPlace)
                // A line of 63 degrees to the pattern moves it by two pixels a line.
                if open[index].key == key, gap > 0, abs(inner - place) <= 2 * gap + 2,
                    abs(width - known) * 5 <= known + 10
                {
                    open[index].lines.append(line)
                    open[index].inner.append(inner)
                    open[index].outer.append(outer)
                    return
                }
                index += 1
            }
            open.append(Track(key: key, lines: [line], inner: [inner], outer: [outer]))
        }

        func finished() -> [Track] { closed + open }
    }
}
