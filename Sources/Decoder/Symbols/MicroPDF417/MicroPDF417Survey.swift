import BarcodeCore
internal import Glibc

/// Which row address pattern lies where along the left side of a symbol.
struct MicroPDF417Survey {
    /// The number of the pattern at a place along the side, from `n` to `n + 1` for the pattern `n`; behind the last
    /// pattern the numbers go on where the first follows.
    let rows: PDF417RowFit
    /// The weight of the lines that show each pattern, by its number, and lie where it should.
    private let weights: [Double]
    private let candidates: [MicroPDF417Size]

    /// Lines of a module along the side, and at most.
    private static let linesPerModule = 2.0
    private static let maximumLines = 360
    /// Lines of what was seen that are looked at first: where few show a pattern, the place is given up.
    private static let probeCount = 15
    /// The correlation from which a pattern counts.
    private static let minimumScore: Float = 0.8
    /// The least part of the patterns that must agree on where the rows are.
    private static let minimumShare = 0.5
    /// Sizes that are tried of those that the patterns fit.
    private static let maximumSizes = 8

    /// Numbers that follow the last pattern, at most: no symbol has more rows behind it.
    private static let overflow = 10

    /// Nil where no patterns in a row are seen beside the side.
    ///
    /// - Parameters:
    ///   - candidates: the sizes that the symbol may be of, all known by the same patterns.
    ///   - margin: modules along the side, beyond what was seen, that may be of the symbol.
    init?(_ pixels: PixelSampler, _ side: PDF417Side, candidates: [MicroPDF417Size], margin: Double) {
        guard let patterns = candidates.first?.patterns else { return nil }
        self.candidates = candidates
        let probes = Self.samples(
            pixels, side, patterns,
            (0..<Self.probeCount).map { (Double($0) + 0.5) / Double(Self.probeCount) * side.length })
        let module = side.module
        // The bars of a linear symbol are the same all along.
        let leastRows = side.length > 12 * module ? 3 : 2
        guard probes.count * 4 >= Self.probeCount, Set(probes.map(\.row)).count >= leastRows else { return nil }
        // Of a long side the few lines must tell already that the patterns stand in order.
        if leastRows > 2 {
            guard let order = PDF417RowFit(probes), order.share >= Self.minimumShare else { return nil }
        }
        // Beyond what was seen: on slanted lines the pattern is not whole at the ends of the side.
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

    /// The patterns that are seen at places along the side.
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
        // Few symbols go on behind the last pattern, and those begin shortly before it.
        let numbers = samples.map(\.row).sorted()
        if let middle = numbers.dropFirst(numbers.count / 2).first, middle > RowAddressPatterns.count - 2 * overflow {
            for index in samples.indices where samples[index].row < overflow {
                samples[index].row += RowAddressPatterns.count
            }
        }
        return samples
    }

    /// The sizes that the patterns fit, the likeliest first.
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
