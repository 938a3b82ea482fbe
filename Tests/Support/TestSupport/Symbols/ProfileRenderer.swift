import Glibc

/// Renders brightness profiles across linear symbols, with blur, noise and a given resolution.
package struct ProfileRenderer {
    /// The modules from left to right, true for dark.
    package var modules: [Bool]
    /// The number of values per module.
    package var rate: Double
    /// The standard deviation of the blur, in modules.
    package var blur = 0.2
    /// The maximum deviation of a value in either direction.
    package var noise: Float = 3
    /// The width of the quiet zone on each side, in modules.
    package var quietZone = 10.0
    /// The growth of bars at the expense of spaces, in modules.
    package var growth = 0.0
    /// The seed of the noise.
    package var seed: UInt64 = 1

    /// Creates a renderer for a symbol, with `rate` values per module.
    package init(_ modules: [Bool], rate: Double) {
        self.modules = modules
        self.rate = rate
    }

    /// Returns profiles that differ in their noise.
    package func profiles(_ count: Int) -> [[Float]] {
        var random = SeededGenerator(seed: seed)
        let length = Int((Double(modules.count) + 2 * quietZone) * rate)
        func step(_ x: Double) -> Double { 0.5 * (1 + erf(x / (blur * 2.0.squareRoot()))) }
        // The first and the last module of each bar.
        var bars: [(first: Double, last: Double)] = []
        for (place, isDark) in modules.enumerated() where isDark {
            if let bar = bars.last, bar.last == Double(place) {
                bars[bars.count - 1].last += 1
            } else {
                bars.append((Double(place), Double(place) + 1))
            }
        }
        let clean = (0..<length).map { place -> Float in
            let x = (Double(place) + 0.5) / rate - quietZone
            var darkness = 0.0
            for bar in bars where bar.first - x < 6 && x - bar.last < 6 {
                darkness += step(bar.last + growth / 2 - x) - step(bar.first - growth / 2 - x)
            }
            return 200 - 150 * Float(darkness)
        }
        return (0..<count).map { _ in
            clean.map { noise > 0 ? $0 + Float.random(in: -noise...noise, using: &random) : $0 }
        }
    }
}
