import BarcodeCore
internal import Glibc

/// The locations of the codewords of a symbol on lines across it.
///
/// From each known side it follows the beginnings of the codewords, column by column, and their rows. If the paper
/// is bent, a line crosses several rows, which the clusters of its codewords reveal.
struct PDF417Mesh {
    let lines: PDF417Lines
    let size: PDF417Size
    /// The beginning and the end of the codeword in each column (including the row indicators) on each line.
    ///
    /// The end of one codeword may differ from the beginning of the next if they were found from opposite sides.
    private(set) var beginnings: [[Double]]
    private(set) var ends: [[Double]]
    /// The row, with its fraction, in each column on each line; not finite if unknown.
    private(set) var rows: [[Double]]
    private let rowsPerLine: Double
    /// The number of examined columns, and of those whose clusters agree on the rows.
    private var columnsSeen = 0
    private var columnsInStep = 0

    /// The largest number of lines whose clusters are examined in a column.
    private static let maximumProbes = 96
    /// The number of lines that suffice if nine of ten show a codeword, and the agreement required of them.
    ///
    /// A line through the middle of a row and one at its edge differ by half a row, which alone gives 0.83 on
    /// average.
    private static let clearProbes = 8
    private static let clearAgreement = 0.75
    /// The smallest agreement of the clusters in a column with rows, and the smallest share of such columns.
    ///
    /// Of 90 drawn symbols in glare and noise the worst had 12 of 14; the space between the bars of linear symbols
    /// had 3 of 20.
    private static let likelyAgreement = 0.5
    private static let fewestInStep = 0.25
    /// The share of the bend of the rows that is expected to continue in the next column.
    private static let persistence = 0.8

    /// Follows the codewords along lines.
    ///
    /// - Parameters:
    ///   - lines: the lines with their gray levels.
    ///   - size: the size of the symbol.
    ///   - lineRows: the row of each line at its known sides.
    ///   - startDrift: the drift of the lines from the first column to the second in rows, given by the start
    ///     pattern; `nil` if its row indicators were not read.
    ///   - stopDrift: the same from the last column to the one before it.
    init(_ lines: PDF417Lines, size: PDF417Size, rows lineRows: [Double], startDrift: Double?, stopDrift: Double?) {
        let (fromStart, fromStop) = (startDrift != nil, stopDrift != nil)
        rowsPerLine = max(1e-3, (lineRows.last ?? 0) - (lineRows.first ?? 0)) / Double(max(1, lineRows.count - 1))
        self.lines = lines
        self.size = size
        let columns = size.columns + 2
        beginnings = [[Double]](repeating: [], count: columns)
        ends = beginnings
        rows = [[Double]](repeating: [], count: columns)
        let middle = fromStart && fromStop ? (columns + 1) / 2 : fromStart ? columns : 0
        if let startDrift { follow(0..<middle, lineRows, drift: startDrift, isForward: true) }
        if let stopDrift { follow(middle..<columns, lineRows, drift: stopDrift, isForward: false) }
    }

    private mutating func follow(_ columns: Range<Int>, _ lineRows: [Double], drift first: Double, isForward: Bool) {
        let all = lines.lines.indices
        var places = lines.lines.map { (isForward ? $0.start : $0.stop) ?? 0 }
        var widths = [Double](
            repeating: Double(PDF417Patterns.width) * (isForward ? lines.startModule : lines.stopModule),
            count: all.count)
        var current = lineRows
        // Half a column from the side to the center of the first.
        var trend = first / 2
        let window = max(2, all.count / 30)
        places = lines.edges(near: places, module: lines.module, window: window)
        let firstPlaces = places
        for column in isForward ? Array(columns) : columns.reversed() {
            let expected = all.map { line in
                let width = perspectiveWidth(line, column: column) ?? widths[line]
                return places[line] + (isForward ? width : -width)
            }
            let next = lines.edges(near: expected, module: lines.module, window: window)
            for line in all {
                let width = abs(next[line] - places[line])
                widths[line] += 0.35 * (width - widths[line])
            }
            beginnings[column] = isForward ? places : next
            ends[column] = isForward ? next : places
            let isFirst = places == firstPlaces
            let lean = (isForward ? -1 : 1) * (isFirst ? 2 * trend : trend) / rowsPerLine
            let shift = drift(column, current.map { $0 + trend }, lean: lean)
            current = all.map { current[$0] + trend + shift(Double($0)) }
            let step = trend + shift(Double(all.count) / 2)
            trend = isFirst ? first : Self.persistence * step
            rows[column] = current
            places = next
        }
    }

