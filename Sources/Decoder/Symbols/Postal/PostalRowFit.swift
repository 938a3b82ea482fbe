internal import BarcodeCore

/// Classifies the bars of a row by whether they extend above and below the track.
enum PostalRowFit {
    /// The smallest difference of the two heights of the upper or lower ends, as a share of the longest bar.
    private static let smallestStep = 0.18
    /// The largest distance of an end from both heights, as a share of their difference.
    private static let largestResidual = 0.36
    /// The largest deviation of the distance of two bars from the mean, as a share of it.
    private static let unevenness = 0.4

    /// The range beyond the first and the last bar that must be empty, in bar distances, and the number of samples
    /// in it: anything dark there may be an unrecognized bar.
    private static let margin = 0.7...2.1
    private static let looks = 15

    /// Returns the row of some bars, from left to right; `nil` if their ends do not have two heights, or if
    /// something dark is beside them.
    static func row(_ bars: [ConnectedComponents.Component], in image: BinaryImage) -> PostalLocator.Row? {
        guard bars.count > 2, let first = bars.first, let last = bars.last else { return nil }
        // Along the row, and down the bars, as the mean weighted by how elongated each bar is.
        let (dx, dy) = (last.center.x - first.center.x, last.center.y - first.center.y)
        let size = (dx * dx + dy * dy).squareRoot()
        guard size > 1 else { return nil }
        let along = Point(x: dx / size, y: dy / size)
        var axis = Point(x: 0, y: 0)
        for bar in bars {
            let weight = bar.length - bar.width
            let sign: Double = bar.axis.x * -along.y + bar.axis.y * along.x < 0 ? -1 : 1
            axis.x += sign * weight * bar.axis.x
            axis.y += sign * weight * bar.axis.y
        }
        let axisSize = axis.length
        guard axisSize > 0 else { return nil }
        axis = Point(x: axis.x / axisSize, y: axis.y / axisSize)
        // Coordinates along the row and down the axis, which need not be perpendicular.
        let determinant = along.cross(axis)
        guard abs(determinant) > 0.3 else { return nil }
        func coordinates(_ point: Point) -> (along: Double, down: Double) {
            let (x, y) = (point.x - first.center.x, point.y - first.center.y)
            return ((x * axis.y - y * axis.x) / determinant, (along.x * y - along.y * x) / determinant)
        }
        let places = bars.map { coordinates($0.center) }
        let pitch = ((places.last?.along ?? 0) - (places.first?.along ?? 0)) / Double(bars.count - 1)
        guard pitch > 0,
            zip(places, places.dropFirst()).allSatisfy({ abs($1.along - $0.along - pitch) < unevenness * pitch })
        else { return nil }
        let longest = bars.reduce(0) { max($0, $1.length) }
        let uppers = zip(places, bars).map { (at: $0.along, end: $0.down - $1.length / 2) }
        let lowers = zip(places, bars).map { (at: $0.along, end: $0.down + $1.length / 2) }
        let step = smallestStep * longest
        guard let upper = heights(uppers, smallestStep: step, isUpper: true),
            let lower = heights(lowers, smallestStep: step, isUpper: false),
            upper.isTwo || lower.isTwo
        else { return nil }
        let half = bars.reduce(0) { $0 + $1.width } / Double(bars.count) / 2
        func corner(_ at: Double, _ down: Double) -> Point {
            Point(
                x: first.center.x + at * along.x + down * axis.x, y: first.center.y + at * along.y + down * axis.y)
        }
        let (left, right) = (-half, (places.last?.along ?? 0) + half)
        for look in 0..<looks {
            let beyond =
                pitch * (margin.lowerBound + Double(look) / Double(looks - 1) * (margin.upperBound - margin.lowerBound))
            for at in [-beyond, right - half + beyond]
            where isDark(corner(at, (upper.inner(at) + lower.inner(at)) / 2), image) {
                return nil
            }
        }
        return PostalLocator.Row(
            corners: Quadrilateral(
                topLeft: corner(left, upper.outer(left)), topRight: corner(right, upper.outer(right)),
                bottomRight: corner(right, lower.outer(right)), bottomLeft: corner(left, lower.outer(left))),
            bars: zip(upper.isFar, lower.isFar).map { (up: $0, down: $1) })
    }

    private static func isDark(_ point: Point, _ image: BinaryImage) -> Bool {
        guard point.isInside(width: image.width, height: image.height) else { return false }
        return image.pixels[Int(point.y) * image.width + Int(point.x)] != 0
    }

    /// The classification of ends by two heights.
    private struct Heights {
        var isFar: [Bool]
        var isTwo: Bool
        var offset: Double
        var slope: Double
        /// The distance from the inner height to the outer.
        var step: Double

        func inner(_ at: Double) -> Double { offset + slope * at }
        func outer(_ at: Double) -> Double { inner(at) + step }
    }

    /// Fits two parallel lines to ends, or one if they have a single height; `nil` if they have more than two.
    private static func heights(_ ends: [(at: Double, end: Double)], smallestStep: Double, isUpper: Bool) -> Heights? {
        let sign: Double = isUpper ? -1 : 1
        var isFar = [Bool](repeating: false, count: ends.count)
        var fit = line(ends, isFar)
        for _ in 0..<8 {
            let rests = ends.map { sign * ($0.end - fit.offset - fit.slope * $0.at) }
            let middle = fit.step == 0 ? ((rests.min() ?? 0) + (rests.max() ?? 0)) / 2 : sign * fit.step / 2
            let next = rests.map { $0 > middle }
            if next == isFar { break }
            isFar = next
            fit = line(ends, isFar)
        }
        if sign * fit.step < smallestStep {
            let flat = line(ends, [Bool](repeating: false, count: ends.count))
            guard ends.allSatisfy({ abs($0.end - flat.offset - flat.slope * $0.at) < smallestStep }) else { return nil }
            return Heights(
                isFar: [Bool](repeating: false, count: ends.count), isTwo: false, offset: flat.offset,
                slope: flat.slope,
                step: 0)
        }
        let limit = largestResidual * abs(fit.step)
        for (end, far) in zip(ends, isFar)
        where abs(end.end - fit.offset - fit.slope * end.at - (far ? fit.step : 0)) > limit { return nil }
        return Heights(isFar: isFar, isTwo: true, offset: fit.offset, slope: fit.slope, step: fit.step)
    }

    /// Fits a line by least squares, and the distance of the far ends from it.
    private static func line(
        _ ends: [(at: Double, end: Double)], _ isFar: [Bool]
    ) -> (offset: Double, slope: Double, step: Double) {
        // The means of both groups; the slope is that within the groups.
        var (count, at, end) = ([0.0, 0], [0.0, 0], [0.0, 0])
        for (item, far) in zip(ends, isFar) {
            let group = far ? 1 : 0
            count[group] += 1
            at[group] += item.at
            end[group] += item.end
        }
        for group in 0...1 where count[group] > 0 {
            at[group] /= count[group]
            end[group] /= count[group]
        }
        var (products, squares) = (0.0, 0.0)
        for (item, far) in zip(ends, isFar) {
            let group = far ? 1 : 0
            products += (item.at - at[group]) * (item.end - end[group])
            squares += (item.at - at[group]) * (item.at - at[group])
        }
        let slope = squares > 0 ? products / squares : 0
        let offsets = (0...1).map { end[$0] - slope * at[$0] }
        guard count[0] > 0, count[1] > 0 else { return (offsets[count[0] > 0 ? 0 : 1], slope, 0) }
        return (offsets[0], slope, offsets[1] - offsets[0])
    }
}
