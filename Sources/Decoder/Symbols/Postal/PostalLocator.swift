public import BarcodeCore

/// Finds rows of separate bars with the same width and distance but different upper and lower ends: the symbols of
/// postal services.
///
/// Each bar is a connected component of its own. From a long bar the next is searched perpendicular to it, at any
/// angle.
public struct PostalLocator: Sendable {
    /// A row of bars.
    public struct Row: Sendable {
        /// The corners of the row, which may be upside down.
        public var corners: Quadrilateral
        /// True if the bar extends above and below the track, for each bar from left to right.
        public var bars: [(up: Bool, down: Bool)]
    }

    /// The rows of bars, longest first.
    public let rows: [Row]

    /// The allowed area of a bar, in pixels.
    private static let barPixels = 6...40_000
    /// The allowed number of bars in a row: every supported symbol has at least 26.
    private static let barCounts = 24...160

    /// Finds rows of dark bars.
    public init(_ image: BinaryImage) {
        let components = ConnectedComponents(image, pixels: Self.barPixels).components
        let bars = components.filter { $0.length > 1.3 * $0.width && $0.length < 60 * $0.width && $0.width < 60 }
        let neighbors = ComponentIndex(bars)
        var isUsed = [Bool](repeating: false, count: bars.count)
        var found: [Row] = []
        // A long bar gives the direction.
        for seed in bars.indices where !isUsed[seed] && bars[seed].length > 3 * bars[seed].width {
            guard !SearchTime.isOver else { break }
            let chain = Self.chain(from: seed, bars, neighbors)
            // A row that is too long would be followed again from each of its bars.
            if chain.count >= Self.barCounts.lowerBound {
                for index in chain { isUsed[index] = true }
            }
            guard Self.barCounts.contains(chain.count) else { continue }
            if let row = PostalRowFit.row(chain.map { bars[$0] }, in: image) { found.append(row) }
        }
        rows = found.sorted { $0.bars.count > $1.bars.count }
    }

    /// Returns the bars on both sides of a bar, from left to right with its axis upright.
    private static func chain(
        from seed: Int, _ bars: [ConnectedComponents.Component], _ neighbors: ComponentIndex
    ) -> [Int] {
        let axis = bars[seed].axis
        // Perpendicular to the axis, so that the axis points down.
        let across = Point(x: axis.y, y: -axis.x)
        func follow(_ sign: Double) -> [Int] {
            var chain: [Int] = []
            var last = seed
            var pitch: Double?
            while chain.count < barCounts.upperBound {
                guard let next = next(after: last, sign: sign, pitch: pitch, seed: bars[seed], across, bars, neighbors)
                else {
                    break
                }
                let step = next.distance
                pitch = pitch.map { 0.7 * $0 + 0.3 * step } ?? step
                chain.append(next.index)
                last = next.index
            }
            return chain
        }
        return Array(follow(-1).reversed()) + [seed] + follow(1)
    }

    private static func next(
        after last: Int, sign: Double, pitch: Double?, seed: ConnectedComponents.Component, _ across: Point,
        _ bars: [ConnectedComponents.Component],
        _ neighbors: ComponentIndex
    ) -> (index: Int, distance: Double)? {
        let from = bars[last]
        let reach = pitch.map { 1.4 * $0 } ?? 5 * max(seed.width, 1.5)
        var best: (index: Int, distance: Double)?
        for index in neighbors.near(from.center, reach: reach + 0.6 * seed.length) where index != last {
            let bar = bars[index]
            let (dx, dy) = (bar.center.x - from.center.x, bar.center.y - from.center.y)
            let along = sign * (dx * across.x + dy * across.y)
            let shift = dx * seed.axis.x + dy * seed.axis.y
            let turn = abs(bar.axis.x * across.x + bar.axis.y * across.y)
            guard along > 0.6 * seed.width, along < reach, along > 0.65 * (pitch ?? 0), abs(shift) < 0.55 * seed.length,
                bar.length < 2.2 * seed.length, bar.width < 1.8 * seed.width + 1, 1.8 * bar.width + 1 > seed.width,
                // The direction of a short bar is inaccurate.
                turn < (bar.length > 2.5 * bar.width ? 0.3 : 0.6)
            else { continue }
            if along < best?.distance ?? .infinity { best = (index, along) }
        }
        return best
    }
}
