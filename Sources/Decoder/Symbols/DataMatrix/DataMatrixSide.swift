internal import BarcodeCore

/// One side of a symbol: the line on which most scans across it first meet the symbol's color.
///
/// Nearly all scans meet a solid line at its outer edge; half of them meet a dotted one.
struct DataMatrixSide {
    private static let scanCount = 48
    private static let stepCount = 64
    /// The minimum contrast across a side, 0 to 255, for a scan to count.
    private static let smallestContrast: Float = 8
    /// The maximum slope of a line against the rough side.
    private static let largestSlope = 0.4
    /// The penalty for a scan that meets an edge outside a line; an inlier scores one.
    private static let outsidePenalty = 0.3

    /// A point of the line; `direction` is its direction.
    private let origin: Point
    private let direction: Point
    /// The share of the scans that meet the line.
    let support: Double

    /// `nil` if there is no line within `reach` pixels of the rough side.
    init?(
        _ pixels: PixelSampler, from: Point, to: Point, center: Point, reach: Double, isInverted: Bool
    ) {
        let length = from.distance(to: to)
        let along = Point(x: (to.x - from.x) / length, y: (to.y - from.y) / length)
        var inward = Point(x: -along.y, y: along.x)
        if (center.x - from.x) * inward.x + (center.y - from.y) * inward.y < 0 {
            inward = Point(x: -inward.x, y: -inward.y)
        }
        let meetings = (0..<Self.scanCount).compactMap { index -> (t: Double, s: Double)? in
            let t = (Double(index) + 0.5) / Double(Self.scanCount) * length
            let foot = Point(x: from.x + along.x * t, y: from.y + along.y * t)
            return Self.meeting(pixels, foot: foot, inward: inward, reach: reach, isInverted: isInverted)
                .map { (t, $0) }
        }
        guard let line = Self.line(through: meetings, tolerance: max(0.6, 0.004 * length), length: length) else {
            return nil
        }
        origin = Point(x: from.x + inward.x * line.offset, y: from.y + inward.y * line.offset)
        direction = Point(x: along.x + inward.x * line.slope, y: along.y + inward.y * line.slope)
        support = Double(line.count) / Double(Self.scanCount)
    }

    /// Returns the distance inward of `foot` at which a scan from outside first passes from the background's color to
    /// the symbol's; `nil` if the contrast is too low or there is no transition.
    private static func meeting(
        _ pixels: PixelSampler, foot: Point, inward: Point, reach: Double, isInverted: Bool
    ) -> Double? {
        let count = min(stepCount, max(8, Int(reach * 5)))
        let step = 2 * reach / Double(count)
        let sign: Float = isInverted ? -1 : 1
        let values = (0...count).map { index -> Float in
            let depth = Double(index) * step - reach
            return sign * pixels.brightness(Point(x: foot.x + inward.x * depth, y: foot.y + inward.y * depth))
        }
        guard let low = values.min(), let high = values.max(), high - low >= smallestContrast else { return nil }
        let middle = (low + high) / 2
        for index in 0..<count where values[index] >= middle && values[index + 1] < middle {
            let fraction = Double((values[index] - middle) / (values[index] - values[index + 1]))
            return (Double(index) + fraction) * step - reach
        }
        return nil
    }

    /// Returns the line `s = offset + slope * t` with the most meetings on it and few outside it, fitted by least
    /// squares.
    private static func line(
        through meetings: [(t: Double, s: Double)], tolerance: Double, length: Double
    ) -> (offset: Double, slope: Double, count: Int)? {
        var best: (offset: Double, slope: Double, score: Double) = (0, 0, 0)
        for (index, first) in meetings.enumerated() {
            for second in meetings[(index + 1)...] where second.t - first.t > length / 4 {
                let slope = (second.s - first.s) / (second.t - first.t)
                guard abs(slope) <= largestSlope else { continue }
                let offset = first.s - slope * first.t
                var score = 0.0
                for meeting in meetings {
                    let away = meeting.s - offset - slope * meeting.t
                    if abs(away) <= tolerance { score += 1 } else if away < 0 { score -= outsidePenalty }
                }
                if score > best.score { best = (offset, slope, score) }
            }
        }
        let inliers = meetings.filter { abs($0.s - best.offset - best.slope * $0.t) <= tolerance }
        guard best.score > 0, inliers.count >= 6 else { return nil }
        let count = Double(inliers.count)
        let meanT = inliers.reduce(0) { $0 + $1.t } / count
        let meanS = inliers.reduce(0) { $0 + $1.s } / count
        let variance = inliers.reduce(0) { $0 + ($1.t - meanT) * ($1.t - meanT) }
        let slope = inliers.reduce(0) { $0 + ($1.t - meanT) * ($1.s - meanS) } / variance
        return (meanS - slope * meanT, slope, inliers.count)
    }

    /// Returns the intersection of two sides; `nil` for parallel ones.
    func intersection(_ other: DataMatrixSide) -> Point? {
        let cross = direction.cross(other.direction)
        guard abs(cross) > 0.1 else { return nil }
        let (dx, dy) = (other.origin.x - origin.x, other.origin.y - origin.y)
        let t = (dx * other.direction.y - dy * other.direction.x) / cross
        return Point(x: origin.x + direction.x * t, y: origin.y + direction.y * t)
    }
}
