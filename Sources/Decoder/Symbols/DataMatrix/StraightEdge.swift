internal import BarcodeCore

/// A straight line between dark and light in a binary image.
///
/// Its positions run along one axis of the picture, `along`; the other coordinate is `offset + slope * along`.
struct StraightEdge {
    /// True if `along` runs down the picture, false if it runs to the right.
    let isSteep: Bool
    let offset: Double
    let slope: Double
    /// The first and the last position along the edge.
    let first, last: Int
    /// The tone on the side of the greater coordinate, 1 for dark.
    let behind: UInt8

    /// The number of positions along the edge.
    var count: Int { last - first + 1 }

    func across(_ along: Double) -> Double { offset + slope * along }

    func point(_ along: Double) -> Point {
        isSteep ? Point(x: across(along), y: along) : Point(x: along, y: across(along))
    }

    /// Returns the intersection of two edges along different axes; `nil` for parallel ones.
    func crossing(_ other: StraightEdge) -> Point? {
        guard isSteep != other.isSteep else { return nil }
        let determinant = 1 - slope * other.slope
        guard abs(determinant) > 0.05 else { return nil }
        let along = (other.offset + other.slope * offset) / determinant
        return point(along)
    }
}

/// Follows straight edges in a binary image along one of its axes.
struct EdgeFollower {
    /// The tolerance of an edge around its line in pixels, and per pixel of length: bent or ragged edges deviate
    /// more.
    private static let tolerance = 1.0
    private static let toleranceShare = 0.008
    /// The maximum distance in pixels that an edge moves across in one step along: the steepest slope of a symbol's
    /// side to its axis.
    private static let largestStep = 3
    /// The maximum gap in an edge: in pixels, or as a share of its length.
    private static let smallestGap = 2
    private static let gapShare = 0.06

    private let pixels: UnsafePointer<UInt8>
    private let alongStride: Int
    private let acrossStride: Int
    private let isSteep: Bool
    let alongCount: Int
    let acrossCount: Int

    init(_ field: ToneField, isSteep: Bool) {
        pixels = field.pixels
        self.isSteep = isSteep
        alongStride = isSteep ? field.width : 1
        acrossStride = isSteep ? 1 : field.width
        alongCount = isSteep ? field.height : field.width
        acrossCount = isSteep ? field.width : field.height
    }

    /// The tone at a position inside the picture.
    @inline(__always)
    func tone(_ along: Int, _ across: Int) -> UInt8 { pixels[along &* alongStride &+ across &* acrossStride] }

    /// Follows the straight edge through a position whose pixel has the tone `behind`, unlike the pixel before it
    /// across.
    ///
    /// `nil` if there is no straight edge of that length.
    ///
    /// - Parameter minimum: the minimum number of positions.
    func edge(along: Int, across: Int, minimum: Int, positions: inout EdgePositions) -> StraightEdge? {
        let behind = tone(along, across)
        var backward = EdgeProgress(along: along, across: across)
        var forward = backward
        positions.begin()
        // Most edges of texture end here.
        advance(&backward, step: -1, from: across, behind: behind, limit: minimum) { positions.addBefore($0) }
        advance(&forward, step: 1, from: across, behind: behind, limit: minimum) { positions.addAfter($0) }
        guard positions.count + 1 >= minimum else { return nil }
        advance(&backward, step: -1, from: across, behind: behind, limit: .max) { positions.addBefore($0) }
        advance(&forward, step: 1, from: across, behind: behind, limit: .max) { positions.addAfter($0) }
        return positions.joined(middle: across) { places, before in
            let first = along - before
            if let whole = fitted(places, first: first, behind: behind) { return whole }
            // Two edges meet at the position: take the longer one.
            let after = places.count - before - 1
            guard max(before, after) >= minimum else { return nil }
            return before > after
                ? fitted(UnsafeBufferPointer(rebasing: places[..<before]), first: first, behind: behind)
                : fitted(UnsafeBufferPointer(rebasing: places[(before + 1)...]), first: along + 1, behind: behind)
        }
    }

    /// The progress of following an edge, and the slopes of the lines that pass near all of its positions so far.
    private struct EdgeProgress {
        var along, across: Int
        var length = 0
        var low = -Double(EdgeFollower.largestStep)
        var high = Double(EdgeFollower.largestStep)
        var isOver = false
    }

    /// Returns the next position of an edge in the adjacent row: the nearest transition to `behind`.
    @inline(__always)
    private func place(after at: Int, inRow row: Int, behind: UInt8) -> Int? {
        // Positions stay inside the picture, so these operations cannot overflow.
        let line = pixels + row &* alongStride
        if isSteep, at > Self.largestStep, at &+ Self.largestStep < acrossCount {
            // Eight pixels at once, the first in the lowest byte, without a branch that texture makes random: each
            // byte is 0 if the tone is `behind`.
            let window = UnsafeRawPointer(line + (at &- Self.largestStep &- 1))
            let others =
                UInt64(littleEndian: window.loadUnaligned(as: UInt64.self)) ^ UInt64(behind) &* 0x0101_0101_0101_0101
            let below = UInt32(truncatingIfNeeded: others)
            let above = UInt32(truncatingIfNeeded: ~others &>> 32) & 0x0101_0101
            let isBelow = above & 1 == 1
            let marks = isBelow ? below : above
            guard marks != 0 else { return nil }
            return isBelow
                ? at &- (marks.leadingZeroBitCount &>> 3) : at &+ (marks.trailingZeroBitCount &>> 3)
        }
        var at = at
        if line[at &* acrossStride] == behind {
            let least = max(0, at &- Self.largestStep)
            while at > least, line[(at &- 1) &* acrossStride] == behind { at &-= 1 }
            return at > 0 && line[(at &- 1) &* acrossStride] != behind ? at : nil
        }
        let most = min(acrossCount &- 1, at &+ Self.largestStep)
        while at < most {
            at &+= 1
            if line[at &* acrossStride] == behind { return at }
        }
        return nil
    }

