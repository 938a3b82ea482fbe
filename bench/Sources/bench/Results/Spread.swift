/// Order statistics of a few figures.
enum Spread {
    /// Returns the quantile for `fraction`, interpolated linearly; `nil` if there are no values.
    ///
    /// This is type 7 of Hyndman and Fan.
    static func quantile(_ values: [Double], _ fraction: Double) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let place = Swift.min(Swift.max(fraction, 0), 1) * Double(sorted.count - 1)
        let lower = Int(place)
        let upper = Swift.min(lower + 1, sorted.count - 1)
        return sorted[lower] + (sorted[upper] - sorted[lower]) * (place - Double(lower))
    }

    /// Returns the median; `nil` if there are no values.
    static func median(_ values: [Double]) -> Double? {
        quantile(values, 0.5)
    }

    /// Returns half of the range as a share of the median, as in "± 3 %".
    ///
    /// `nil` for fewer than two values, and for a median of 0.
    static func relative(_ values: [Double]) -> Double? {
        guard values.count >= 2, let least = values.min(), let most = values.max(), let middle = median(values),
            middle > 0
        else { return nil }
        return (most - least) / 2 / middle
    }
}

/// The ratios of two times that were measured one right after the other, over many pairs.
///
/// Pairs are robust on a busy machine, which slows both times down.
struct PairedRatio: Codable, Sendable, Hashable {
    /// The number of pairs.
    var count: Int
    /// The median ratio.
    var median: Double
    /// The lower quartile of the ratios.
    var lowerQuartile: Double
    /// The upper quartile of the ratios.
    var upperQuartile: Double

    /// Creates the statistics of the ratios of first to second; `nil` if there is no pair with two positive times.
    init?(_ pairs: [(Double, Double)]) {
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
