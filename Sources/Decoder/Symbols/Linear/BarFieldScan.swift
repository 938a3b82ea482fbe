/// Tracks rows of bars from line to line of an image.
///
/// A line across a symbol shows many runs of similar width, and the next line shows the same runs, all with the same
/// shift. Text shows as many runs, but different ones on each line. A field therefore contains the bars alone,
/// whatever surrounds it.
struct BarFieldScan {
    /// The number of runs of the shortest symbol to find: a Code 128 of one character and its check character.
    private static let fewestRuns = 25
    /// Twice the largest ratio of the width of a run to the mean of its eight neighbors on one side.
    ///
    /// The widest element is 4 modules and the mean of eight elements at least 1.4 (EAN: guards and a digit), a
    /// ratio of 2.9. A quiet zone of 7 modules is 4.4 times as wide as the mean element of an EAN.
    private static let widestRun: Int32 = 7
    /// The same for an element between bars on both sides, as in the finder pattern of a DataBar: one of its
    /// elements is 9 modules wide, and eight elements beside it are 13 to 17 modules.
    private static let widestRunBetweenBars: Int32 = 12
    private static let neighbors = 8
    /// The share of the borders between runs that must recur on the next line, in percent.
    private static let recurringBorders = 80
    /// The smallest number of borders visible on both lines.
    private static let fewestBorders = fewestRuns - 5
    /// The smallest mean width of runs that are compared one by one, in pixels: those of small text differ by hardly
    /// more than the one pixel that is allowed.
    private static let widthOfTellingRuns: Int32 = 4
    /// The largest ratio of the total widths of bars and spaces in a field, in either direction.
    fileprivate static let largestImbalance: Int32 = 4
    /// The smallest number of lines of a field.
    private static let fewestLines = 3
    /// The smallest distance in pixels between the first and the last line of a field: lines that are closer may show
    /// the same strokes of small text.
    private static let leastHeight: Int32 = 3
    /// The smallest height in pixels over which noise may hide a field.
    private static let leastGap: Int32 = 4

    /// A row of bars that was seen on several lines.
    struct Track {
        /// The number of each line, and the first and last border on it.
        private(set) var lines: [Int32] = []
        private(set) var starts: [Int32] = []
        private(set) var ends: [Int32] = []
        /// The number of bars and spaces on the line with the most.
        private(set) var runs = 0
        /// True if the row may contain the quiet zone between two symbols.
        let isWhole: Bool
        /// The shift of the borders from line to line, in pixels for each pixel between the lines.
        var slope: Float { distance > 0 ? move / Float(distance) : 0 }
        /// True if each border may have a shift of its own; false once lines were matched by a common shift.
        fileprivate var mayDiverge: Bool { lines.count == 1 || diverges }

        private var move: Float = 0
        private var diverges = false
        private var distance: Int32 = 0
        /// The borders on the last line.
        fileprivate private(set) var borders: [Int32] = []
        fileprivate private(set) var lastShift: Int32 = 0

        /// True if bars and spaces have a ratio that symbols have.
        ///
        /// In symbols they are equally wide except for ink spread, which makes single modules up to three times as
        /// wide as they should be. The lines of a table or of a page of text are much narrower than the spaces
        /// between them.
        fileprivate var isBalanced: Bool {
            var widths: (Int32, Int32) = (0, 0)
            for index in 1..<borders.count {
                let width = borders[index] - borders[index - 1]
                if index % 2 == 1 { widths.0 += width } else { widths.1 += width }
            }
            return max(widths.0, widths.1) <= BarFieldScan.largestImbalance * min(widths.0, widths.1)
        }

        fileprivate var lastLine: Int32 { lines[lines.count - 1] }

        fileprivate init(_ line: Int32, _ borders: UnsafeBufferPointer<Int32>, isWhole: Bool) {
            self.isWhole = isWhole
            append(line, borders)
        }

        fileprivate mutating func follow(_ line: Int32, _ borders: UnsafeBufferPointer<Int32>, _ match: Match) {
            distance += line - lastLine
            move += match.move
            if match.diverges { diverges = true }
            lastShift = match.shift
            append(line, borders)
        }

        private mutating func append(_ line: Int32, _ borders: UnsafeBufferPointer<Int32>) {
            lines.append(line)
            starts.append(borders[0])
            ends.append(borders[borders.count - 1])
            runs = max(runs, borders.count - 1)
            self.borders.removeAll(keepingCapacity: true)
            self.borders.append(contentsOf: borders)
        }
    }

