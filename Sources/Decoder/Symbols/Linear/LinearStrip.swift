public import BarcodeCore
internal import Glibc

/// A region of bars, straightened: columns run across the bars, rows along them, a pixel of the picture apart or less.
///
/// The direction is refined first, until the mean of the rows has the sharpest edges; then the rows that look like the
/// others are told from those of digits, labels and glare.
public struct LinearStrip: Sendable {
    /// The share of the region's length that the strip goes on beyond either end: the quiet zone of an EAN is 7 to 11
    /// of 95 modules, and the region may be a block short.
    private static let margin = 0.16
    /// Rows that are sampled at most; the mean of more says nothing more.
    private static let maximumRows = 96

    /// Radians by which the direction of a region may be off: 3 degrees.
    private static let largestTurn = 0.05
    /// Pixels: a strip of less has no bars, and none is longer than the sides of the largest pictures.
    private static let smallestSide = 1.0
    private static let largestSide = 40_000.0

    /// The region, with the direction refined and the height measured.
    public private(set) var region: LinearRegion
    /// The direction of the region before that.
    private(set) var locatedAngle: Double
    let columns: Int
    let rows: Int
    /// Pixels between two rows.
    let rowStep: Double
    /// Columns a pixel.
    let density: Int
    /// Brightness, row by row.
    private(set) var values: [Float]
    /// The columns of the middle row that lie in the picture, where those outside were filled with paper.
    var seenColumns: Range<Int>?
    /// Which rows show the bars.
    private var isGood: [Bool] = []

    /// Straightens a region of `image`; nil for one that is no strip at all.
    public init?(_ image: LumaImage, region: LinearRegion) {
        let sides = Self.smallestSide...Self.largestSide
        guard image.pixelCount > 0, sides.contains(region.length), sides.contains(region.height),
            region.angle.isFinite, abs(region.center.x) <= Self.largestSide, abs(region.center.y) <= Self.largestSide
        else { return nil }
        var refined = region
        if region.height > 8 { refined.angle = Self.refinedAngle(region, in: image) }
        self.init(image, refined: refined, density: 1)
        locatedAngle = region.angle
    }

    /// The same strip with two columns a pixel.
    ///
    /// Bars that are a pixel wide lose their contrast where columns fall between two pixels.
    /// - Parameter image: the picture that the strip was made of.
    public func finer(_ image: LumaImage) -> LinearStrip {
        LinearStrip(image, refined: region, density: 2)
    }

    private init(_ image: LumaImage, refined region: LinearRegion, density: Int) {
        self.region = region
        locatedAngle = region.angle
        self.density = density
        columns = (Int(region.length * (1 + 2 * Self.margin)) + 16) * density
        rows = max(1, min(Self.maximumRows, Int(region.height)))
        rowStep = region.height / Double(rows)
        values = Self.sample(image, region, columns: columns, rows: rows, rowStep: rowStep, density: density)
        isGood = [Bool](repeating: true, count: rows)
        if rows >= 8 { keepLikeRows() }
    }

    /// Puts another brightness in one place.
    mutating func replace(_ value: Float, _ column: Int, _ row: Int) {
        values[row * columns + column] = value
    }

    /// The point of the picture under a column and a row of the strip.
    public func point(column: Double, row: Double) -> Point {
        region.point((column - Double(columns) / 2) / Double(density), (row - Double(rows) / 2) * rowStep)
    }

    /// The first and the last row that show the bars, one beyond.
    public var rowRange: Range<Int> {
        let first = isGood.firstIndex(of: true) ?? 0
        return first..<(isGood.lastIndex(of: true) ?? rows - 1) + 1
    }

    /// Values in the strip, which is what its making costs.
    public var pixelCount: Int { values.count }

    /// All rows, of which a stacked symbol fills more than those that are alike.
    public var allRows: Range<Int> { 0..<rows }

