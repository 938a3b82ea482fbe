internal import BarcodeCore

/// Tells two readings of one linear symbol from two symbols with the same message, one above the other.
///
/// A symbol that is seen obliquely narrows along its bars. If the rows in its middle are wrinkled or in glare, those
/// above and below it are read as if they were two symbols. Between these the bars go on; between two labels there is
/// paper.
enum ContinuousBars {
    /// The smallest ratio of the widths of two parts of a symbol, and the smallest cosine of the angle between their
    /// rows.
    private static let leastRatio = 0.7
    private static let leastCosine = 0.9
    /// The largest displacement of an end of the rows from one part to the other, as a share of the width.
    private static let largestShift = 0.15
    /// The rows between the parts that are looked at, and the samples of each.
    private static let rows = 5
    private static let samples = 256
    /// The displacements of each end of a row that are tried, as shares of the width: the outline of a part that
    /// narrows is a parallelogram, whose sides are those of its middle.
    private static let offsets = Array(stride(from: -0.08, through: 0.08, by: 0.004))
    /// The smallest correlation of each row with one of the parts, and its smallest contrast, as a share of theirs.
    ///
    /// Chosen on four photos and 75 drawn symbols, which are joined, and labels with paper or print between them, which
    /// are not. The contrast spares the search of a displacement where there is paper.
    private static let leastCorrelation: Float = 0.5
    private static let leastContrast: Float = 0.4
    /// The largest distance of the parts, as a share of the height of the higher one.
    private static let largestGap = 1.0

    /// Returns the outline of both parts; `nil` if they are two symbols.
    static func joined(_ one: Quadrilateral, _ other: Quadrilateral, in image: LumaImage) -> Quadrilateral? {
        let (across, otherAcross) = (one.rowDirection, other.rowDirection)
        let (width, otherWidth) = (across.length, otherAcross.length)
        guard min(width, otherWidth) >= leastRatio * max(width, otherWidth), width > 0,
            across.dot(otherAcross) >= leastCosine * width * otherWidth
        else { return nil }
        let along = (one.bottomLeft - one.topLeft) + (one.bottomRight - one.topRight)
        let isBelow = (other.center - one.center).dot(along) > 0
        let (upper, lower) = isBelow ? (one, other) : (other, one)
        let shifts = [lower.topLeft - upper.bottomLeft, lower.topRight - upper.bottomRight]
        guard shifts.allSatisfy({ abs($0.dot(across)) <= largestShift * width * width }) else { return nil }

        let gap = (lower.topLeft - upper.bottomLeft + (lower.topRight - upper.bottomRight)).length
        let heights = [upper, lower].map { ($0.bottomLeft - $0.topLeft + ($0.bottomRight - $0.topRight)).length }
        guard gap <= largestGap * max(heights[0], heights[1]) else { return nil }

        let areBars = image.withUnsafePixels { pixels in
            guard let sampler = PixelSampler(pixels, of: image) else { return false }
            func row(_ left: Point, _ right: Point) -> LinearProfile {
                LinearProfile(
                    values: (0..<samples).map {
                        sampler.brightness(left.between(right, (Double($0) + 0.5) / Double(samples)))
                    })
            }
            let references = [upper, lower].map { part in
                row(part.topLeft.between(part.bottomLeft, 0.5), part.topRight.between(part.bottomRight, 0.5))
            }
            let contrast = references.map(variation).reduce(.infinity, min)
            return (0..<rows).allSatisfy { index in
                let share = (Double(index) + 0.5) / Double(rows)
                let left = upper.bottomLeft.between(lower.topLeft, share)
                let right = upper.bottomRight.between(lower.topRight, share)
                guard variation(row(left, right)) >= leastContrast * contrast else { return false }
                return offsets.contains { start in
                    offsets.contains { end in
                        let values = row(left.between(right, start), right.between(left, end))
                        return references.contains { $0.correlation(with: values) >= leastCorrelation }
                    }
                }
            }
        }
        guard areBars else { return nil }
        return Quadrilateral(
            topLeft: upper.topLeft, topRight: upper.topRight, bottomRight: lower.bottomRight,
            bottomLeft: lower.bottomLeft)
    }

    /// Returns the standard deviation of the brightness along a row.
    private static func variation(_ row: LinearProfile) -> Float {
        let values = row.values
        let mean = values.reduce(0, +) / Float(values.count)
        return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(values.count)).squareRoot()
    }
}

extension Quadrilateral {
    /// The mean of the upper and the lower side, from left to right.
    fileprivate var rowDirection: Point { ((topRight - topLeft) + (bottomRight - bottomLeft)) * 0.5 }
}
