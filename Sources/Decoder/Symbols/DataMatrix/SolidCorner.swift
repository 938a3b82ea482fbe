internal import BarcodeCore
internal import Glibc

/// Two solid sides that meet, as in every Data Matrix symbol and seldom in texture.
struct SolidCorner {
    /// The intersection of the outer edges, in pixels.
    let corner: Point
    /// The ends of the sides, in pixels.
    let one, other: Point
    /// The tone of the sides, 1 for dark.
    let tone: UInt8

    /// The sine of the smallest angle between the sides.
    private static let smallestSine = 0.6
    /// The maximum ratio of the sides: 18 in the longest rectangles, and some perspective.
    private static let largestRatio = 22.0
    /// The distances in pixels from the end of the first side at which to look for the second.
    private static let depths = [3, 5, 8, 12]

    init(corner: Point, one: Point, other: Point, tone: UInt8) {
        (self.corner, self.one, self.other, self.tone) = (corner, one, other, tone)
    }

    /// Appends the corners at both ends of a steep edge, for sides of either tone.
    static func all(
        at edge: StraightEdge, _ down: EdgeFollower, _ across: EdgeFollower, minimum: Int,
        positions: inout EdgePositions,
        into corners: inout [SolidCorner]
    ) {
        let sides = [-1, 1].filter { !isBar(edge, down, inward: $0) }
        for outward in [-1, 1] {
            for inward in sides {
                if let found = SolidCorner(
                    edge, down, across, outward: outward, inward: inward, minimum: minimum, positions: &positions)
                {
                    corners.append(found)
                }
            }
        }
    }

    /// The number of scans along an edge for the run beside it, and the maximum run in pixels.
    private static let looks = 10
    private static let longestRun = 64

    /// True if the run on one side of an edge has the same length all along it, as in a bar, a stroke or a blot.
    ///
    /// A solid side has data beside it, and ends at the other side.
    private static func isBar(_ edge: StraightEdge, _ down: EdgeFollower, inward: Int) -> Bool {
        let tone = inward > 0 ? edge.behind : 1 - edge.behind
        var (shortest, longest) = (longestRun, 0)
        for look in 0..<looks {
            let along = edge.first + (2 * look + 1) * edge.count / (2 * looks)
            let across = Int(edge.across(Double(along) + 0.5).rounded()) - (inward > 0 ? 0 : 1)
            guard across >= 0, across < down.acrossCount else { continue }
            let most = min(longestRun, inward > 0 ? down.acrossCount - across : across + 1)
            var run = 0
            while run < most, down.tone(along, across &+ run &* inward) == tone { run &+= 1 }
            // A ragged edge may be a pixel off its line.
            guard run > 0 else { continue }
            (shortest, longest) = (min(shortest, run), max(longest, run))
            // If modules are two pixels wide, an adjacent module changes the run by no more than this.
            if longest - shortest > (shortest < 4 ? 1 : 2) { return false }
        }
        return true
    }