    /// The mean of the rows that show the bars, of a band of them: 0 is their upper end and 1 their lower.
    public func profile(from: Double, to: Double) -> LinearProfile {
        let range = rowRange
        let first = range.lowerBound + Int(from * Double(range.count))
        let last = min(
            range.upperBound, max(first + 1, range.lowerBound + Int((to * Double(range.count)).rounded(.up))))
        var sum = [Float](repeating: 0, count: columns)
        var count: Float = 0
        for row in first..<last where isGood[row] || last - first < 4 {
            for column in 0..<columns { sum[column] += values[row * columns + column] }
            count += 1
        }
        if count == 0 {
            for row in first..<last {
                for column in 0..<columns { sum[column] += values[row * columns + column] }
            }
            count = Float(last - first)
        }
        return LinearProfile(values: sum.map { $0 / count })
    }

    /// The means of so many bands of all rows, whether or not they look like the others: the rows of a stacked symbol
    /// do not.
    public func layers(_ count: Int) -> [LinearProfile] {
        let count = min(count, rows)
        return (0..<count).map { layer in
            let (first, last) = (layer * rows / count, (layer + 1) * rows / count)
            var sum = [Float](repeating: 0, count: columns)
            for row in first..<last {
                for column in 0..<columns { sum[column] += values[row * columns + column] }
            }
            return LinearProfile(values: sum.map { $0 / Float(last - first) })
        }
    }

    /// The means of so many bands along the bars, one below the other.
    public func bands(_ count: Int) -> [LinearProfile] {
        (0..<count).map { profile(from: Double($0) / Double(count), to: Double($0 + 1) / Double(count)) }
    }

    static func sample(
        _ image: LumaImage, _ region: LinearRegion, columns: Int, rows: Int, rowStep: Double, density: Int = 1
    ) -> [Float] {
        let (a, b) = (region.across, region.along)
        let step = Point(x: a.x / Double(density), y: a.y / Double(density))
        let values = [Float](unsafeUninitializedCapacity: columns * rows) { values, count in
            image.withUnsafePixels { pixels in
                let picture = StripSampler(pixels, of: image)
                for row in 0..<rows {
                    let v = (Double(row) + 0.5 - Double(rows) / 2) * rowStep
                    let u = (0.5 - Double(columns) / 2) / Double(density)
                    let x = Float(region.center.x + u * a.x + v * b.x)
                    let y = Float(region.center.y + u * a.y + v * b.y)
                    let (dx, dy) = (Float(step.x), Float(step.y))
                    let line = UnsafeMutableBufferPointer(rebasing: values[row * columns..<(row + 1) * columns])
                    let inside = picture.inside(x, y, dx: dx, dy: dy, count: columns)
                    if !inside.isEmpty {
                        let start = Float(inside.lowerBound)
                        picture.brightnessInside(
                            x + start * dx, y + start * dy, dx: dx, dy: dy,
                            into: UnsafeMutableBufferPointer(rebasing: line[inside]))
                    }
                    for part in [0..<inside.lowerBound, inside.upperBound..<columns] {
                        for column in part {
                            line[column] = picture.brightness(x + Float(column) * dx, y + Float(column) * dy)
                        }
                    }
                }
            }
            count = columns * rows
        }
        return values
    }