    /// The shift by which most borders of one line recur on another.
    fileprivate struct Match {
        var shift: Int32
        /// The mean shift, which is between `shift` and one more.
        var move: Float
        var count: Int
        /// True if each border has a shift of its own.
        var diverges = false
    }

    private let step: Int32
    private var current: [Track] = []
    private var ended: [Track] = []

    /// - Parameter step: the distance of the lines, in pixels.
    init(step: Int) {
        self.step = Int32(step)
    }

    /// Ends the scan and returns all fields.
    mutating func finish() -> [Track] {
        current.forEach { end($0) }
        current = []
        return ended
    }

    private mutating func end(_ track: Track) {
        if track.lines.count >= Self.fewestLines, track.lastLine - track.lines[0] >= Self.leastHeight, track.isBalanced
        {
            ended.append(track)
        }
    }

    /// Finds the rows of bars on the next line and matches them with the known tracks.
    mutating func examine(_ line: RunLines.Line) {
        let number = Int32(truncatingIfNeeded: line.number)
        // Noise may spoil one line of a field.
        let gap = max(2 * step, Self.leastGap)
        if current.contains(where: { number - $0.lastLine > gap }) {
            let old = current
            current.removeAll(keepingCapacity: true)
            for track in old {
                if number - track.lastLine > gap { end(track) } else { current.append(track) }
            }
        }
        guard line.starts.count > Self.fewestRuns else { return }
        let known = current.count
        Self.forEachRow(of: line) { row, isWhole in
            var best: (index: Int, match: Match)?
            for index in 0..<known where current[index].lastLine < number && current[index].isWhole == isWhole {
                guard let match = Self.match(current[index], row, step: (number - current[index].lastLine)),
                    match.count > best?.match.count ?? 0
                else { continue }
                best = (index, match)
            }
            if let best {
                current[best.index].follow(number, row, best.match)
            } else {
                current.append(Track(number, row, isWhole: isWhole))
            }
        }
    }

    /// Calls `body` with the borders of each row of bars, which begins and ends with a bar, and a Boolean.
    ///
    /// It is true if the row joins several rows, separated by elements that may be part of a symbol or the quiet
    /// zone between two.
    @inline(__always)
    private static func forEachRow(of line: RunLines.Line, _ body: (UnsafeBufferPointer<Int32>, Bool) -> Void) {
        let starts = line.starts
        let count = starts.count - 1
        func close(_ first: Int, _ index: Int, isWhole: Bool) {
            let isDark = (first % 2 == 0) == line.isFirstDark
            let from = isDark ? first : first + 1
            let to = (index - from) % 2 == 1 ? index : index - 1
            if to - from >= fewestRuns { body(UnsafeBufferPointer(rebasing: starts[from...to]), isWhole) }
        }
        var (first, firstOfWhole, hasParts) = (0, 0, false)
        for index in 0...count {
            var (isBeyond, isFar) = (index == count, index == count)
            if index < count {
                let width = 2 * Int32(neighbors) * (starts[index + 1] - starts[index])
                let before =
                    index >= neighbors ? starts[index] - starts[index - neighbors] : .max / widestRunBetweenBars
                let last = index + 1 + neighbors
                let after = last <= count ? starts[last] - starts[index + 1] : .max / widestRunBetweenBars
                isBeyond = width > widestRun * min(before, after)
                isFar = isBeyond && width > widestRunBetweenBars * min(before, after)
            }
            guard isBeyond else { continue }
            close(first, index, isWhole: false)
            first = index + 1
            if isFar {
                if hasParts { close(firstOfWhole, index, isWhole: true) }
                firstOfWhole = index + 1
            }
            hasParts = !isFar
        }
    }

