internal import BarcodeCore
internal import Glibc

/// The four sides of a Data Matrix symbol, two solid and two dotted, as far as a picture of two tones shows them.
struct DataMatrixFrame {
    /// The corner of the solid sides and their ends.
    let solid: SolidCorner
    /// The corner of the dotted sides.
    let far: Point
    /// Modules along the side to ``SolidCorner/one`` and along that to ``SolidCorner/other``, roughly.
    let modulesOne, modulesOther: Double
    /// How well the dotted sides are seen, 2 at the most.
    let score: Double
    /// Changes of tone along the dotted sides that run as the solid sides to ``SolidCorner/one`` and to
    /// ``SolidCorner/other`` do.
    private let changesOne, changesOther: Double

    /// The changes of tone along a dotted side, by the modules of it, above which there are more modules: as many as changes
    /// and one.
    private static let thickShare = 1.4

    /// Looks across a solid side, for its thickness.
    private static let looks = 24
    /// Modules along a side that a measurement may give: 8 to 144, and bleeding print.
    private static let plausibleModules = 4.5...220
    /// Slopes of a dotted side against the solid one opposite.
    private static let largestSlope = 0.36
    /// Changes of tone along a dotted side: one less than the fewest modules of a side, and one that is not seen.
    private static let leastChanges = 6
    /// The least score of a dotted side.
    private static let minimumScore = 0.25
    /// The least score of both: of symbols that were read, the least had 1.6.
    private static let minimumSum = 1.0

    /// The same for solid sides whose ends were looked for.
    private static let minimumMeasuredSum = 1.3
    /// The score below which the ends of the solid sides are looked for once more.
    private static let clearScore = 1.6

    /// What is between two solid sides: nothing where something lacks that a symbol has, two where it is not clear where
    /// the solid sides end.
    static func all(_ solid: SolidCorner, _ field: ToneField) -> [DataMatrixFrame] {
        let corner = solid.corner
        let toOne = Point(x: solid.one.x - corner.x, y: solid.one.y - corner.y)
        let toOther = Point(x: solid.other.x - corner.x, y: solid.other.y - corner.y)
        // The thickness of each side is one module of the other.
        guard let thicknessOne = thickness(field, from: corner, along: toOne, inward: toOther, solid.tone),
            let thicknessOther = thickness(field, from: corner, along: toOther, inward: toOne, solid.tone)
        else { return [] }
        var seen = Self(solid, field, modulesOne: 1 / thicknessOther, modulesOther: 1 / thicknessOne)
        // Where nearly all modules beside a solid side are dark it looks twice as thick.
        if let first = seen,
            first.changesOne > thickShare * first.modulesOne || first.changesOther > thickShare * first.modulesOther,
            let second = Self(
                solid, field, modulesOne: max(first.modulesOne, first.changesOne + 1),
                modulesOther: max(first.modulesOther, first.changesOther + 1))
        {
            seen = second
        }
        if let seen, seen.score >= clearScore { return [seen] }
        // An edge may end at a notch, or go on in that of something else.
        let shareOne = solid.solidShare(of: toOne, field, module: thicknessOther, inward: toOther, thicknessOne)
        let shareOther = solid.solidShare(of: toOther, field, module: thicknessOne, inward: toOne, thicknessOther)
        var all = seen.map { [$0] } ?? []
        if abs(shareOne - 1) > 1.5 * thicknessOther || abs(shareOther - 1) > 1.5 * thicknessOne,
            let other = Self(
                SolidCorner(
                    corner: corner, one: Point(x: corner.x + shareOne * toOne.x, y: corner.y + shareOne * toOne.y),
                    other: Point(x: corner.x + shareOther * toOther.x, y: corner.y + shareOther * toOther.y),
                    tone: solid.tone),
                field, modulesOne: shareOne / thicknessOther, modulesOther: shareOther / thicknessOne),
            other.score >= minimumMeasuredSum
        {
            all.append(other)
        }
        return all
    }

