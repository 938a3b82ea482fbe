import BarcodeCore
internal import Glibc

/// The row indicators beside a start or stop pattern: the locations of the rows and the size of the symbol.
///
/// An indicator is 30 times a third of its row number, plus a part of the size that depends on the cluster (ISO/IEC
/// 15438, 5.11).
struct PDF417RowIndicators {
    /// The weights of the parts of the size, in the order of the clusters in which the left indicator encodes them.
    struct Votes {
        /// The weights by part, then by value.
        var weights = [[Double]](repeating: [Double](repeating: 0, count: 30), count: 3)

        mutating func add(_ other: Votes) {
            for part in weights.indices {
                for value in weights[part].indices { weights[part][value] += other.weights[part][value] }
            }
        }

        /// The sizes with the most weight, best first.
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
    /// The slant of the rows in degrees, clockwise as images are shown.
    let tilt: Double

    /// The largest number of lines: six for each of 60 rows.
    private static let maximumLines = 360
    /// The smallest correlation of a valid indicator.
    private static let minimumScore: Float = 0.72
    /// The smallest share of the indicators that must agree on the locations of the rows.
    private static let minimumShare = 0.3

    /// The largest number of rows beside the side per row that was seen: of 90 drawn symbols in glare and noise,
    /// every sixth row was.
    private static let rowsForEachSeen = 8.0

    /// The tried slants of the rows against the expected direction in degrees, and the share of agreeing indicators
    /// at which no more are tried.
    private static let tilts = [0.0, 7, -7, 14, -14]
    private static let clearShare = 0.8

    /// Reads the indicators beside a side, at the slant at which most agree; `nil` if none do.
    ///
    /// - Parameters:
    ///   - pixels: the pixels of the image.
    ///   - side: the side.
    ///   - length: the expected length of the side in pixels, which may exceed the visible part.
    ///   - width: the expected width of the indicators, in pixels.
    ///   - direction: the approximate direction of the rows at an offset along the side.
    static func best(
        _ pixels: PixelSampler, _ side: PDF417Side, length: Double, width: Double, direction: (Double) -> Point
    ) -> PDF417RowIndicators? {
        var best: PDF417RowIndicators?
        for tilt in tilts {
            if let best, best.rows.share > clearShare { break }
            do throws(Failure) {
                let indicators = try PDF417RowIndicators(
                    pixels, side, length: length, width: width, tilt: tilt,
                    direction: { direction($0).turned(degrees: tilt) })
                if indicators.rows.support > best?.rows.support ?? 0 { best = indicators }
            } catch {
                // Bars that run along the side do so at any slant.
                if error == .oneRow { break }
            }
        }
        return best
    }

    /// The reason why a side has no indicators at a slant.
    private enum Failure: Error {
        /// Hardly any line shows an indicator, or their rows do not agree.
        case unreadable
        /// Most lines show the same row, as the bars of a linear symbol do.
        case oneRow
    }

    /// The number of lines that are sampled first; if hardly any has an indicator, the search ends.
    private static let probeCount = 24
    /// The number of samples from which on one row among them counts: of fewer, most may be noise.
    private static let fewestOfOneRow = 6

    /// Indicates whether most samples show the same row; a symbol has at least three of the same height.
    private static func isOneRow(_ samples: [PDF417RowFit.Sample]) -> Bool {
        var counts = [Int](repeating: 0, count: 90)
        for sample in samples { counts[sample.row] += 1 }
        return samples.count >= fewestOfOneRow && 2 * (counts.max() ?? 0) > samples.count
    }

    private init(
        _ pixels: PixelSampler, _ side: PDF417Side, length expected: Double, width: Double, tilt: Double,
        direction: (Double) -> Point
    ) throws(Failure) {
        let reach = max(6 * side.module, side.length * 0.15, (expected - side.length) * 1.1)
        let length = side.length + 2 * reach
        let count = min(Self.maximumLines, max(16, Int(min(3 * length, length / side.module * 3))))
        let places = (0..<count).map { (Double($0) + 0.5) / Double(count) * length - reach }
        let lines = places.map { PDF417Lines.Line(origin: side.position($0), direction: direction($0)) }
        let range = side.kind == .start ? -2 * side.module...1.2 * width : -1.2 * width...2 * side.module
        guard
            let field = PDF417Lines(pixels, lines, range: range, module: side.module, isInverted: side.isInverted)
        else { throw .unreadable }
        let window = max(2, count / 40)
        let inner = field.edges(near: places.map { _ in 0 }, module: side.module, window: window)
        let outer = field.edges(
            near: inner.map { side.kind == .start ? $0 + width : $0 - width }, module: side.module, window: window)
        var samples: [PDF417RowFit.Sample] = []
        var matches: [PDF417Templates.Match] = []
        var levels = [Float](repeating: 0, count: PDF417Patterns.width)
        func read(_ index: Int) {
            let (low, high) = (min(inner[index], outer[index]), max(inner[index], outer[index]))
            field.codeword(index, from: low, to: high, lean: 0, into: &levels)
            let match = PDF417Templates.middle.match(levels, cluster: nil)
            let row = match.value / 30 * 3 + match.cluster
            guard match.score >= Self.minimumScore, row < 90 else { return }
            matches.append(match)
            samples.append(
                PDF417RowFit.Sample(
                    place: places[index], row: row,
                    weight: Double(match.score - 0.6) * Double(min(1, max(0.05, match.confidence)))))
        }
        let probeStep = max(1, count / Self.probeCount)
        let probes = lines.indices.filter { $0 % probeStep == 0 }
        probes.forEach(read)
        guard samples.count * 8 >= probes.count else { throw .unreadable }
        guard !Self.isOneRow(samples) else { throw .oneRow }
        lines.indices.filter { $0 % probeStep != 0 }.forEach(read)
        guard samples.count * 8 >= count, let rows = PDF417RowFit(samples), rows.share >= Self.minimumShare else {
            throw .unreadable
        }
        // Bars that run along the whole side show one pattern over many rows.
        guard abs(rows.slope) * side.length <= Self.rowsForEachSeen * Double(rows.rowCount) else { throw .unreadable }
        var votes = Votes()
        for (sample, match) in zip(samples, matches) where rows.fits(sample) {
            // The right indicators encode the parts in another order.
            let part = side.kind == .start ? match.cluster : (match.cluster + 2) % 3
            votes.weights[part][match.value % 30] += sample.weight
        }
        self.rows = rows
        self.votes = votes
        self.tilt = tilt
    }
}
