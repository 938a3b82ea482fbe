/// Order statistics of a handful of figures.
public enum Spread {
    /// The figure below which the share `fraction` of `values` lies, interpolated between neighbours.
    ///
    /// Hyndman and Fan's type 7. Nil for no values.
    public static func quantile(_ values: [Double], _ fraction: Double) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let place = Swift.min(Swift.max(fraction, 0), 1) * Double(sorted.count - 1)
        let lower = Int(place)
        let upper = Swift.min(lower + 1, sorted.count - 1)
        return sorted[lower] + (sorted[upper] - sorted[lower]) * (place - Double(lower))
    }

    /// The figure in the middle; nil for no values.
    public static func median(_ values: [Double]) -> Double? {
        quantile(values, 0.5)
    }

    /// Half of the distance from the least to the largest value, as a share of their median: what "± 3 %" says.
    ///
    /// Nil for fewer than two values, of which nothing can be said, and for a median of 0.
    public static func relative(_ values: [Double]) -> Double? {
        guard values.count >= 2, let least = values.min(), let most = values.max(), let middle = median(values),
            middle > 0
        else { return nil }
        return (most - least) / 2 / middle
    }
}

/// The ratio of two times that were taken one right after the other, over many pairs.
///
/// Pairs, because a busy machine slows both of a pair down.
public struct PairedRatio: Codable, Sendable, Hashable {
    /// The number of pairs.
    public var count: Int
    /// The ratio in the middle.
    public var median: Double
    /// The ratio that a quarter of the pairs is below.
    public var lowerQuartile: Double
    /// The ratio that a quarter of the pairs is above.
    public var upperQuartile: Double

    /// The ratios of the first of each pair to the second; nil where there is no pair with two positive times.
    public init?(_ pairs: [(Double, Double)]) {
        let ratios = pairs.filter { $0.0 > 0 && $0.1 > 0 }.map { $0.0 / $0.1 }
        guard let median = Spread.median(ratios), let lower = Spread.quantile(ratios, 0.25),
            let upper = Spread.quantile(ratios, 0.75)
        else { return nil }
        count = ratios.count
        self.median = median
        lowerQuartile = lower
        upperQuartile = upper
    }
}
