public import BarcodeCore

/// The brightness across the bars of a linear symbol, one sample a pixel.
public struct LinearProfile: Sendable, Hashable {
    /// The brightness, from one end to the other.
    public var values: [Float]

    /// Creates a profile of the given samples.
    public init(values: [Float]) {
        self.values = values
    }

    /// The range of the bars, in samples: the longest row of edges without a wide gap between them.
    ///
    /// `nil` if there are fewer than ten edges.
    public var barRange: Range<Double>? {
        edgeRows.max { $0.count < $1.count }.flatMap { $0.count >= Self.fewestEdges ? Self.range($0) : nil }
    }

    /// Returns the ranges of the bars of several symbols, in samples: the rows of at least `edges` edges without a
    /// wide gap.
    public func barRanges(edges: Int) -> [Range<Double>] {
        edgeRows.compactMap { $0.count >= max(edges, Self.fewestEdges) ? Self.range($0) : nil }
    }

    /// The total number of edges, whatever they belong to.
    public var edgeCount: Int { edgeRows.reduce(0) { $0 + $1.count } }

    /// The number of local extremes that exceed the noise: each bar and each space is one, even if bars are too
    /// narrow to have clear edges.
    public var transitionCount: Int {
        guard let first = values.first, let least = values.min(), let most = values.max() else { return 0 }
        let swing = max(2, (most - least) * Self.smallestSwing)
        var (low, high) = (first, first)
        var (count, isRising): (Int, Bool?) = (0, nil)
        for value in values {
            (low, high) = (min(low, value), max(high, value))
            if isRising != false, value < high - swing {
                (count, isRising, low) = (count + 1, false, value)
            } else if isRising != true, value > low + swing {
                (count, isRising, high) = (count + 1, true, value)
            }
        }
        return count
    }

    /// The share of the contrast that exceeds the noise of a mean of several rows.
    private static let smallestSwing: Float = 0.06
    private static let fewestEdges = 10

    private static func range(_ edges: ArraySlice<Int>) -> Range<Double>? {
        guard let first = edges.first, let last = edges.last else { return nil }
        return Double(first) + 1..<Double(last) + 1
    }

    /// The edges, split at wide gaps.
    private var edgeRows: [ArraySlice<Int>] {
        guard values.count >= 8 else { return [] }
        let changes = (1..<values.count).map { abs(values[$0] - values[$0 - 1]) }
        // A twentieth of the changes are stronger than this percentile; the edge of a narrow bar has at least a
        // fourth of it.
        let strong = max(1, changes.sorted()[changes.count * 19 / 20] * 0.25)
        let edges = changes.indices.dropFirst().dropLast().filter {
            changes[$0] >= strong && changes[$0] >= changes[$0 - 1] && changes[$0] > changes[$0 + 1]
        }
        guard edges.count >= Self.fewestEdges else { return [] }
        // Edges are 1.6 to 1.8 modules apart on average, spaces are at most 4 modules wide and quiet zones at least
        // 7: the middle half of the gaps contains neither the quiet zones nor the gaps at edges lost in blur.
        let gaps = zip(edges, edges.dropFirst()).map { $1 - $0 }.sorted()
        let middle = gaps[gaps.count / 4..<max(gaps.count / 4 + 1, gaps.count * 3 / 4)]
        let widest = 3.4 * Double(middle.reduce(0, +)) / Double(middle.count)
        var rows: [ArraySlice<Int>] = []
        var start = 0
        for place in edges.indices.dropFirst() where Double(edges[place] - edges[place - 1]) > widest {
            rows.append(edges[start..<place])
            start = place
        }
        return rows + [edges[start...]]
    }

    /// Returns the correlation of the brightness changes with those of another profile: 1 for the same bars, about 0
    /// for unrelated ones.
    public func correlation(with other: LinearProfile) -> Float {
        let count = min(values.count, other.values.count)
        guard count > 2 else { return 0 }
        var (product, own, others): (Float, Float, Float) = (0, 1e-3, 1e-3)
        for place in 2..<count {
            let one = values[place] - values[place - 2]
            let two = other.values[place] - other.values[place - 2]
            product += one * two
            own += one * one
            others += two * two
        }
        return product / (own * others).squareRoot()
    }

    /// Draws the profile as an image of `rows` equal rows, with its contrast stretched from nearly black to nearly
    /// white.
    public func drawn(rows: Int) -> LumaImage {
        let line = LinearProfile.bytes(values)
        return LumaImage(width: line.count, height: rows) { target in
            for row in 0..<rows {
                for (column, value) in line.enumerated() { target[row * line.count + column] = value }
            }
        }
    }

    /// Returns the samples, stretched to 16...240.
    private static func bytes(_ values: [Float]) -> [UInt8] {
        let low = values.min() ?? 0
        let factor = 224 / max(1, (values.max() ?? 0) - low)
        return values.map { UInt8(16 + ($0 - low) * factor) }
    }
}
