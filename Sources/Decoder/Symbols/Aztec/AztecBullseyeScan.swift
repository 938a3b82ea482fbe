internal import BarcodeCore

/// Finds the bull's-eyes of Aztec symbols in a binary image: all runs along a line through the center have the same
/// length, at any angle of the line (ISO/IEC 24778, "Finder pattern").
///
/// Two neighboring runs together are two modules long, even if one tone has bled into the other, so the sums of pairs
/// are compared. The scan goes through rows run by run. If seven runs fit (three rings and the center), it checks the
/// column through the middle, then the row again, then both diagonals.
struct AztecBullseyeScan {
    /// The number of modules across the three rings that both kinds of bull's-eye have.
    private static let modules = 7.0
    /// The number of runs across the three rings.
    private static let runCount = 7
    /// The number of patterns after which the scan stops.
    ///
    /// The pixels of a screen or the weave of a cloth make as many, and disappear in a smaller image. The modules of
    /// the largest symbol make some dozens by chance.
    private static let maximumPatterns = 512

    private let image: BinaryImage
    private(set) var patterns: [FinderPattern] = []
    /// The height of the largest pattern, in pixels.
    private var largestHeight = 0.0

    /// Scans every `rowStep`th row.
    init(_ image: BinaryImage, rowStep: Int) {
        self.image = image
        guard image.width > Self.runCount, image.height > Self.runCount else { return }
        image.pixels.withUnsafeBufferPointer { walk($0, rowStep: rowStep) }
    }

    private mutating func walk(_ pixels: UnsafeBufferPointer<UInt8>, rowStep: Int) {
        guard let base = pixels.baseAddress else { return }
        withUnsafeTemporaryAllocation(of: Int.self, capacity: image.width + 2) { starts in
            for y in stride(from: rowStep / 2, to: image.height, by: rowStep) {
                guard !SearchTime.isOver else { return }
                let count = image.runs(ofRow: y, base, into: starts)
                // There is one more ring on either side.
                guard count >= Self.runCount + 2 else { continue }
                guard patterns.count < Self.maximumPatterns else { return }
                inspect(UnsafeBufferPointer(starts), count: count, y: y, pixels)
            }
        }
    }

    /// Looks for seven runs of equal length in a row.
    @inline(__always)
    private mutating func inspect(
        _ starts: UnsafeBufferPointer<Int>, count: Int, y: Int, _ pixels: UnsafeBufferPointer<UInt8>
    ) {
        guard let start = starts.baseAddress else { return }
        // Counts consecutive pairs of runs that match the pair before. This loop sees every run of the image.
        var alike = 0
        var before = start[2] &- start[0]
        var last = 2
        while last < count {
            let pair = start[last &+ 1] &- start[last &- 1]
            let difference = pair &- before
            let least = min(pair, before)
            before = pair
            if 3 &* abs(difference) > least &+ 3 {
                alike = 0
            } else {
                alike &+= 1
                if alike >= Self.runCount - 2, last >= Self.runCount, last < count - 1 {
                    inspect(starts, last: last, y: y, pixels)
                }
            }
            last &+= 1
        }
    }

    /// Checks the seven runs that end at `last`, after their neighbors were found to be alike.
    @inline(never)
    private mutating func inspect(
        _ starts: UnsafeBufferPointer<Int>, last: Int, y: Int, _ pixels: UnsafeBufferPointer<UInt8>
    ) {
        let first = last + 1 - Self.runCount
        var (least, most) = (Int.max, 0)
        for run in first..<last {
            let pair = starts[run + 2] - starts[run]
            least = min(least, pair)
            most = max(most, pair)
        }
        let middle = first + Self.runCount / 2
        let center = starts[middle + 1] - starts[middle]
        // Noise has runs of one and of two pixels; a symbol with modules of one pixel has only runs of one. The next
        // ring may merge with something else, but is seldom thinner than the center.
        guard Self.areAlike(least, most), least > 2 || most == 2,
            2 * (starts[first] - starts[first - 1]) + 2 >= center,
            2 * (starts[last + 2] - starts[last + 1]) + 2 >= center
        else { return }
        consider(
            pixels, x: Double(starts[middle] + starts[middle + 1]) / 2, y: y,
            width: starts[last + 1] - starts[first], isDark: pixels[y * image.width + starts[middle]] == 1)
    }

    /// Indicates whether two lengths of two modules each can belong to one pattern: they differ by at most a third and
    /// a pixel.
    @inline(__always)
    private static func areAlike(_ one: Int, _ other: Int) -> Bool {
        3 * abs(one - other) <= min(one, other) + 3
    }

