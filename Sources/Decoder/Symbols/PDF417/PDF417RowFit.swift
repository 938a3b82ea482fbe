internal import Glibc

/// A curve fitted to row indicators, which maps an offset along a side to a row of the symbol.
///
/// Row `r` covers the values from `r` to `r + 1`.
struct PDF417RowFit {
    /// A decoded row indicator.
    struct Sample {
        /// The offset along the side, in pixels.
        var place: Double
        /// The row number of the indicator.
        var row: Int
        var weight: Double
    }

    /// The row at an offset is a + b x + c x^2; x is the offset from the middle in units of half the length.
    private var a: Double
    private var b: Double
    private var c: Double
    private let middle: Double
    private let unit: Double
    /// The total weight of the samples that fit.
    private(set) var support = 0.0
    /// The share of the total weight that fits.
    private(set) var share = 0.0
    /// The number of different rows that fit.
    private(set) var rowCount = 0

    func callAsFunction(_ place: Double) -> Double {
        let x = (place - middle) / unit
        return a + x * (b + c * x)
    }

    /// The slope in the middle, in rows per pixel.
    var slope: Double { b / unit }

    /// Indicates whether a sample lies on the curve.
    func fits(_ sample: Sample) -> Bool { abs(Double(sample.row) + 0.5 - self(sample.place)) < 0.9 }

    /// Fits a curve to samples, many of which may be wrong; `nil` if no three rows agree.
    init?(_ samples: [Sample]) {
        guard samples.count >= 3, let low = samples.map(\.place).min(), let high = samples.map(\.place).max(),
            high - low > 1
        else { return nil }
        (middle, unit) = ((low + high) / 2, (high - low) / 2)
        (a, b, c) = (0, 0, 0)
        // Selects the line through two samples with the most support (RANSAC, but with pairs in a fixed order, so
        // that an image always gives the same result).
        var best = (support: 0.0, a: 0.0, b: 0.0)
        let stride = max(1, samples.count / 48)
        let picked = Swift.stride(from: 0, to: samples.count, by: stride).map { samples[$0] }
        let points = picked.map { (x: ($0.place - middle) / unit, y: Double($0.row) + 0.5, weight: $0.weight) }
        points.withUnsafeBufferPointer { points in
            for (index, one) in points.enumerated() {
                for other in points[(index + 1)...] {
                    guard abs(other.x - one.x) > 0.08, one.y != other.y else { continue }
                    let slope = (other.y - one.y) / (other.x - one.x)
                    let start = one.y - slope * one.x
                    var support = 0.0
                    for point in points {
                        let error = point.y - start - slope * point.x
                        if abs(error) < 0.8 { support += point.weight * (1 - error * error) }
                    }
                    if support > best.support { best = (support, start, slope) }
                }
            }
        }
        guard best.support > 0 else { return nil }
        (a, b) = (best.a, best.b)
        for round in 0..<4 {
            let tolerance = round < 2 ? 1.2 : 0.8
            let inliers = samples.filter { abs(Double($0.row) + 0.5 - self($0.place)) < tolerance }
            refine(inliers, isBent: round > 0 && inliers.count > 12)
        }
        let inliers = samples.filter(fits)
        support = inliers.reduce(0) { $0 + $1.weight }
        share = support / max(1e-9, samples.reduce(0) { $0 + $1.weight })
        rowCount = Set(inliers.map(\.row)).count
        guard rowCount >= 3, a.isFinite, b.isFinite, c.isFinite, abs(b) > 0.5, abs(c) < abs(b) * 0.4 else {
            return nil
        }
    }

    /// Weighted least squares.
    private mutating func refine(_ samples: [Sample], isBent: Bool) {
        var s = [Double](repeating: 0, count: 5)
        var t = [Double](repeating: 0, count: 3)
        for sample in samples {
            let x = (sample.place - middle) / unit
            let y = Double(sample.row) + 0.5
            var power = sample.weight
            for index in 0..<5 {
                s[index] += power
                if index < 3 { t[index] += power * y }
                power *= x
            }
        }
        if isBent {
            let determinant =
                s[0] * (s[2] * s[4] - s[3] * s[3]) - s[1] * (s[1] * s[4] - s[3] * s[2])
                + s[2] * (s[1] * s[3] - s[2] * s[2])
            guard abs(determinant) > 1e-9 else { return }
            a =
                (t[0] * (s[2] * s[4] - s[3] * s[3]) - s[1] * (t[1] * s[4] - s[3] * t[2])
                    + s[2] * (t[1] * s[3] - s[2] * t[2])) / determinant
            b =
                (s[0] * (t[1] * s[4] - t[2] * s[3]) - t[0] * (s[1] * s[4] - s[3] * s[2])
                    + s[2] * (s[1] * t[2] - t[1] * s[2])) / determinant
            c =
                (s[0] * (s[2] * t[2] - t[1] * s[3]) - s[1] * (s[1] * t[2] - t[1] * s[2])
                    + t[0] * (s[1] * s[3] - s[2] * s[2])) / determinant
        } else {
            let determinant = s[0] * s[2] - s[1] * s[1]
            guard abs(determinant) > 1e-9 else { return }
            a = (t[0] * s[2] - t[1] * s[1]) / determinant
            b = (s[0] * t[1] - s[1] * t[0]) / determinant
            c = 0
        }
    }

    /// Returns the offset of a row by bisection; `nil` if the curve reaches its extreme before.
    func place(_ row: Double) -> Double? {
        var (low, high) = (middle - 12 * unit, middle + 12 * unit)
        // Only as far as the curve is monotonic.
        if abs(c) > 1e-9 {
            let turn = middle - unit * b / (2 * c)
            if turn > middle { high = min(high, turn) } else { low = max(low, turn) }
        }
        guard (self(low) - row) * (self(high) - row) <= 0 else { return nil }
        for _ in 0..<40 {
            let half = (low + high) / 2
            if (self(half) - row) * (self(low) - row) <= 0 { high = half } else { low = half }
        }
        return (low + high) / 2
    }
}
