import BarcodeCore
internal import Glibc

/// The locations of the row address patterns along the left side of a symbol.
struct MicroPDF417RowPatterns {
    /// Maps an offset along the side to the number of the pattern there, from `n` to `n + 1` for pattern `n`.
    ///
    /// If the first pattern follows the last, the numbers continue.
    let rows: PDF417RowFit
    /// The total weight of the lines that show each pattern at its expected location, by its number.
    private let weights: [Double]
    private let candidates: [MicroPDF417Size]

    /// The number of lines per module along the side, and the largest number of lines.
    private static let linesPerModule = 2.0
    private static let maximumLines = 360
    /// The number of lines that are sampled first; if few of them show a pattern, the search ends.
    private static let probeCount = 15
    /// The smallest correlation of a valid pattern.
    private static let minimumScore: Float = 0.8
    /// The smallest share of the patterns that must agree on the locations of the rows.
    private static let minimumShare = 0.5
    /// The largest number of matching sizes that are tried.
    private static let maximumSizes = 8

    /// The largest number of rows after the last pattern in any symbol.
    private static let overflow = 10

    /// Finds the rows beside a side; `nil` if there are no consecutive row address patterns.
    ///
    /// - Parameters:
    ///   - pixels: the pixels of the image.
    ///   - side: the side.
    ///   - candidates: the possible sizes, all with the same patterns.
    ///   - margin: the margin in modules along the side that may belong to the symbol.
    init?(_ pixels: PixelSampler, _ side: PDF417Side, candidates: [MicroPDF417Size], margin: Double) {
        guard let patterns = candidates.first?.patterns else { return nil }
        self.candidates = candidates
        let probes = Self.samples(
            pixels, side, patterns,
            (0..<Self.probeCount).map { (Double($0) + 0.5) / Double(Self.probeCount) * side.length })
        let module = side.module
        // The bars of a linear symbol do not change along the side.
        let leastRows = side.length > 12 * module ? 3 : 2
        guard probes.count * 4 >= Self.probeCount, Set(probes.map(\.row)).count >= leastRows else { return nil }
        // On a long side the few lines must already show that the patterns are in order.
        if leastRows > 2 {
            guard let order = PDF417RowFit(probes), order.share >= Self.minimumShare else { return nil }
        }
        // Extend beyond the side: on slanted lines the pattern is cut off at its ends.
        let reach = 0.25 * side.length + margin * module
        let length = side.length + 2 * reach
        let count = min(Self.maximumLines, Int(length / module * Self.linesPerModule))
        guard count >= 8 else { return nil }
        let samples = Self.samples(
            pixels, side, patterns, (0..<count).map { (Double($0) + 0.5) / Double(count) * length - reach })
        guard samples.count >= 6, let rows = PDF417RowFit(samples), rows.share >= Self.minimumShare else { return nil }
        var weights = [Double](repeating: 0, count: RowAddressPatterns.count + Self.overflow + 1)
        for sample in samples where rows.fits(sample) { weights[sample.row] += sample.weight }
        self.rows = rows
        self.weights = weights
    }

    /// Returns the patterns at some offsets along the side.
    private static func samples(
        _ pixels: PixelSampler, _ side: PDF417Side, _ patterns: RowAddressPatterns, _ places: [Double]
    ) -> [PDF417RowFit.Sample] {
        let module = side.module
        let margin = Double(RowAddressPatterns.width) * module
        guard
            let field = PDF417Lines(
                pixels, places.map { .init(origin: side.position($0), direction: side.direction) },
                range: -margin - module...2 * module, module: module, isInverted: side.isInverted)
        else { return [] }
        var levels = [Float](repeating: 0, count: RowAddressPatterns.window)
        var samples: [PDF417RowFit.Sample] = places.indices.compactMap { index in
            field.codeword(index, from: -margin, to: module, lean: 0, into: &levels)
            let match = patterns.match(levels)
            guard match.score >= minimumScore else { return nil }
            return .init(place: places[index], row: match.number, weight: Double(match.score) - 0.7)
        }
        // Few symbols continue after the last pattern, and they begin shortly before it.
        let numbers = samples.map(\.row).sorted()
        if let middle = numbers.dropFirst(numbers.count / 2).first, middle > RowAddressPatterns.count - 2 * overflow {
            for index in samples.indices where samples[index].row < overflow {
                samples[index].row += RowAddressPatterns.count
            }
        }
        return samples
    }

    /// The sizes that match the patterns, best first.
    var sizes: [MicroPDF417Size] {
        let total = weights.reduce(0, +)
        var fitting: [(size: MicroPDF417Size, score: Double)] = []
        for size in candidates where size.first + size.rows <= weights.count {
            let inside = weights[size.first..<(size.first + size.rows)]
            let seen = Double(inside.filter { $0 > 0 }.count) / Double(size.rows)
            let share = inside.reduce(0, +) / total
            if share > 0.8, seen > 0.5 { fitting.append((size, share + seen)) }
        }
        return fitting.sorted { $0.score > $1.score }.prefix(Self.maximumSizes).map(\.size)
    }
}