    /// Follows an edge until it bends, ends or reaches `limit` positions, and passes each across coordinate to
    /// `body`.
    @inline(__always)
    private func advance(
        _ progress: inout EdgeProgress, step: Int, from start: Int, behind: UInt8, limit: Int, _ body: (Int) -> Void
    ) {
        guard !progress.isOver else { return }
        var (at, row, count) = (progress.across, progress.along &+ step, progress.length)
        var (low, high) = (progress.low, progress.high)
        progress.isOver = true
        while row >= 0, row < alongCount {
            guard let next = place(after: at, inRow: row, behind: behind) else { return }
            at = next
            // The slopes of all lines from the start that pass near every position so far.
            let away = Double(at &- start)
            let inverse = 1 / Double(count &+ 1)
            let reach = Self.tolerance * inverse + Self.toleranceShare
            let slope = away * inverse
            if slope - reach > low { low = slope - reach }
            if slope + reach < high { high = slope + reach }
            guard low <= high else { return }
            count &+= 1
            body(at)
            if count >= limit {
                progress = EdgeProgress(along: row, across: at, length: count, low: low, high: high)
                return
            }
            row &+= step
        }
    }

    /// Fits a line through positions by least squares; `nil` if they are not on a line.
    private func fitted(_ positions: UnsafeBufferPointer<Int32>, first: Int, behind: UInt8) -> StraightEdge? {
        let count = Double(positions.count)
        let middle = (count - 1) / 2
        var sum = 0
        var moment = 0
        for (index, position) in positions.enumerated() {
            sum &+= Int(position)
            moment &+= index &* Int(position)
        }
        let mean = Double(sum) / count
        let product = Double(moment) - middle * Double(sum)
        // The sum of the squared distances of the positions from the middle.
        let spread = count * (count * count - 1) / 12
        let slope = spread > 0 ? product / spread : 0
        let largest = 1.5 * Self.tolerance + Self.toleranceShare * count
        for index in stride(from: 0, to: positions.count, by: max(1, positions.count / 16)) {
            let away = Double(positions[index]) - mean - slope * (Double(index) - middle)
            guard abs(away) <= largest else { return nil }
        }
        // Positions are pixel centers along, and boundaries between pixels across.
        let center = Double(first) + middle + 0.5
        return StraightEdge(
            isSteep: isSteep, offset: mean - slope * center, slope: slope, first: first,
            last: first + positions.count - 1, behind: behind)
    }

    /// Returns the edge extended over gaps, if it continues on the same line.
    func extended(_ edge: StraightEdge, positions: inout EdgePositions) -> StraightEdge {
        var edge = edge
        for _ in 0..<6 {
            let gap = max(Self.smallestGap, Int(Double(edge.count) * Self.gapShare))
            guard let longer = carriedOn(edge, gap: gap, positions: &positions) else { return edge }
            edge = longer
        }
        return edge
    }

    private func carriedOn(_ edge: StraightEdge, gap: Int, positions: inout EdgePositions) -> StraightEdge? {
        for step in [-1, 1] {
            let end = step < 0 ? edge.first : edge.last
            for distance in 2...(gap + 2) {
                let along = end + step * distance
                guard along >= 0, along < alongCount else { break }
                let expected = edge.across(Double(along) + 0.5)
                guard let across = place(along, near: expected, behind: edge.behind),
                    let next = self.edge(
                        along: along, across: across, minimum: max(4, gap), positions: &positions),
                    next.behind == edge.behind, abs(next.slope - edge.slope) < 0.25
                else { continue }
                let first = min(edge.first, next.first)
                let last = max(edge.last, next.last)
                guard last - first > edge.last - edge.first + 2 else { continue }
                // The line through the middles of both, the two points that are farthest apart and well known.
                let one = Double(edge.first + edge.last + 1) / 2
                let other = Double(next.first + next.last + 1) / 2
                guard abs(other - one) > 2 else { continue }
                let joint = (next.across(other) - edge.across(one)) / (other - one)
                let weight = Double(next.count) / Double(next.count + edge.count)
                let slope = edge.slope + (joint - edge.slope) * min(1, 2 * weight)
                guard abs(joint - edge.slope) < 0.1 else { continue }
                return StraightEdge(
                    isSteep: isSteep, offset: edge.across(one) - slope * one, slope: slope, first: first, last: last,
                    behind: edge.behind)
            }
        }
        return nil
    }

    /// Returns the across coordinate, near an expected one, of a transition to `behind`; `nil` if there is none.
    private func place(_ along: Int, near expected: Double, behind: UInt8) -> Int? {
        guard expected.isFinite, expected >= 4, expected < Double(acrossCount - 4) else { return nil }
        let middle = Int(expected.rounded())
        for away in [0, 1, -1, 2, -2] {
            let across = middle + away
            if tone(along, across) == behind, tone(along, across - 1) != behind { return across }
        }
        return nil
    }
}
