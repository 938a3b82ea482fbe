internal import BarcodeCore
internal import Glibc

/// The four sides of a Data Matrix symbol in a binary image: two solid and two dotted ones.
struct DataMatrixFrame {
    /// The corner between the solid sides, and their ends.
    let solid: SolidCorner
    /// The corner between the dotted sides.
    let far: Point
    /// The approximate numbers of modules along the sides to ``SolidCorner/one`` and to ``SolidCorner/other``.
    let modulesOne, modulesOther: Double
    /// The score of the dotted sides, at most 2.
    let score: Double
    /// The numbers of transitions along the dotted sides that are parallel to the solid sides to ``SolidCorner/one``
    /// and to ``SolidCorner/other``.
    private let changesOne, changesOther: Double

    /// The number of transitions per module of a dotted side above which the side has more modules than measured: one
    /// more than transitions.
    private static let thickShare = 1.4

    /// The number of scans across a solid side that measure its thickness.
    private static let looks = 24
    /// The plausible measured number of modules along a side: 8 to 144, with a margin for print gain.
    private static let plausibleModules = 4.5...220
    /// The largest slope of a dotted side against the opposite solid one.
    private static let largestSlope = 0.36
    /// The minimum number of transitions along a dotted side: one less than the fewest modules of a side, less one
    /// missed.
    private static let leastChanges = 6
    /// The minimum score of each dotted side.
    private static let minimumScore = 0.25
    /// The minimum score of both sides together; the lowest of the symbols that were read is 1.6.
    private static let minimumSum = 1.0

    /// The same if the ends of the solid sides were measured again.
    private static let minimumMeasuredSum = 1.3
    /// The ratio of the solid sides of a square of which a stain hides the end of one.
    private static let hiddenRatio = 1.08...2.5
    /// The score below which the ends of the solid sides are measured again.
    private static let clearScore = 1.6

    /// Returns the frames that two solid sides may belong to: none if a part of a symbol is missing, two if the ends
    /// of the solid sides are unclear.
    static func all(_ solid: SolidCorner, _ field: ToneField) -> [DataMatrixFrame] {
        let corner = solid.corner
        let toOne = Point(x: solid.one.x - corner.x, y: solid.one.y - corner.y)
        let toOther = Point(x: solid.other.x - corner.x, y: solid.other.y - corner.y)
        // The thickness of each side is one module of the other.
        guard let thicknessOne = thickness(field, from: corner, along: toOne, inward: toOther, solid.tone),
            let thicknessOther = thickness(field, from: corner, along: toOther, inward: toOne, solid.tone)
        else { return [] }
        var seen = Self(solid, field, modulesOne: 1 / thicknessOther, modulesOther: 1 / thicknessOne)
        // A solid side looks twice as thick if nearly all adjacent modules are dark.
        if let first = seen,
            first.changesOne > thickShare * first.modulesOne || first.changesOther > thickShare * first.modulesOther,
            let second = Self(
                solid, field, modulesOne: max(first.modulesOne, first.changesOne + 1),
                modulesOther: max(first.modulesOther, first.changesOther + 1))
        {
            seen = second
        }
        if let seen, seen.score >= clearScore { return [seen] }
        // An edge may end at a notch or continue along another object.
        let shareOne = solid.solidShare(of: toOne, field, module: thicknessOther, inward: toOther, thicknessOne)
        let shareOther = solid.solidShare(of: toOther, field, module: thicknessOne, inward: toOne, thicknessOther)
        var all = seen.map { [$0] } ?? []
        func add(_ shareOne: Double, _ shareOther: Double) {
            let longer = SolidCorner(
                corner: corner, one: Point(x: corner.x + shareOne * toOne.x, y: corner.y + shareOne * toOne.y),
                other: Point(x: corner.x + shareOther * toOther.x, y: corner.y + shareOther * toOther.y),
                tone: solid.tone)
            if let frame = Self(
                longer, field, modulesOne: shareOne / thicknessOther, modulesOther: shareOther / thicknessOne),
                frame.score >= minimumMeasuredSum
            {
                all.append(frame)
            }
        }
        if abs(shareOne - 1) > 1.5 * thicknessOther || abs(shareOther - 1) > 1.5 * thicknessOne {
            add(shareOne, shareOther)
        }
        // A stain may hide the end of one side. That of a square is as long as the other.
        let ratio = shareOther * toOther.length / (shareOne * toOne.length)
        if hiddenRatio.contains(max(ratio, 1 / ratio)), !all.contains(where: { $0.score >= minimumMeasuredSum }) {
            add(shareOne * max(1, ratio), shareOther * max(1, 1 / ratio))
        }
        return all
    }

    /// Finds the dotted sides opposite solid ones with the given numbers of modules; `nil` if they are not visible.
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
        // The intersection of the dotted sides as lines: one + s * a = other + t * b.
        let a = Point(x: toOther.x + first.slope * toOne.x, y: toOther.y + first.slope * toOne.y)
        let b = Point(x: toOne.x + second.slope * toOther.x, y: toOne.y + second.slope * toOther.y)
        let determinant = a.cross(b)
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

    /// Returns the thickness of a solid side as a share of the other side's length, measured next to light modules.
    ///
    /// `nil` if there is no texture next to the side.
    private static func thickness(
        _ field: ToneField, from corner: Point, along: Point, inward: Point, _ tone: UInt8
    ) -> Double? {
        let length = hypot(inward.x, inward.y)
        let (stepX, stepY) = (0.5 * inward.x / length, 0.5 * inward.y / length)
        // Half of the other side, in steps. A bar or a blot is solid over more than half of that; in a flat rectangle of
        // eight rows two dark modules are as much, so that only all scans together tell.
        let limit = Int(length)
        let isFlat = hypot(along.x, along.y) > 2 * length
        var runs: [Int] = []
        runs.reserveCapacity(looks)
        // Every third scan first: these reject most false candidates.
        for first in 0..<3 {
            for look in stride(from: first, to: looks, by: 3) {
                let t = (Double(look) + 0.5) / Double(looks)
                // Start two pixels outside.
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
            if isFlat, first < 2 { continue }
            guard runs[first == 2 ? runs.count / 4 : 1] < (isFlat ? limit : limit / 2) else { return nil }
        }
        // If few modules next to the side are light, its thinnest places decide.
        let usual = runs[runs.count / 4]
        let thin = usual < limit / 2 ? usual : runs[2]
        return thin > 0 ? 0.5 * Double(thin) / length : nil
    }

    /// Finds the dotted side from the end of a solid one: the slope toward `outward` with the most alternating
    /// modules.
    private static func dotted(
        _ field: ToneField, from start: Point, along: Point, outward: Point, modules: Double, module: Double,
        _ tone: UInt8
    ) -> (slope: Double, score: Double, changes: Int)? {
        let count = min(160, max(20, Int(modules * 2.2)))
        let least = max(leastChanges, Int(minimumScore * (modules - 1)))
        let (stepX, stepY) = (along.x / Double(count), along.y / Double(count))
        var best = (slope: 0.0, score: 0.0, changes: 0)
        func look(_ slope: Double) {
            // A line half a module inside the side, and one outside it.
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