    /// The maximum ratio of the module sizes at both sides.
    private static let largestRatio = 4.0

    /// Returns the width in pixels of a column on a line with two known ends, from the ratio of the module sizes at
    /// these; `nil` if an end is unknown.
    ///
    /// In a plane seen at an angle, t modules are a t / (1 + g t) pixels. The module sizes were measured over the
    /// start and the stop pattern, whose centers are 17.5 modules further apart than their inner edges.
    private func perspectiveWidth(_ line: Int, column: Int) -> Double? {
        guard let start = lines.lines[line].start, let stop = lines.lines[line].stop, lines.stopModule > 0 else {
            return nil
        }
        let ratio = min(Self.largestRatio, max(1 / Self.largestRatio, lines.startModule / lines.stopModule))
        let count = Double(PDF417Patterns.width * (size.columns + 2))
        let g = (ratio.squareRoot() - 1) / (count + 17.5)
        func place(_ column: Int) -> Double {
            let modules = Double(PDF417Patterns.width * column)
            return (stop - start) * modules * (1 + g * count) / (count * (1 + g * modules))
        }
        return place(column + 1) - place(column)
    }

    /// Samples the levels of a codeword on a line.
    ///
    /// - Parameter lean: the number of lines that the row crosses in the column.
    func codeword(_ line: Int, column: Int, shift: Double = 0, lean: Double = 0, into samples: inout [Float]) {
        guard beginnings.indices.contains(column), beginnings[column].indices.contains(line) else { return }
        let offset = shift * lines.module
        lines.codeword(
            line, from: beginnings[column][line] + offset, to: ends[column][line] + offset, lean: lean,
            into: &samples)
    }

    /// Returns the drift of a column, from its clusters and the expected rows, as a linear function of the line.
    private mutating func drift(_ column: Int, _ expected: [Double], lean: Double) -> (Double) -> Double {
        let step = max(1, expected.count / Self.maximumProbes)
        var samples = [Float](repeating: 0, count: PDF417Patterns.width)
        var errors: [(line: Double, error: Double, weight: Double)] = []
        // Clusters repeat after three rows, so average the directions on a circle of three.
        let turn = 2 * Double.pi / 3
        var (sine, cosine, weight) = (0.0, 0.0, 0.0)
        var looked = 0
        // In a clear symbol every fourth line is sufficient.
        for part in [0, 2, 1, 3] {
            for line in stride(from: part * step, to: expected.count, by: 4 * step) {
                guard expected[line] > -0.5, expected[line] < Double(size.rows) + 0.5 else { continue }
                looked += 1
                codeword(line, column: column, lean: lean, into: &samples)
                let match = PDF417Templates.middle.match(samples, cluster: nil)
                guard match.score > 0.7 else { continue }
                let error = Double(match.cluster) + 0.5 - expected[line]
                let sure = Double(match.score - 0.65) * Double(min(1, match.confidence))
                errors.append((Double(line), error, sure))
                sine += sure * sin(error * turn)
                cosine += sure * cos(error * turn)
                weight += sure
            }
            if errors.count >= Self.clearProbes, errors.count * 10 >= looked * 9,
                hypot(sine, cosine) > Self.clearAgreement * weight
            {
                break
            }
        }
        columnsSeen += 1
        if errors.count >= 4, hypot(sine, cosine) > Self.likelyAgreement * weight { columnsInStep += 1 }
        guard errors.count >= 4, weight > 0, hypot(sine, cosine) > 0.35 * weight else { return { _ in 0 } }
        let shift = atan2(sine, cosine) / turn
        // The rest differs from line to line if the paper is bent or seen at an angle.
        let center = errors.reduce(0) { $0 + $1.line * $1.weight } / weight
        var (products, squares) = (0.0, 0.0)
        for each in errors {
            let rest = each.error - shift - 3 * ((each.error - shift) / 3).rounded()
            guard abs(rest) < 1 else { continue }
            products += each.weight * (each.line - center) * rest
            squares += each.weight * (each.line - center) * (each.line - center)
        }
        let slope = squares > 0 ? products / (squares + weight * Double(expected.count)) : 0
        return { shift + slope * ($0 - center) }
    }

