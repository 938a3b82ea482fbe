public import BarcodeCore
internal import Glibc

/// Straightens symbols that are seen obliquely: their bars spread like a fan, or do not end at right angles to them.
extension LinearStrip {
    /// The largest shear that is searched: 45 degrees.
    private static let largestShear = 1.0
    /// The largest number of directions that are tried to each side.
    private static let mostDirections = 16
    /// The rows that are compared, as shares of the height from the middle row.
    private static let places = stride(from: -0.2, through: 0.2, by: 0.05)
    /// The number of neighboring rows that are compared together: a single row may cross text.
    private static let neighbors = 3
    /// The smallest ratio of the brightness changes along the best row to those along a row at right angles to the
    /// bars, which leaves the symbol.
    private static let smallestGain: Float = 1.2

    /// The largest error of the direction of either half of a region, in radians: 11 degrees.
    private static let largestTurnOfHalf = 0.2
    /// The smallest difference of the directions of the halves, in pixels over the height, that blurs the mean of the
    /// rows.
    private static let smallestSpread = 1.0

    /// Returns the strip of a symbol that is seen obliquely, with parallel bars and rows parallel to their ends; `nil`
    /// if it seems to be a rectangle already.
    ///
    /// - Parameter image: the image from which the strip was made.
    public func straightened(_ image: LumaImage) -> LinearStrip? {
        guard rows >= 8, region.shear == 0, region.spread == 0 else { return nil }
        var straight = shearedRegion()
        let halves = [-1.0, 1].map { side in
            var half = straight ?? region
            half.center = half.point(side * half.length / 4, 0)
            half.length /= 2
            half.height = min(half.height, half.length)
            return Self.refinedAngle(half, in: image, largestTurn: Self.largestTurnOfHalf)
        }
        let turn = halves[1] - halves[0]
        if abs(turn) * region.height >= Self.smallestSpread {
            var spread = straight ?? region
            spread.angle = (halves[0] + halves[1]) / 2
            spread.spread = -turn / (region.length / 2)
            straight = spread
        }
        return straight.flatMap { LinearStrip(image, region: $0) }
    }

    /// Returns the strip with rows parallel to the ends of the bars; `nil` if these seem to be at right angles to the
    /// bars.
    ///
    /// - Parameter image: the image from which the strip was made.
    public func sheared(_ image: LumaImage) -> LinearStrip? {
        guard rows >= 8, region.shear == 0 else { return nil }
        return shearedRegion().flatMap { LinearStrip(image, region: $0) }
    }

    /// Returns the region with rows parallel to the ends of the bars; `nil` if these seem to be at right angles to the
    /// bars.
    ///
    /// A row at right angles to the bars would cross only some of the bars of a low symbol. A row in any direction
    /// that stays in the symbol crosses all of them, and therefore has the most changes.
    private func shearedRegion() -> LinearRegion? {
        let steepest = min(Self.largestShear, region.height / region.length)
        let count = min(Self.mostDirections, rows / 2)
        let straight = mostChanges(shear: 0)
        var best = (changes: Self.smallestGain * straight.changes, shear: 0.0, place: 0.0)
        for direction in -count...count where direction != 0 {
            let shear = steepest * Double(direction) / Double(count)
            let (changes, place) = mostChanges(shear: shear)
            if changes > best.changes { best = (changes, shear, place) }
        }
        guard best.shear != 0 else { return nil }
        var sheared = region
        sheared.shear = best.shear
        sheared.center = region.point(0, best.place * region.height)
        sheared.height = max(8, region.height * (1 - abs(best.place)) - abs(best.shear) * region.length)
        return sheared
    }

    /// Returns the most brightness changes along neighboring rows with a shear, and the place of these rows.
    private func mostChanges(shear: Double) -> (changes: Float, place: Double) {
        let margin = max(0, (columns - Int(region.length) * density) / 2)
        let slope = shear / (Double(density) * rowStep)
        let middle = Double(columns) / 2
        let changes = Self.places.map { place in
            let center = Double(rows) * (0.5 + place)
            var changes: Float = 0
            for column in stride(from: margin + 2, to: columns - margin, by: 2) {
                let row = min(max(Int(center + slope * (Double(column) - middle)), 0), rows - 1)
                changes += abs(values[row * columns + column] - values[row * columns + column - 2])
            }
            return (changes, place)
        }
        var best: (changes: Float, place: Double) = (0, 0)
        for first in 0...changes.count - Self.neighbors {
            let rows = changes[first..<first + Self.neighbors]
            let sum = rows.reduce(0) { $0 + $1.0 }
            if sum > best.changes { best = (sum, rows[first + Self.neighbors / 2].1) }
        }
        return best
    }
}
