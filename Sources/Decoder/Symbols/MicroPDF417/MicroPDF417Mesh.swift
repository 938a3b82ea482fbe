import BarcodeCore
internal import Glibc

/// The locations of the codewords of a symbol with a known number of columns, on lines that start at its left side.
///
/// All parts of a row begin with a bar and end with a space, and so do the parts above and below: the mesh follows
/// their boundaries from part to part. The row address patterns at the right tell by how many rows the lines drift.
struct MicroPDF417Mesh {
    private let lines: PDF417Lines
    private let parts: [MicroPDF417Size.Part]
    /// The start of each part on each line, and last that of the bar at the right.
    private var beginnings: [[Double]]
    /// The start and end of the codeword before the known pattern, on each line; `nil` if rows begin with the
    /// pattern.
    private var before: (begin: [Double], end: [Double])?
    /// The number of the left row address pattern on each line, with its fraction.
    private let left: [Double]
    /// The row address patterns at the right: their line, number and score.
    private var shown: [(line: Int, number: Int, score: Float)] = []

    /// The smallest correlation of a valid row address pattern.
    private static let minimumScore: Float = 0.72
    /// The smallest share of the lines on which the right patterns must match the size.
    private static let minimumShare = 0.3
    /// The largest drift of a line, in rows.
    private static let greatestDrift = 8

    /// Follows the parts of the rows.
    ///
    /// - Parameters:
    ///   - rows: the number of the left row address pattern on each line, with its fraction.
    ///   - growth: the expected change of the module size from one module to the next, as a share.
    init(_ lines: PDF417Lines, size: MicroPDF417Size, rows: [Double], growth: Double) {
        self.lines = lines
        parts = size.parts
        left = rows
        let window = max(2, rows.count / 30)
        var places = lines.edges(near: rows.map { _ in 0 }, module: lines.module, window: window)
        var modules = rows.map { _ in lines.module }
        beginnings = [places]
        var levels = [Float](repeating: 0, count: RowAddressPatterns.window)
        // The modules were measured in the middle of the part before.
        var widthBefore = Double(RowAddressPatterns.width)
        for part in parts {
            let width = Double(part.width)
            let change = 1 + growth * (width + widthBefore) / 2
            widthBefore = width
            for line in places.indices { modules[line] *= change }
            let expected = places.indices.map { places[$0] + width * modules[$0] }
            let next = lines.edges(near: expected, module: lines.module, window: window)
            if part == .rightPattern {
                for line in places.indices {
                    let module = (next[line] - places[line]) / width
                    lines.codeword(
                        line, from: places[line], to: next[line] + module, lean: 0, into: &levels)
                    let match = RowAddressPatterns.side.match(levels)
                    if match.score > Self.minimumScore { shown.append((line, match.number, match.score)) }
                }
            }
            for line in places.indices {
                let module = abs(next[line] - places[line]) / width
                modules[line] += 0.4 * width / 17 * (module - modules[line])
            }
            places = next
            beginnings.append(places)
        }
        guard !size.partsBefore.isEmpty else { return }
        func edges(_ modules: Int, before places: [Double]) -> [Double] {
            let expected = places.map { $0 - Double(modules) * lines.module }
            return lines.edges(near: expected, module: lines.module, window: window)
        }
        let end = edges(RowAddressPatterns.width, before: beginnings[0])
        before = (edges(PDF417Patterns.width, before: end), end)
    }

    /// Returns the rows at the right of the lines, as numbers of left patterns; `nil` if the right patterns do not
    /// match the size.
    private func right(_ size: MicroPDF417Size) -> PDF417RowFit? {
        var samples: [PDF417RowFit.Sample] = []
        for each in shown {
            // The difference from the expected pattern, modulo the number of patterns.
            let row = left[each.line] - 0.5 - Double(size.first)
            let expected = Double(size.right) + row
            let away = Double(each.number) - expected
            let short = away - Double(RowAddressPatterns.count) * (away / Double(RowAddressPatterns.count)).rounded()
            guard abs(short) <= Double(Self.greatestDrift), row > -1, row < Double(size.rows) else { continue }
            samples.append(
                .init(
                    place: Double(each.line), row: Int((row + short).rounded()) + size.first,
                    weight: Double(each.score) - 0.6))
        }
        guard Double(samples.count) > Self.minimumShare * Double(left.count), let fit = PDF417RowFit(samples),
            fit.share > 0.5, fit.slope > 0
        else { return nil }
        return fit
    }

