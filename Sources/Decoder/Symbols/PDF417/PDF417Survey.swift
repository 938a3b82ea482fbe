import BarcodeCore
internal import Glibc

/// What the row indicators beside a start or stop pattern say: which rows are where, and the size of the symbol.
///
/// An indicator's codeword is 30 times a third of its row, plus a part of the size that depends on the cluster
/// (ISO/IEC 15438, 5.11).
struct PDF417Survey {
    /// The parts of the size, in the order of the clusters in which the left indicator names them.
    struct Votes {
        /// By part, then by value.
        var weights = [[Double]](repeating: [Double](repeating: 0, count: 30), count: 3)

        mutating func add(_ other: Votes) {
            for part in weights.indices {
                for value in weights[part].indices { weights[part][value] += other.weights[part][value] }
            }
        }

        /// The sizes that most indicators name, the likeliest first.
        var sizes: [PDF417Size] {
            let best = weights.map { part in
                part.indices.filter { part[$0] > 0 }.sorted { part[$0] > part[$1] }.prefix(2)
            }
            var sizes: [(size: PDF417Size, weight: Double)] = []
            for rows in best[0] {
                for level in best[1] {
                    for columns in best[2] {
                        guard
                            let size = PDF417Size(
                                rows: 3 * rows + level % 3 + 1, columns: columns + 1, level: level / 3)
                        else { continue }
                        sizes.append(
                            (size, log(weights[0][rows]) + log(weights[1][level]) + log(weights[2][columns])))
                    }
                }
            }
            return sizes.sorted { $0.weight > $1.weight }.map(\.size)
        }
    }

    let rows: PDF417RowFit
    let votes: Votes
    /// The angle by which the rows were found to lean, in degrees, clockwise as pictures are shown.
    let tilt: Double

    /// Lines that are read at most: six for each of 60 rows.
    private static let maximumLines = 360
    /// The correlation from which an indicator counts.
    private static let minimumScore: Float = 0.72
    /// The least part of the indicators that must agree on where the rows are.
    private static let minimumShare = 0.3

    /// Rows beside the side of which one must have been seen: of 90 drawn symbols in glare and noise every sixth was.
    private static let rowsForEachSeen = 8.0

    /// Angles by which rows may lean against what is expected, and the part of the indicators that must agree for the
    /// others not to be tried.
    private static let tilts = [0.0, 7, -7, 14, -14]
    private static let clearShare = 0.8

    /// Reads the indicators beside a side, at the angle at which most agree; nil where none do.
    ///
    /// - Parameters:
    ///   - length: pixels of the symbol along the side, where more of it may be there than was seen.
    ///   - direction: the direction of the rows at a place along the side, roughly.
    static func best(
        _ pixels: PixelSampler, _ side: PDF417Side, length: Double, direction: (Double) -> Point
    ) -> PDF417Survey? {
        var best: PDF417Survey?
        for tilt in tilts {
            if let best, best.rows.share > clearShare { break }
            guard
                let survey = PDF417Survey(
                    pixels, side, length: length, tilt: tilt, direction: { direction($0).turned(degrees: tilt) })
            else { continue }
            if survey.rows.support > best?.rows.support ?? 0 { best = survey }
        }
        return best
    }

    /// Lines that are looked at first: where hardly any has an indicator there is none.
    private static let probeCount = 24

    private init?(
        _ pixels: PixelSampler, _ side: PDF417Side, length expected: Double, tilt: Double,
        direction: (Double) -> Point
    ) {
        let reach = max(6 * side.module, side.length * 0.15, (expected - side.length) * 1.1)
        let length = side.length + 2 * reach
        let count = min(Self.maximumLines, max(16, Int(min(3 * length, length / side.module * 3))))
        let places = (0..<count).map { (Double($0) + 0.5) / Double(count) * length - reach }
        let lines = places.map { PDF417Lines.Line(origin: side.position($0), direction: direction($0)) }
        let width = Double(PDF417Patterns.width) * side.module
        let range = side.kind == .start ? -2 * side.module...1.2 * width : -1.2 * width...2 * side.module
        guard
            let field = PDF417Lines(pixels, lines, range: range, module: side.module, isInverted: side.isInverted)
        else { return nil }
        let window = max(2, count / 40)
        let inner = field.edges(near: places.map { _ in 0 }, module: side.module, window: window)
        let outer = field.edges(
            near: inner.map { side.kind == .start ? $0 + width : $0 - width }, module: side.module, window: window)
        var samples: [PDF417RowFit.Sample] = []
        var matches: [PDF417Templates.Match] = []
        var levels = [Float](repeating: 0, count: PDF417Patterns.width)
        let probeStep = max(1, count / Self.probeCount)
        let probes = lines.indices.filter { $0 % probeStep == 0 }
        let order = probes + lines.indices.filter { $0 % probeStep != 0 }
        for (seen, index) in order.enumerated() {
            if seen == probes.count, probeStep > 1, samples.count * 8 < probes.count { return nil }
            let (low, high) = (min(inner[index], outer[index]), max(inner[index], outer[index]))
            field.codeword(index, from: low, to: high, lean: 0, into: &levels)
            let match = PDF417Templates.middle.match(levels, cluster: nil)
            let row = match.value / 30 * 3 + match.cluster
            guard match.score >= Self.minimumScore, row < 90 else { continue }
            matches.append(match)
            samples.append(
                PDF417RowFit.Sample(
                    place: places[index], row: row,
                    weight: Double(match.score - 0.6) * Double(min(1, max(0.05, match.confidence)))))
        }
        guard samples.count * 8 >= count, let rows = PDF417RowFit(samples), rows.share >= Self.minimumShare else {
            return nil
        }
        // Bars that run along all of it show one pattern over many rows.
        guard abs(rows.slope) * side.length <= Self.rowsForEachSeen * Double(rows.rowCount) else { return nil }
        var votes = Votes()
        for (sample, match) in zip(samples, matches) where rows.fits(sample) {
            // The right indicators name the parts in another order.
            let part = side.kind == .start ? match.cluster : (match.cluster + 2) % 3
            votes.weights[part][match.value % 30] += sample.weight
        }
        self.rows = rows
        self.votes = votes
        self.tilt = tilt
    }
}