    /// The direction near the region's in which the mean of the rows has the sharpest edges.
    ///
    /// The rows are sampled once: over the few degrees in question, a turn is a shift of each row by its distance from
    /// the middle.
    private static func refinedAngle(_ region: LinearRegion, in image: LumaImage) -> Double {
        // 24 rows at most: enough to feel a slant of a pixel over the height.
        let rows = min(24, Int(region.height))
        let rowStep = 0.8 * region.height / Double(rows)
        let length = Int(region.length)
        // The structure tensor is right within 3 degrees.
        let margin = Int(largestTurn * region.height / 2) + 4
        let columns = length + 2 * margin
        let values = sample(image, region, columns: columns, rows: rows, rowStep: rowStep)
        var sum = [Float](repeating: 0, count: length)

        func sharpness(_ turn: Double) -> Float {
            values.withUnsafeBufferPointer { values in
                sum.withUnsafeMutableBufferPointer { sum in
                    sum.update(repeating: 0)
                    for row in 0..<rows {
                        let v = (Double(row) + 0.5 - Double(rows) / 2) * rowStep
                        let start = Double(margin) - v * turn
                        let whole = start.rounded(.down)
                        let right = Float(start - whole)
                        let left = 1 - right
                        Self.add(
                            UnsafeBufferPointer(rebasing: values[(row * columns + Int(whole))...]), left: left,
                            right: right, to: sum)
                    }
                    var result: Float = 0
                    for column in 1..<max(1, length) {
                        let change = sum[column] - sum[column - 1]
                        result += change * change
                    }
                    return result
                }
            }
        }
        // Steps that move the bars' ends by a pixel. No turn at all is not tried: with no value between two pixels it
        // would seem sharper than its neighbours.
        let step = min(0.02, 1 / region.height)
        let reach = max(1, Int(largestTurn / step))
        let found = (-reach..<reach).map { sharpness((Double($0) + 0.5) * step) }
        guard let best = found.indices.max(by: { found[$0] < found[$1] }) else { return region.angle }
        var place = Double(best)
        if best > 0, best < found.count - 1 {
            // The top of the parabola through the best and its neighbours.
            let (before, after) = (Double(found[best - 1]), Double(found[best + 1]))
            let curve = before - 2 * Double(found[best]) + after
            if curve < 0 { place += 0.5 * (before - after) / curve }
        }
        return region.angle + (place - Double(reach) + 0.5) * step
    }

    /// Adds to each of some sums the value of a line in its place, by `left`, and the next one, by `right`.
    ///
    /// - Precondition: the line has one value more than there are sums.
    @inline(__always)
    private static func add(
        _ line: UnsafeBufferPointer<Float>, left: Float, right: Float, to sums: UnsafeMutableBufferPointer<Float>
    ) {
        guard let target = sums.baseAddress, let source = line.baseAddress, line.count > sums.count else { return }
        var column = 0
        // Eight at once: this is done with each value for each of some twenty directions.
        while column &+ 8 <= sums.count {
            let sum = UnsafeMutableRawPointer(target + column)
            let (one, other) = (
                UnsafeRawPointer(source + column).loadUnaligned(as: SIMD8<Float>.self),
                UnsafeRawPointer(source + (column &+ 1)).loadUnaligned(as: SIMD8<Float>.self)
            )
            sum.storeBytes(
                of: UnsafeRawPointer(sum).loadUnaligned(as: SIMD8<Float>.self) + (left * one + right * other),
                as: SIMD8<Float>.self)
            column &+= 8
        }
        while column < sums.count {
            target[column] += left * source[column] + right * source[column &+ 1]
            column &+= 1
        }
    }

    /// Marks the rows whose changes of brightness are not those of the mean of the middle rows.
    private mutating func keepLikeRows() {
        let reference = profile(from: 0.25, to: 0.75).values
        let likeness = values.withUnsafeBufferPointer { values in
            reference.withUnsafeBufferPointer { reference in
                (0..<rows).map { row -> Float in
                    let line = UnsafeBufferPointer(rebasing: values[row * columns..<(row + 1) * columns])
                    let (product, one, other) = Self.products(line, reference)
                    return product / ((one + 1e-3) * (other + 1e-3)).squareRoot()
                }
            }
        }
        // Half as like as most of them are: noise makes all rows less like the mean, digits and glare only some.
        let typical = likeness.sorted()[rows * 3 / 4]
        isGood = likeness.map { $0 >= 0.6 * typical }
        if !isGood.contains(true) { isGood = [Bool](repeating: true, count: rows) }
    }