    /// The dotted sides opposite to solid ones with so many modules; nil where they are not seen.
    private init?(_ solid: SolidCorner, _ field: ToneField, modulesOne: Double, modulesOther: Double) {
        let corner = solid.corner
        let toOne = Point(x: solid.one.x - corner.x, y: solid.one.y - corner.y)
        let toOther = Point(x: solid.other.x - corner.x, y: solid.other.y - corner.y)
        guard Self.plausibleModules.contains(modulesOne), Self.plausibleModules.contains(modulesOther),
            let first = Self.dotted(
                field, from: solid.one, along: toOther, outward: toOne, modules: modulesOther,
                module: 1 / modulesOne, solid.tone),
            let second = Self.dotted(
                field, from: solid.other, along: toOne, outward: toOther, modules: modulesOne,
                module: 1 / modulesOther, solid.tone)
        else { return nil }
        // Both dotted sides as lines: one + s * a = other + t * b.
        let a = Point(x: toOther.x + first.slope * toOne.x, y: toOther.y + first.slope * toOne.y)
        let b = Point(x: toOne.x + second.slope * toOther.x, y: toOne.y + second.slope * toOther.y)
        let determinant = a.x * b.y - a.y * b.x
        guard abs(determinant) > 1 else { return nil }
        let (dx, dy) = (solid.other.x - solid.one.x, solid.other.y - solid.one.y)
        let s = (dx * b.y - dy * b.x) / determinant
        far = Point(x: solid.one.x + s * a.x, y: solid.one.y + s * a.y)
        guard s > 0.4, s < 2.5, first.score + second.score >= Self.minimumSum else { return nil }
        self.solid = solid
        self.modulesOne = modulesOne
        self.modulesOther = modulesOther
        score = first.score + second.score
        changesOne = Double(second.changes)
        changesOther = Double(first.changes)
    }

    /// How thick a solid side is, as a share of the other's length: where the modules beside it are light.
    ///
    /// Nil where no texture is beside it.
    private static func thickness(
        _ field: ToneField, from corner: Point, along: Point, inward: Point, _ tone: UInt8
    ) -> Double? {
        let length = hypot(inward.x, inward.y)
        let (stepX, stepY) = (0.5 * inward.x / length, 0.5 * inward.y / length)
        let limit = Int(length)
        var runs: [Int] = []
        runs.reserveCapacity(looks)
        // Every third look first: most places that are none are refused by these.
        for first in 0..<3 {
            for look in stride(from: first, to: looks, by: 3) {
                let t = (Double(look) + 0.5) / Double(looks)
                // From two pixels outside.
                var x = corner.x + t * along.x - 4 * stepX
                var y = corner.y + t * along.y - 4 * stepY
                var index = 0
                while index < 10, field.tone(x, y) != tone {
                    x += stepX
                    y += stepY
                    index += 1
                }
                guard index < 10 else { continue }
                index = 0
                while index < limit, field.tone(x, y) == tone {
                    x += stepX
                    y += stepY
                    index += 1
                }
                runs.append(index)
            }
            let looked = (looks / 3) * (first + 1)
            guard runs.count >= looked * 5 / 8 else { return nil }
            runs.sort()
            // A bar or a blot: solid to the other end.
            guard runs[first == 2 ? runs.count / 4 : 1] < limit / 2 else { return nil }
        }
        let thin = runs[runs.count / 4]
        return thin > 0 ? 0.5 * Double(thin) / length : nil
    }

    /// The dotted side from the end of a solid one: the slope toward `outward` at which its modules alternate most.
    private static func dotted(
        _ field: ToneField, from start: Point, along: Point, outward: Point, modules: Double, module: Double,
        _ tone: UInt8
    ) -> (slope: Double, score: Double, changes: Int)? {
        let count = min(160, max(20, Int(modules * 2.2)))
        let least = max(leastChanges, Int(minimumScore * (modules - 1)))
        let (stepX, stepY) = (along.x / Double(count), along.y / Double(count))
        var best = (slope: 0.0, score: 0.0, changes: 0)
        func look(_ slope: Double) {
            // A line half a module inside of the side, and one outside of it.
            let (dx, dy) = (
                stepX + slope / Double(count) * outward.x, stepY + slope / Double(count) * outward.y
            )
            var changes = 0
            var before = tone
            field.walk(
                start.x - 0.5 * module * outward.x + 0.5 * dx, start.y - 0.5 * module * outward.y + 0.5 * dy, stepX: dx,
                stepY: dy, count: count
            ) {
                if $0 != before { changes += 1 }
                before = $0
                return true
            }
            let most = min(1.1, Double(changes) / (modules - 1))
            guard changes >= least, most > best.score else { return }
            var outside = 0
            field.walk(
                start.x + 0.6 * module * outward.x + 0.5 * dx, start.y + 0.6 * module * outward.y + 0.5 * dy, stepX: dx,
                stepY: dy, count: count
            ) {
                if $0 == tone { outside += 1 }
                return true
            }
            let score = most - 1.5 * Double(outside) / Double(count)
            if score > best.score { best = (slope, score, changes) }
        }
        let step = max(0.7 * module, largestSlope / 18)
        var slope = 0.0
        while slope <= largestSlope {
            look(slope)
            if slope > 0 { look(-slope) }
            slope += step
        }
        guard best.score > 0 else { return nil }
        let middle = best.slope
        for part in [-0.5, -0.25, 0.25, 0.5] { look(middle + part * step) }
        return best.score >= minimumScore ? best : nil
    }
}