    /// Returns the codewords of a size, row by row, and the corners of the symbol; `nil` if the symbol has another
    /// size.
    func codewords(
        _ size: MicroPDF417Size, _ templates: PDF417Templates
    ) -> (matches: [PDF417Templates.Match], corners: Quadrilateral)? {
        guard size.parts == parts, let right = right(size), let first = left.first, let last = left.last else {
            return nil
        }
        let rowsPerLine = max(1e-3, (last - first) / Double(max(1, left.count - 1)))
        let total = Double(parts.reduce(0) { $0 + $1.width })
        var matches = [PDF417Templates.Match](
            repeating: .init(cluster: 0, value: 0, score: 0, runnerUp: 0), count: size.codewordCount)
        var samples = [Float](repeating: 0, count: PDF417Patterns.width)
        for (column, place) in columns.enumerated() {
            let width = Double(PDF417Patterns.width)
            let share = (place.modules + width / 2) / total
            // The row in the middle of the codeword on each line, from 0.
            let rows = left.indices.map { line in
                left[line] + (right(Double(line)) - left[line]) * share - Double(size.first)
            }
            for row in 0..<size.rows {
                let center = Double(row) + 0.5
                let near = rows.indices.filter { abs(rows[$0] - center) < 0.5 }
                let core = near.filter { abs(rows[$0] - center) < 0.34 }
                var best = PDF417Templates.Match(cluster: 0, value: 0, score: 0, runnerUp: 0)
                for shift in [0, -0.2, 0.2] where shift == 0 || best.confidence <= 1 {
                    var sum = [Float](repeating: 0, count: PDF417Patterns.width)
                    for line in core.isEmpty ? near : core {
                        let lean = (left[line] - right(Double(line))) * width / total / rowsPerLine
                        let offset = shift * lines.module
                        lines.codeword(
                            line, from: place.begin[line] + offset, to: place.end[line] + offset, lean: lean,
                            into: &samples)
                        for place in sum.indices { sum[place] += samples[place] }
                    }
                    let match = templates.match(sum, cluster: size.cluster(ofRow: row))
                    if match.confidence > best.confidence { best = match }
                }
                matches[row * size.columns + column] = best
            }
        }
        return (matches, corners(size, right))
    }

    /// The columns of codewords: the offset of each from the known pattern in modules, and its start and end on each
    /// line.
    private var columns: [(modules: Double, begin: [Double], end: [Double])] {
        var columns: [(modules: Double, begin: [Double], end: [Double])] = []
        if let before {
            columns.append((-Double(RowAddressPatterns.width + PDF417Patterns.width), before.begin, before.end))
        }
        var modules = 0
        for (index, part) in parts.enumerated() {
            if part == .codeword { columns.append((Double(modules), beginnings[index], beginnings[index + 1])) }
            modules += part.width
        }
        return columns
    }

    /// Returns the drift of the middle line up to the right patterns, in rows; `nil` if these do not match the size.
    func drift(_ size: MicroPDF417Size) -> Double? {
        guard let right = right(size) else { return nil }
        let middle = left.count / 2
        return right(Double(middle)) - left[middle]
    }

    /// The length of the middle line from the left patterns to the bar at the right, in pixels.
    var length: Double {
        guard let places = beginnings.last, !places.isEmpty else { return 0 }
        return places[places.count / 2]
    }

    private func corners(_ size: MicroPDF417Size, _ right: PDF417RowFit) -> Quadrilateral {
        let rights = left.indices.map { right(Double($0)) }
        func corner(_ places: [Double], _ rows: [Double], _ row: Double, _ modules: Double) -> Point {
            // Interpolates between the nearest line and one a third of all lines away.
            let order = rows.indices.sorted { abs(rows[$0] - row) < abs(rows[$1] - row) }
            guard let near = order.first, let far = order.dropFirst(order.count / 3).first else {
                return Point(x: 0, y: 0)
            }
            func point(_ line: Int) -> Point {
                let place = places[line] + modules * lines.module
                let line = lines.lines[line]
                return Point(
                    x: line.origin.x + place * line.direction.x, y: line.origin.y + place * line.direction.y)
            }
            let (a, b) = (point(near), point(far))
            let span = rows[far] - rows[near]
            let part = abs(span) > 0.5 ? (row - rows[near]) / span : 0
            return Point(x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part)
        }
        let (top, bottom) = (Double(size.first), Double(size.first + size.rows))
        let (starts, ends) = (beginnings[0], beginnings[beginnings.count - 1])
        let before = -Double(size.partsBefore.reduce(RowAddressPatterns.width) { $0 + $1.width })
        return Quadrilateral(
            topLeft: corner(starts, left, top, before), topRight: corner(ends, rights, top, 1),
            bottomRight: corner(ends, rights, bottom, 1), bottomLeft: corner(starts, left, bottom, before))
    }
}
