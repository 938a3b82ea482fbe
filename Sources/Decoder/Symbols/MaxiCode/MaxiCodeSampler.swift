import BarcodeCore

/// The brightness of the hexagons of a MaxiCode symbol, row by row.
struct MaxiCodeSampler {
    private var samples: ModuleSamples

    /// Samples the inside of each hexagon: the mean of seven points if it is wider than three pixels, else one point.
    init(_ pixels: PixelSampler, map: Homography) {
        let isLarge = Self.modulePixels(map) > 3
        var values: [Float] = []
        var outside: [Int] = []
        for y in 0..<MaxiCodeLayout.rows {
            for x in 0..<MaxiCodeLayout.columns {
                // A short row repeats its last module.
                let center = MaxiCodeLayout.center(min(x, MaxiCodeLayout.count(inRow: y) - 1), y)
                let place = map.map(center)
                if !pixels.contains(place) { outside.append(values.count) }
                var value = pixels.brightness(place)
                if isLarge {
                    for part in 0..<6 {
                        let off = Point.onCircle(turns: Double(part) / 6)
                        value += pixels.brightness(map.map(center.x + 0.22 * off.x, center.y + 0.22 * off.y))
                    }
                    value /= 7
                }
                values.append(value)
            }
        }
        samples = ModuleSamples(
            width: MaxiCodeLayout.columns, height: MaxiCodeLayout.rows, values: values, outside: outside)
    }

    /// Returns the distance in pixels between two modules at the center of the symbol.
    private static func modulePixels(_ map: Homography) -> Double {
        let (from, to) = (map.map(-0.5, 0), map.map(0.5, 0))
        return ((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y)).squareRoot()
    }

    /// Returns the modules, dark if a sample is below the threshold.
    func grid(_ threshold: ModuleThreshold, isInverted: Bool) -> ModuleGrid {
        samples.grid(threshold, isInverted: isInverted)
    }

    /// Returns the samples with a blur removed that spread a share of each to each of its six neighbors.
    ///
    /// Each round adds the difference between the samples and the blurred result (van Cittert, 1931).
    func deblurred(share: Float, rounds: Int) -> MaxiCodeSampler {
        var result = self
        for _ in 0..<rounds {
            let before = result.samples.values
            for place in before.indices {
                var around: Float = 0
                for neighbor in Self.neighbors[place] { around += before[neighbor] - before[place] }
                result.samples.values[place] += samples.values[place] - (before[place] + share * around)
            }
        }
        return result
    }

    /// The indices of the neighbors of each module; at the edge of the symbol there are fewer.
    private static let neighbors: [[Int]] = {
        let (columns, rows) = (MaxiCodeLayout.columns, MaxiCodeLayout.rows)
        var neighbors = [[Int]](repeating: [], count: columns * rows)
        func join(_ one: (x: Int, y: Int), _ other: (x: Int, y: Int)) {
            guard other.x >= 0, other.y < rows, other.x < MaxiCodeLayout.count(inRow: other.y) else { return }
            neighbors[one.y * columns + one.x].append(other.y * columns + other.x)
            neighbors[other.y * columns + other.x].append(one.y * columns + one.x)
        }
        for y in 0..<rows {
            for x in 0..<MaxiCodeLayout.count(inRow: y) {
                let below = MaxiCodeLayout.below(x, y)
                for other in [(x: x + 1, y: y), below, (x: below.x + 1, y: below.y)] { join((x, y), other) }
            }
        }
        return neighbors
    }()
}