    /// The sums of the products of the changes of two lines over two columns, with each other and with themselves.
    ///
    /// - Precondition: the lines are of one length.
    static func products(
        _ one: UnsafeBufferPointer<Float>, _ other: UnsafeBufferPointer<Float>
    ) -> (both: Float, one: Float, other: Float) {
        guard let a = one.baseAddress, let b = other.baseAddress, one.count == other.count else { return (0, 0, 0) }
        func changes(_ line: UnsafePointer<Float>, _ column: Int) -> SIMD8<Float> {
            let here = UnsafeRawPointer(line + column)
            return here.loadUnaligned(as: SIMD8<Float>.self)
                - UnsafeRawPointer(line + (column &- 2)).loadUnaligned(as: SIMD8<Float>.self)
        }
        var sums = (SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>())
        var column = 2
        while column &+ 8 <= one.count {
            let (x, y) = (changes(a, column), changes(b, column))
            sums.0 += x * y
            sums.1 += x * x
            sums.2 += y * y
            column &+= 8
        }
        var result = (both: sums.0.sum(), one: sums.1.sum(), other: sums.2.sum())
        while column < one.count {
            let (x, y) = (a[column] - a[column &- 2], b[column] - b[column &- 2])
            result.both += x * y
            result.one += x * x
            result.other += y * y
            column &+= 1
        }
        return result
    }
}

/// Looks up brightness between the pixels of a picture.
private struct StripSampler {
    private let base: UnsafePointer<UInt8>?
    private let stride: Int
    private let lastX: Int
    private let lastY: Int

    init(_ pixels: UnsafeBufferPointer<UInt8>, of image: LumaImage) {
        base = pixels.baseAddress
        stride = image.bytesPerRow
        lastX = image.width - 1
        lastY = image.height - 1
    }

    /// The columns of a line around which four pixels lie, and a pixel more for rounding.
    func inside(_ x: Float, _ y: Float, dx: Float, dy: Float, count: Int) -> Range<Int> {
        guard base != nil else { return 0..<0 }
        var (first, last): (Float, Float) = (0, Float(count))
        for (start, step, end) in [(x, dx, Float(lastX) - 2), (y, dy, Float(lastY) - 2)] {
            guard abs(step) > 1e-6 else {
                if start < 2 || start > end { return 0..<0 }
                continue
            }
            let (one, two) = ((2 - start) / step, (end - start) / step)
            first = max(first, min(one, two).rounded(.up))
            last = min(last, max(one, two).rounded(.down) + 1)
        }
        return first < last ? Int(first)..<Int(last) : 0..<0
    }

    /// Bilinear along a line that is inside, from a point on in steps: places are counted in parts of 65,536 of a pixel,
    /// shares in parts of 256.
    @inline(__always)
    func brightnessInside(
        _ x: Float, _ y: Float, dx: Float, dy: Float, into line: UnsafeMutableBufferPointer<Float>
    ) {
        guard let base, let first = line.baseAddress else { return }
        var (fixedX, fixedY) = (Int((x - 0.5) * 65536), Int((y - 0.5) * 65536))
        let (stepX, stepY) = (Int((dx * 65536).rounded()), Int((dy * 65536).rounded()))
        // Seven steps that lead seven pixels on are no shorter than this.
        let shortest = 65536 * 6 / 7
        let (isOneEach, isTwoEach) = (stepX >= shortest, 2 * stepX >= shortest && 2 * stepX <= 65536)
        var column = 0
        while column < line.count {
            // Along the rows, as most strips are, eight at a time.
            if isOneEach, column + 8 <= line.count,
                let eight = Self.eight(base, stride, fixedX, fixedY, stepX: stepX, stepY: stepY)
            {
                UnsafeMutableRawPointer(first + column).storeBytes(of: eight, as: SIMD8<Float>.self)
                column += 8
                fixedX &+= 8 &* stepX
                fixedY &+= 8 &* stepY
                continue
            }
            // Two columns a pixel: those between are as far apart.
            if isTwoEach, column + 16 <= line.count,
                let even = Self.eight(base, stride, fixedX, fixedY, stepX: 2 &* stepX, stepY: 2 &* stepY),
                let odd = Self.eight(
                    base, stride, fixedX &+ stepX, fixedY &+ stepY, stepX: 2 &* stepX, stepY: 2 &* stepY)
            {
                var both = SIMD16<Float>()
                both.evenHalf = even
                both.oddHalf = odd
                UnsafeMutableRawPointer(first + column).storeBytes(of: both, as: SIMD16<Float>.self)
                column += 16
                fixedX &+= 16 &* stepX
                fixedY &+= 16 &* stepY
                continue
            }
            let upper = base + ((fixedY >> 16) * stride + (fixedX >> 16))
            let lower = upper + stride
            let (right, below) = (
                Int32(truncatingIfNeeded: fixedX >> 8 & 255), Int32(truncatingIfNeeded: fixedY >> 8 & 255)
            )
            let (one, two) = (Int32(upper[0]), Int32(lower[0]))
            let a = one &<< 8 &+ (Int32(upper[1]) &- one) &* right
            let b = two &<< 8 &+ (Int32(lower[1]) &- two) &* right
            line[column] = Float(a &<< 8 &+ (b &- a) &* below) * (1 / 65536)
            column += 1
            fixedX &+= stepX
            fixedY &+= stepY
        }
    }