    /// Indicates whether there are rows of codewords at all.
    var hasRows: Bool { Double(columnsInStep) >= Self.fewestInStep * Double(columnsSeen) }

    /// Returns the number of lines that a row crosses in a column, from the rows of the neighboring columns.
    private func lean(_ line: Int, _ column: Int) -> Double {
        let (before, behind) = (max(0, column - 1), min(rows.count - 1, column + 1))
        guard before < behind, rows[before].indices.contains(line), rows[behind].indices.contains(line) else {
            return 0
        }
        return (rows[before][line] - rows[behind][line]) / Double(behind - before) / rowsPerLine
    }

    /// Returns the drift of the middle line from the first to the last column that was followed, in rows.
    func drift(isForward: Bool) -> Double {
        guard let first = isForward ? rows.first : rows.last, let last = isForward ? rows.last : rows.first,
            first.count == last.count, !first.isEmpty
        else { return 0 }
        return last[last.count / 2] - first[first.count / 2]
    }

    /// Returns the codewords of all rows and columns, row by row, matched with a set of templates.
    func matches(_ templates: PDF417Templates) -> [PDF417Templates.Match] {
        var result = [PDF417Templates.Match](
            repeating: .init(cluster: 0, value: 0, score: 0, runnerUp: 0), count: size.codewordCount)
        for column in 1...size.columns {
            var linesOfRow = [[Int]](repeating: [], count: size.rows)
            for (line, row) in rows[column].enumerated() where row > -0.3 && row < Double(size.rows) + 0.3 {
                linesOfRow[min(size.rows - 1, max(0, Int(row.rounded(.down))))].append(line)
            }
            for row in 0..<size.rows {
                result[row * size.columns + column - 1] = match(
                    row: row, column: column, lines: linesOfRow[row], templates)
            }
        }
        return result
    }

    /// The distance in rows from the center of a row up to which its neighbors do not interfere.
    private static let core = 0.34

    private func match(
        row: Int, column: Int, lines candidates: [Int], _ templates: PDF417Templates
    ) -> PDF417Templates.Match {
        var best = PDF417Templates.Match(cluster: row % 3, value: 0, score: 0, runnerUp: 0)
        let center = Double(row) + 0.5
        let core = candidates.filter { abs(rows[column][$0] - center) < Self.core }
        let used = core.isEmpty ? candidates : core
        guard !used.isEmpty else { return best }
        let thirds = used.count < 3 ? [used[...]] : [used[...], used[..<(used.count / 2)], used[(used.count / 2)...]]
        var samples = [Float](repeating: 0, count: PDF417Patterns.width)
        for (index, part) in thirds.enumerated() {
            // A part of a row is tried only if the whole is not clear.
            if index > 0, best.confidence > 1 { break }
            for shift in [0, -0.2, 0.2] {
                if shift != 0, best.confidence > 1 { break }
                var sum = [Float](repeating: 0, count: PDF417Patterns.width)
                for line in part {
                    codeword(line, column: column, shift: shift, lean: lean(line, column), into: &samples)
                    for place in sum.indices { sum[place] += samples[place] }
                }
                let match = templates.match(sum, cluster: row % 3)
                if match.confidence > best.confidence { best = match }
            }
        }
        return best
    }
}
