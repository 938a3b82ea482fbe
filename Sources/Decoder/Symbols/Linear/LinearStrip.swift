public import BarcodeCore
internal import Glibc

/// A straightened region of bars: columns run across the bars, rows along them, at most a pixel of the image apart.
///
/// First the direction is refined, until the mean of the rows has the sharpest edges. Then rows of bars are
/// separated from those of digits, labels and glare.
public struct LinearStrip: Sendable {
    /// The margin of the strip at either end, as a share of the region's length: the quiet zone of an EAN is 7 to 11
    /// of 95 modules, and the region may be a block too short.
    private static let margin = 0.16
    /// The largest number of rows that are sampled; more do not improve the mean.
    private static let maximumRows = 96

    /// The largest error of a region's direction, in radians: 3 degrees.
    static let largestTurn = 0.05
    /// The smallest and largest side in pixels: smaller strips have no bars, and no image is larger.
    private static let smallestSide = 1.0
    static let largestSide = 40_000.0

    /// The region, with its direction refined and its height measured.
    public private(set) var region: LinearRegion
    /// The direction of the region before the refinement, in radians.
    private(set) var locatedAngle: Double
    let columns: Int
    let rows: Int
    /// The distance between two rows, in pixels.
    let rowStep: Double
    /// The number of columns per pixel.
    let density: Int
    /// The brightness, row by row.
    private(set) var values: [Float]
    /// The columns of the middle row that lie in the image, if those outside were filled with paper; else `nil`.
    var seenColumns: Range<Int>?
    /// True for the rows that show the bars.
    private var isGood: [Bool] = []

    /// Straightens a region of `image`; `nil` if its size or location is invalid.
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

    /// Returns the strip with two columns per pixel.
    ///
    /// Bars one pixel wide lose their contrast if columns fall between two pixels.
    ///
    /// - Parameter image: the image from which the strip was made.
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

    /// Replaces the brightness at one column and row.
    mutating func replace(_ value: Float, _ column: Int, _ row: Int) {
        values[row * columns + column] = value
    }

    /// Returns the point of the image at a column and a row of the strip.
    public func point(column: Double, row: Double) -> Point {
        region.point((column - Double(columns) / 2) / Double(density), (row - Double(rows) / 2) * rowStep)
    }

    /// The range from the first to the last row that shows the bars.
    public var rowRange: Range<Int> {
        let first = isGood.firstIndex(of: true) ?? 0
        return first..<(isGood.lastIndex(of: true) ?? rows - 1) + 1
    }

    /// The number of values in the strip, a measure of its cost.
    public var pixelCount: Int { values.count }

    /// All rows.
    ///
    /// A stacked symbol fills more of them than those that are alike.
    public var allRows: Range<Int> { 0..<rows }

    /// Returns the mean of the rows that show the bars between two relative heights: 0 is their upper end, 1 their
    /// lower end.
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

    /// Returns the means of `count` bands of all rows, whether or not they look like the others: those of a stacked
    /// symbol do not.
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

    /// Returns the means of `count` bands of the rows that show the bars, from top to bottom.
    public func bands(_ count: Int) -> [LinearProfile] {
        (0..<count).map { profile(from: Double($0) / Double(count), to: Double($0 + 1) / Double(count)) }
    }