    /// Returns the shift of the last line of a track to a row of bars; `nil` if fewer than ``recurringBorders``
    /// percent recur.
    private static func match(_ track: Track, _ row: UnsafeBufferPointer<Int32>, step: Int32) -> Match? {
        track.borders.withUnsafeBufferPointer { known in
            let (first, last) = (max(known[0], row[0]), min(known[known.count - 1], row[row.count - 1]))
            let shorter = min(known[known.count - 1] - known[0], row[row.count - 1] - row[0])
            guard 2 * (last - first) >= shorter else { return nil }
            // Bars are found at up to 45 degrees; the shift of the line before is the likeliest.
            let reach = step + 1
            if let match = match(known, row, shift: track.lastShift) { return match }
            return withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * Int(reach) + 1) { moves in
                let seen = countMoves(known, row, reach: reach, into: moves)
                let least = recurringBorders * max(fewestBorders, seen)
                var best: Match?
                for shift in -reach..<reach where shift != track.lastShift {
                    let most = Int(moves[Int(shift + reach)] + moves[Int(shift + reach) + 1])
                    guard 100 * most >= least, most > best?.count ?? 0,
                        let match = match(known, row, shift: shift), match.count > best?.count ?? 0
                    else { continue }
                    best = match
                }
                return best ?? (track.mayDiverge ? matchRuns(known, row, reach: reach) : nil)
            }
        }
    }

    /// Matches two rows whose bars and spaces have the same widths, although each border has a shift of its own.
    ///
    /// The bars on a jar and in perspective spread like a fan.
    ///
    /// - Returns: `nil` if fewer than ``recurringBorders`` percent of the widths recur.
    private static func matchRuns(
        _ known: UnsafeBufferPointer<Int32>, _ row: UnsafeBufferPointer<Int32>, reach: Int32
    ) -> Match? {
        guard known.count == row.count, known.count >= fewestBorders,
            row[row.count - 1] - row[0] >= widthOfTellingRuns * Int32(row.count - 1)
        else { return nil }
        var sum = row[0] - known[0]
        guard abs(sum) <= reach, abs(row[row.count - 1] - known[known.count - 1]) <= reach else { return nil }
        var count = 1
        for index in 1..<row.count {
            sum += row[index] - known[index]
            let change = row[index] - row[index - 1] - (known[index] - known[index - 1])
            if abs(change) <= 1 { count += 1 }
        }
        guard 100 * count >= recurringBorders * row.count else { return nil }
        let move = Float(sum) / Float(row.count)
        return Match(shift: Int32(move.rounded(.down)), move: move, count: count, diverges: true)
    }

    /// Counts by how many pixels the borders of a row may have moved from those of a track, at most `reach`, which
    /// limits the number that recurs with each shift.
    ///
    /// - Returns: the number of borders of the row that are visible on both lines whatever the shift.
    private static func countMoves(
        _ known: UnsafeBufferPointer<Int32>, _ row: UnsafeBufferPointer<Int32>, reach: Int32,
        into moves: UnsafeMutableBufferPointer<Int32>
    ) -> Int {
        moves.initialize(repeating: 0)
        let (first, last) = (known[0] + reach, known[known.count - 2] - reach)
        var seen = 0
        // First the borders at which a bar begins, then those at which one ends.
        for kind in 0..<2 {
            var index = kind
            for other in stride(from: kind, to: row.count, by: 2) {
                let place = row[other]
                if place >= first, place <= last { seen += 1 }
                while index < known.count, known[index] < place - reach { index += 2 }
                var near = index
                while near < known.count, known[near] <= place + reach {
                    moves[Int(place - known[near] + reach)] += 1
                    near += 2
                }
            }
        }
        return seen
    }

    /// Matches the borders that recur with a shift of `shift` or one more pixel; `nil` if too few of those visible
    /// on both lines do.
    @inline(__always)
    private static func match(
        _ known: UnsafeBufferPointer<Int32>, _ row: UnsafeBufferPointer<Int32>, shift: Int32
    ) -> Match? {
        var (count, expected) = (0, (0, 0))
        let most = max(known.count, row.count)
        var sum: Int32 = 0
        let (first, last) = (max(known[0] + shift, row[0]), min(known[known.count - 1] + shift, row[row.count - 1]))
        // First the borders at which a bar begins, then those at which one ends.
        for kind in 0..<2 {
            var index = kind
            for other in stride(from: kind, to: row.count, by: 2) {
                let place = row[other]
                guard place >= first else { continue }
                if place > last + 1 { break }
                expected.1 += 1
                while index < known.count, known[index] + shift + 1 < place {
                    if known[index] + shift >= first { expected.0 += 1 }
                    index += 2
                }
                guard index < known.count else { break }
                let move = place - known[index]
                if move == shift || move == shift + 1 {
                    count += 1
                    sum += move
                    expected.0 += 1
                    index += 2
                } else if 100 * (max(expected.0, expected.1) - count) > (100 - recurringBorders) * most {
                    return nil
                }
            }
        }
        let total = max(expected.0, expected.1)
        guard total >= fewestBorders, 100 * count >= recurringBorders * total else { return nil }
        return Match(shift: shift, move: Float(sum) / Float(max(1, count)), count: count)
    }
}