    /// Eight values in steps of about a pixel, where each lies a pixel further in the same two rows, or they go on from those
    /// to the next two; nil elsewhere.
    @inline(__always)
    private static func eight(
        _ base: UnsafePointer<UInt8>, _ stride: Int, _ fixedX: Int, _ fixedY: Int, stepX: Int, stepY: Int
    ) -> SIMD8<Float>? {
        let (column, row) = (fixedX >> 16, fixedY >> 16)
        let lastRow = (fixedY &+ 7 &* stepY) >> 16
        let top = min(row, lastRow)
        // No step is longer than a pixel: seven of them that lead seven pixels on are one each.
        guard stepX <= 65536, (fixedX &+ 7 &* stepX) >> 16 == column &+ 7, max(row, lastRow) &- top <= 1 else {
            return nil
        }
        // Named one by one, so that each is one instruction for all: the general conversion is a call.
        func load(_ line: UnsafePointer<UInt8>) -> SIMD8<Float> {
            SIMD8(
                Float(line[0]), Float(line[1]), Float(line[2]), Float(line[3]), Float(line[4]), Float(line[5]),
                Float(line[6]), Float(line[7]))
        }
        func share(_ place: Int, _ step: Int) -> SIMD8<Float> {
            let count = SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7)
            return count * (Float(step) * (1 / 65536)) + Float(place) * (1 / 65536)
        }
        let right = share(fixedX & 65535, stepX &- 65536)
        func across(_ line: UnsafePointer<UInt8>) -> SIMD8<Float> {
            let left = load(line)
            return left + (load(line + 1) - left) * right
        }
        let upper = base + (top * stride + column)
        let below = share(fixedY &- top << 16, stepY)
        let (a, b) = (across(upper), across(upper + stride))
        let value = a + (b - a) * below
        guard row != lastRow else { return value }
        let next = b + (across(upper + 2 * stride) - b) * (below - 1)
        return value.replacing(with: next, where: below .>= 1)
    }

    /// Bilinear between the centres of four pixels; outside, that of the nearest pixel.
    @inline(__always)
    func brightness(_ x: Float, _ y: Float) -> Float {
        guard let base else { return 0 }
        let x = min(max(x - 0.5, 0), Float(lastX))
        let y = min(max(y - 0.5, 0), Float(lastY))
        let (left, top) = (Int(x), Int(y))
        let (fractionX, fractionY) = (x - Float(left), y - Float(top))
        let upper = base + top * stride
        let lower = top < lastY ? upper + stride : upper
        let right = left < lastX ? left + 1 : left
        let a = Float(upper[left]) + (Float(upper[right]) - Float(upper[left])) * fractionX
        let b = Float(lower[left]) + (Float(lower[right]) - Float(lower[left])) * fractionX
        return a + (b - a) * fractionY
    }
}