    /// Returns the brightness in rows of a region, row by row.
    ///
    /// - Parameter place: the distance of the middle of the rows from the center of the region, in pixels along the
    ///   bars.
    static func sample(
        _ image: LumaImage, _ region: LinearRegion, columns: Int, rows: Int, rowStep: Double, density: Int = 1,
        at place: Double = 0
    ) -> [Float] {
        let (a, b) = (region.across, region.along)
        let values = [Float](unsafeUninitializedCapacity: columns * rows) { values, count in
            image.withUnsafePixels { pixels in
                let picture = StripSampler(pixels, of: image)
                for row in 0..<rows {
                    let v = place + (Double(row) + 0.5 - Double(rows) / 2) * rowStep
                    let step = (a * (1 + region.spread * v) + b * region.shear) * (1 / Double(density))
                    let start = region.center + step * (0.5 - Double(columns) / 2) + b * v
                    let (x, y) = (Float(start.x), Float(start.y))
                    let (dx, dy) = (Float(step.x), Float(step.y))
                    let line = UnsafeMutableBufferPointer(rebasing: values[row * columns..<(row + 1) * columns])
                    let inside = picture.inside(x, y, dx: dx, dy: dy, count: columns)
                    if !inside.isEmpty {
                        let first = Float(inside.lowerBound)
                        picture.brightnessInside(
                            x + first * dx, y + first * dy, dx: dx, dy: dy,
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

    /// Returns the direction near the region's at which the mean of the rows has the sharpest edges, in radians.
    ///
    /// The rows are sampled only once: over a few degrees, a rotation shifts each row by its distance from the
    /// middle.
    ///
    /// - Parameter largestTurn: the largest error of the region's direction, in radians.
    static func refinedAngle(
        _ region: LinearRegion, in image: LumaImage, largestTurn: Double = largestTurn
    ) -> Double {
        // At most 24 rows: enough to detect a slant of one pixel over the height.
        let rows = min(24, Int(region.height))
        let rowStep = 0.8 * region.height / Double(rows)
        let length = Int(region.length)
        // The structure tensor is accurate within 3 degrees.
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
        // Steps that move the ends of the bars by one pixel. An angle of exactly zero is not tried: without
        // interpolation it would seem sharper than its neighbors.
        let step = min(0.02, 1 / region.height)
        let reach = max(1, Int(largestTurn / step))
        let found = (-reach..<reach).map { sharpness((Double($0) + 0.5) * step) }
        guard let best = found.indices.max(by: { found[$0] < found[$1] }) else { return region.angle }
        var place = Double(best)
        if best > 0, best < found.count - 1 {
            // The vertex of the parabola through the best value and its neighbors.
            let (before, after) = (Double(found[best - 1]), Double(found[best + 1]))
            let curve = before - 2 * Double(found[best]) + after
            if curve < 0 { place += 0.5 * (before - after) / curve }
        }
        return region.angle + (place - Double(reach) + 0.5) * step
    }

    /// Adds to each sum the value of the line at its index, weighted by `left`, and the next one, weighted by
    /// `right`.
    ///
    /// - Precondition: the line has one value more than there are sums.
    @inline(__always)
    private static func add(
        _ line: UnsafeBufferPointer<Float>, left: Float, right: Float, to sums: UnsafeMutableBufferPointer<Float>
    ) {
        guard let target = sums.baseAddress, let source = line.baseAddress, line.count > sums.count else { return }
        var column = 0
        // Eight at once, because this runs for each value in each of some twenty directions.
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

    /// Marks the rows that correlate with the mean of the middle rows.
    private mutating func keepLikeRows() {
        let reference = profile(from: 0.25, to: 0.75).values
        let correlations = values.withUnsafeBufferPointer { values in
            reference.withUnsafeBufferPointer { reference in
                (0..<rows).map { row -> Float in
                    let line = UnsafeBufferPointer(rebasing: values[row * columns..<(row + 1) * columns])
                    let (product, one, other) = Self.products(line, reference)
                    return product / ((one + 1e-3) * (other + 1e-3)).squareRoot()
                }
            }
        }
        // The limit is relative to a typical row: noise lowers the correlation of all rows, digits and glare only
        // that of some.
        let typical = correlations.sorted()[rows * 3 / 4]
        isGood = correlations.map { $0 >= 0.6 * typical }
        if !isGood.contains(true) { isGood = [Bool](repeating: true, count: rows) }
    }

    /// Returns the sums of the products of the changes of two lines over two columns, with each other and with
    /// themselves.
    ///
    /// - Precondition: the lines have the same length.
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

/// Interpolates the brightness between the pixels of an image.
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

    /// Returns the columns of a line that have four surrounding pixels, with one more pixel as a margin for
    /// rounding.
    ///
    /// A step may be longer than a pixel, or zero, if bars spread. With sides of at most ``LinearStrip/largestSide``
    /// coordinates stay below 2^18, where a `Float` is exact within a thirtieth of a pixel.
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

    /// Samples the brightness bilinearly along a line inside the image.
    ///
    /// Coordinates have 16 fractional bits, weights 8.
    @inline(__always)
    func brightnessInside(
        _ x: Float, _ y: Float, dx: Float, dy: Float, into line: UnsafeMutableBufferPointer<Float>
    ) {
        guard let base, let first = line.baseAddress else { return }
        var (fixedX, fixedY) = (Int((x - 0.5) * 65536), Int((y - 0.5) * 65536))
        let (stepX, stepY) = (Int((dx * 65536).rounded()), Int((dy * 65536).rounded()))
        // Seven steps that advance seven pixels are at least this long.
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
            // Two columns per pixel: the even and the odd ones are each a pixel apart.
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

    /// Returns eight values in steps of about a pixel, if each lies in the next pixel of the same two rows, or they
    /// cross into the row below or above once; else `nil`.
    @inline(__always)
    private static func eight(
        _ base: UnsafePointer<UInt8>, _ stride: Int, _ fixedX: Int, _ fixedY: Int, stepX: Int, stepY: Int
    ) -> SIMD8<Float>? {
        let (column, row) = (fixedX >> 16, fixedY >> 16)
        let lastRow = (fixedY &+ 7 &* stepY) >> 16
        let top = min(row, lastRow)
        // No step is longer than a pixel, so seven steps that advance seven pixels advance one pixel each.
        guard stepX <= 65536, (fixedX &+ 7 &* stepX) >> 16 == column &+ 7, max(row, lastRow) &- top <= 1 else {
            return nil
        }
        // Converted one by one, which becomes a single vector instruction; the general conversion is a function
        // call.
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

    /// Returns the bilinear interpolation between the centers of four pixels; outside, the brightness of the nearest
    /// pixel.
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
