internal import BarcodeCore
internal import Glibc

/// Two solid sides that meet: what every Data Matrix symbol has, and most texture has not.
struct SolidCorner {
    /// Where the outer edges meet.
    let corner: Point
    /// The ends of the sides.
    let one, other: Point
    /// The tone of the sides, 1 for dark.
    let tone: UInt8

    /// The sine of the least angle at which sides may meet.
    private static let smallestSine = 0.6
    /// How many times longer one side may be: 18 modules to 1 in the longest rectangles, and some perspective.
    private static let largestRatio = 22.0
    /// Pixels from the end of the first side at which the second is looked for.
    private static let depths = [3, 5, 8, 12]

    init(corner: Point, one: Point, other: Point, tone: UInt8) {
        (self.corner, self.one, self.other, self.tone) = (corner, one, other, tone)
    }

    /// The corners at both ends of a steep edge, the sides being of either tone.
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

    /// Looks along an edge for what is beside it, and pixels up to which one goes.
    private static let looks = 10
    private static let longestRun = 64

    /// Whether the tone on one side of an edge goes equally far all along it, as in a bar, a stroke or a blot: a solid
    /// side has data beside it, and ends in the other one.
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
            // Of modules that are two pixels wide, one more makes no more difference than this.
            if longest - shortest > (shortest < 4 ? 1 : 2) { return false }
        }
        return true
    }

    /// The corner at one end of a steep edge.
    ///
    /// - Parameters:
    ///   - down: follows edges along its axis.
    ///   - across: follows edges along the other axis.
    ///   - outward: 1 for the lower end.
    ///   - inward: 1 for a symbol to the right of the edge.
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
            // From outside inward, the first place with the sides' tone.
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
            // Only here is it worth looking beyond gaps.
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

    /// Whether two edges meet near the end of the first, and not too flat.
    private static func isConvex(_ one: StraightEdge, _ other: StraightEdge, end: Int, outward: Int) -> Bool {
        guard let corner = one.crossing(other) else { return false }
        let beyond = (corner.y - Double(end) - 0.5) * Double(outward)
        guard abs(beyond) <= 3 + 0.1 * Double(one.count) else { return false }
        // The sine of the angle between (slope, 1) and (1, slope).
        let cross = abs(one.slope * other.slope - 1)
        return cross * cross >= smallestSine * smallestSine * (1 + one.slope * one.slope)
            * (1 + other.slope * other.slope)
    }

    /// Quarters of a module that may be missing in a solid side, and those that must follow.
    private static let largestNotch = 10
    private static let leastRest = 12
    /// How many times longer than its edge a solid side may be.
    private static let largestGrowth = 5.0

    /// How far a solid side goes along the middle of its modules, over notches, as a share of `along`.
    ///
    /// - Parameters:
    ///   - module: the share of `along` that a module takes.
    ///   - inward: to the other end of the other side.
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
        // Steps, those up to where the side is whole, and those behind its last notch.
        var (count, whole, rest) = (0, 0, 0)
        while Double(count) * step < Self.largestGrowth {
            let tone = field.tone(x, y)
            count += 1
            // What is as dark beside it is no side, but what is around the sheet.
            rest = tone == self.tone && field.tone(x - outward.x, y - outward.y) != tone ? rest + 1 : 0
            if rest > 0, whole + rest == count || rest >= Self.leastRest { whole = count }
            if tone == ToneField.outside || count - whole - rest > Self.largestNotch { break }
            x += step * along.x
            y += step * along.y
        }
        return Double(whole) * step
    }
}