    /// Finds the corner at one end of a steep edge; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - down: follows edges along the axis of the edge.
    ///   - across: follows edges along the other axis.
    ///   - outward: 1 for the lower end, -1 for the upper one.
    ///   - inward: 1 for a symbol to the right of the edge, -1 for one to the left.
    private init?(
        _ edge: StraightEdge, _ down: EdgeFollower, _ across: EdgeFollower, outward: Int, inward: Int, minimum: Int,
        positions: inout EdgePositions
    ) {
        let tone = inward > 0 ? edge.behind : 1 - edge.behind
        let end = outward > 0 ? edge.last : edge.first
        let x = Int(edge.across(Double(end) + 0.5).rounded())
        for depth in Self.depths {
            let column = x + inward * depth
            guard column >= 0, column < across.alongCount else { return nil }
            let reach = depth * 7 / 10 + 3
            // From outside inward, the first row with the sides' tone.
            var place: Int?
            for step in 0...(2 * reach) {
                let row = end + outward * (reach - step)
                guard row > 0, row < across.acrossCount - 1 else { continue }
                if across.tone(column, row) == tone {
                    if step > 0, across.tone(column, row + outward) != tone { place = outward > 0 ? row + 1 : row }
                    break
                }
            }
            guard let place,
                let found = across.edge(
                    along: column, across: place, minimum: minimum, positions: &positions)
            else { continue }
            guard Self.isConvex(edge, found, end: end, outward: outward) else { continue }
            // Only now is it worth looking beyond gaps.
            let first = down.extended(edge, positions: &positions)
            let second = across.extended(found, positions: &positions)
            guard let corner = first.crossing(second) else { continue }
            let one = first.point(outward > 0 ? Double(first.first) : Double(first.last + 1))
            let other = second.point(inward > 0 ? Double(second.last + 1) : Double(second.first))
            let (lengthOne, lengthOther) = (
                one.distance(to: corner), other.distance(to: corner)
            )
            guard lengthOne >= Double(minimum), lengthOther >= Double(minimum),
                lengthOne < Self.largestRatio * lengthOther, lengthOther < Self.largestRatio * lengthOne
            else { continue }
            (self.corner, self.one, self.other, self.tone) = (corner, one, other, tone)
            return
        }
        return nil
    }

    /// True if two edges meet near the end of the first, at a large enough angle.
    private static func isConvex(_ one: StraightEdge, _ other: StraightEdge, end: Int, outward: Int) -> Bool {
        guard let corner = one.crossing(other) else { return false }
        let beyond = (corner.y - Double(end) - 0.5) * Double(outward)
        guard abs(beyond) <= 3 + 0.1 * Double(one.count) else { return false }
        // The sine of the angle between (slope, 1) and (1, slope).
        let cross = abs(one.slope * other.slope - 1)
        return cross * cross >= smallestSine * smallestSine * (1 + one.slope * one.slope)
            * (1 + other.slope * other.slope)
    }

    /// The largest gap in a solid side in quarters of a module, or as a share of the side before it, and the minimum
    /// length after it, as a share of the gap too: a stain may cover half of a side.
    private static let largestNotch = (steps: 10, share: 1.5)
    private static let leastRest = (steps: 12, share: 0.5)
    /// The maximum ratio of a solid side to its edge.
    private static let largestGrowth = 5.0

    /// Measures the length of a solid side along the centers of its modules, over notches, as a share of `along`.
    ///
    /// - Parameters:
    ///   - module: the share of `along` that a module takes.
    ///   - inward: the vector to the other end of the other side.
    ///   - thickness: the share of `inward` that the side takes.
    func solidShare(
        of along: Point, _ field: ToneField, module: Double, inward: Point, _ thickness: Double
    ) -> Double {
        let step = module / 4
        var (x, y) = (
            corner.x + 0.5 * (thickness * inward.x + step * along.x),
            corner.y + 0.5 * (thickness * inward.y + step * along.y)
        )
        let outward = Point(x: 1.2 * thickness * inward.x, y: 1.2 * thickness * inward.y)
        // Steps in all, those up to the end of the side, and those after its last notch.
        var (count, whole, rest) = (0, 0, 0)
        while Double(count) * step < Self.largestGrowth {
            let tone = field.tone(x, y)
            count += 1
            // If the outside has the same tone, this is not the side but the background beyond the sheet.
            rest = tone == self.tone && field.tone(x - outward.x, y - outward.y) != tone ? rest + 1 : 0
            let gap = count - whole - rest
            if rest > 0, gap == 0 || rest >= max(Self.leastRest.steps, Int(Self.leastRest.share * Double(gap))) {
                whole = count
            }
            if tone == ToneField.outside
                || gap > max(Self.largestNotch.steps, Int(Self.largestNotch.share * Double(whole)))
            {
                break
            }
            x += step * along.x
            y += step * along.y
        }
        return Double(whole) * step
    }
}