    /// A looser comparison for diagonals, along which blur rounds the corners.
    private static func areRoughlyAlike(_ one: Int, _ other: Int) -> Bool {
        3 * max(one, other) <= 5 * min(one, other) + 6
    }

    /// Checks a candidate in the other directions and adds it to the patterns.
    private mutating func consider(
        _ pixels: UnsafeBufferPointer<UInt8>, x: Double, y: Int, width: Int, isDark: Bool
    ) {
        // Another row through a known pattern needs no more checks.
        for index in patterns.indices.reversed() {
            let pattern = patterns[index]
            // Patterns are in order from top to bottom, each added at some row within its height.
            if Double(y) - pattern.center.y > 2 * largestHeight { break }
            if abs(pattern.center.x - x) < pattern.width / 2, abs(pattern.center.y - Double(y)) < pattern.height / 2 {
                patterns[index].crossings += 1
                return
            }
        }
        // A row through the middle of a tilted pattern may be half as long as a column, or twice as long.
        let longest = 3 * width / Self.runCount + 2
        let tone: UInt8 = isDark ? 1 : 0
        guard
            let column = cross(pixels, x: x, y: Double(y) + 0.5, dx: 0, dy: 1, tone, longest),
            let row = cross(pixels, x: x, y: column.center.y, dx: 1, dy: 0, tone, longest),
            let again = cross(pixels, x: row.center.x, y: column.center.y, dx: 0, dy: 1, tone, longest)
        else { return }
        let center = Point(x: row.center.x, y: again.center.y)
        let module = max(row.length, again.length) / Self.modules
        for dy in [1, -1] {
            guard let line = cross(pixels, x: center.x, y: center.y, dx: 1, dy: dy, tone, 2 * longest),
                abs(line.center.x - center.x) < 1.5 * module, abs(line.center.y - center.y) < 1.5 * module
            else { return }
        }
        largestHeight = max(largestHeight, again.length)
        patterns.append(
            FinderPattern(
                center: center, width: row.length, height: again.length, isInverted: !isDark, crossings: 1,
                correlation: 1)
        )
    }

    /// Measures the seven runs along a line through a point.
    ///
    /// - Parameter longest: the largest number of steps in a run.
    /// - Returns: the middle of the center run in pixels, and the length of all runs in steps. `nil` if the runs do
    ///   not match a bull's-eye.
    private func cross(
        _ pixels: UnsafeBufferPointer<UInt8>, x: Double, y: Double, dx: Int, dy: Int, _ tone: UInt8, _ longest: Int
    ) -> (center: Point, length: Double)? {
        let x0 = Int(x)
        let y0 = Int(y)
        let (width, height) = (image.width, image.height)
        guard x0 >= 0, x0 < width, y0 >= 0, y0 < height, pixels[y0 * width + x0] == tone else { return nil }

        /// Measures the rest of the center run and the three rings on one side.
        func side(_ sign: Int) -> (Int, Int, Int, Int)? {
            var place = y0 * width + x0
            let stride = sign * (dy * width + dx)
            // The number of steps to the edge of the image.
            var left = min(
                dx == 0 ? Int.max : sign * dx > 0 ? width - 1 - x0 : x0,
                dy == 0 ? Int.max : sign * dy > 0 ? height - 1 - y0 : y0)
            func run(_ tone: UInt8) -> Int? {
                var count = 0
                while left > 0, pixels[place + stride] == tone {
                    count += 1
                    place += stride
                    left -= 1
                    if count > longest { return nil }
                }
                // The length of a run that reaches the edge of the image is unknown.
                return left > 0 ? count : nil
            }
            guard let middle = run(tone), let first = run(1 - tone), let second = run(tone), let third = run(1 - tone)
            else { return nil }
            return (middle, first, second, third)
        }
        guard let before = side(-1), let after = side(1) else { return nil }
        let middle = before.0 + 1 + after.0
        let pairs = (
            before.3 + before.2, before.2 + before.1, before.1 + middle, middle + after.1, after.1 + after.2,
            after.2 + after.3
        )
        let least = min(min(pairs.0, pairs.1, pairs.2), min(pairs.3, pairs.4, pairs.5))
        let most = max(max(pairs.0, pairs.1, pairs.2), max(pairs.3, pairs.4, pairs.5))
        guard dx != 0 && dy != 0 ? Self.areRoughlyAlike(least, most) : Self.areAlike(least, most) else { return nil }
        let shift = Double(after.0 - before.0) / 2
        let center = Point(
            x: dx == 0 ? x : Double(x0) + 0.5 + shift * Double(dx),
            y: dy == 0 ? y : Double(y0) + 0.5 + shift * Double(dy))
        return (center, Double(pairs.0 + pairs.2 + after.1 + pairs.5))
    }
}
