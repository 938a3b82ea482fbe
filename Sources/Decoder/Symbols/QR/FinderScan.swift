internal import BarcodeCore

/// Finds finder patterns in a binary image: on any line through the center, the dark and light runs have the ratio
/// 1:1:3:1:1 (ISO/IEC 18004, 6.3.3).
///
/// Rows are scanned run by run. If five runs match, the column through the middle is checked, then the row again,
/// then both diagonals, which texture seldom passes.
///
/// A uniform dark ground is light in the binary image above and to the left of light print (see ``BinaryImage``). The
/// outer ring of a light pattern may therefore continue to the left and upward.
struct FinderScan {
    /// The largest deviation of a run, in quarters of a module: blur or overexposure widens one color at the expense
    /// of the other.
    private static let tolerance = 3
    /// The same from an edge to the next one of the same kind, which such widening does not move apart.
    private static let spreadTolerance = 2
    /// The same along a diagonal.
    private static let diagonalTolerance = 4
    /// The largest ratio of the height of a pattern to its width, or of its width to its height: a tilt of 75 degrees,
    /// or a picture that was stretched into a square.
    private static let largestRatio = 4

    /// The number of patterns after which the scan ends: a sheet of 500 symbols has 1,500.
    private static let maximumPatterns = 8192

    private let image: BinaryImage
    private let rowStep: Int
    private(set) var patterns: [FinderPattern] = []
    /// The height of the largest pattern, in pixels.
    private var largestHeight = 0.0

    /// Scans every `rowStep`th row.
    init(_ image: BinaryImage, rowStep: Int) {
        self.image = image
        self.rowStep = rowStep
        image.pixels.withUnsafeBufferPointer { walk($0) }
    }

    private mutating func walk(_ pixels: UnsafeBufferPointer<UInt8>) {
        guard let base = pixels.baseAddress else { return }
        withUnsafeTemporaryAllocation(of: Int.self, capacity: image.width + 2) { starts in
            for y in stride(from: rowStep / 2, to: image.height, by: rowStep) {
                guard patterns.count < Self.maximumPatterns, !SearchTime.isOver else { return }
                let count = image.runs(ofRow: y, base, into: starts)
                inspect(UnsafeBufferPointer(starts), count: count, y: y, pixels)
            }
        }
    }

    /// Finds five matching runs in a row.
    @inline(__always)
    private mutating func inspect(
        _ starts: UnsafeBufferPointer<Int>, count: Int, y: Int, _ pixels: UnsafeBufferPointer<UInt8>
    ) {
        guard count >= 5, let start = starts.baseAddress else { return }
        func width(_ run: Int) -> Int { start[run &+ 1] &- start[run] }
        let isFirstDark = pixels[y &* image.width] == 1
        // This loop sees every run of the image; most candidates fail at its first comparison.
        for middle in 2..<count &- 2 {
            let widest = width(middle)
            guard widest > width(middle &- 1), widest > width(middle &+ 1) else { continue }
            let isDark = (middle & 1 == 0) == isFirstDark
            var runs = (
                width(middle &- 2), width(middle &- 1), widest, width(middle &+ 1), width(middle &+ 2)
            )
            if !isDark, 2 &* runs.0 > widest { runs.0 = (runs.1 &+ widest &+ runs.3 &+ 2) / 5 }
            guard Self.fits(runs) else { continue }
            let x = Double(start[middle] + start[middle + 1]) / 2
            consider(pixels, x: x, y: y, isDark: isDark, across: Self.total(runs))
        }
    }

    private typealias Runs = (Int, Int, Int, Int, Int)

    private static func total(_ runs: Runs) -> Int { runs.0 + runs.1 + runs.2 + runs.3 + runs.4 }

    /// - Parameter tolerance: the largest deviation, in quarters of a module.
    @inline(__always)
    private static func fits(_ runs: Runs, tolerance: Int = FinderScan.tolerance) -> Bool {
        fitsAsSeen(runs, tolerance: tolerance) || fitsSpread(runs)
    }

    @inline(__always)
    private static func fitsAsSeen(_ runs: Runs, tolerance: Int) -> Bool {
        let sum = total(runs)
        guard sum >= 7 else { return false }
        // Compared as integers, 28 per pixel, because this runs for every third run of an image.
        let slack = tolerance &* sum
        @inline(__always)
        func isNear(_ run: Int) -> Bool { 4 &* abs(7 &* run &- sum) < slack }
        return isNear(runs.0) && isNear(runs.1) && 2 &* abs(7 &* runs.2 &- 3 &* sum) < slack && isNear(runs.3)
            && isNear(runs.4)
    }

    /// Indicates whether runs have the ratio once what the rings of the other color have gained is taken back: in
    /// overexposed pictures, dark rings of a third of a module beside two modules of light.
    ///
    /// From an edge to the next one of the same kind there are two or four modules, however wide the colors are.
    @inline(__always)
    private static func fitsSpread(_ runs: Runs) -> Bool {
        guard runs.1 > 2 &* runs.0, runs.3 > 2 &* runs.4 else { return false }
        let pairs = (runs.0 &+ runs.1, runs.1 &+ runs.2, runs.2 &+ runs.3, runs.3 &+ runs.4)
        let sum = pairs.0 &+ pairs.1 &+ pairs.2 &+ pairs.3
        // Together they are twelve modules.
        @inline(__always)
        func isNear(_ pair: Int, _ modules: Int) -> Bool {
            4 &* abs(12 &* pair &- modules &* sum) < spreadTolerance &* sum
        }
        return sum >= 24 && isNear(pairs.0, 2) && isNear(pairs.1, 4) && isNear(pairs.2, 4) && isNear(pairs.3, 2)
    }

    /// Checks a candidate in the other directions and adds the pattern.
    private mutating func consider(
        _ pixels: UnsafeBufferPointer<UInt8>, x: Double, y: Int, isDark: Bool, across: Int
    ) {
        let tone: UInt8 = isDark ? 1 : 0
        // A known pattern: another row through it needs no more checks.
        for index in patterns.indices.reversed() {
            let pattern = patterns[index]
            // They are in order from top to bottom, each somewhere between its first row and its last.
            if Double(y) - pattern.center.y > 2 * largestHeight { break }
            guard pattern.isInverted == !isDark else { continue }
            if abs(pattern.center.x - x) < pattern.width / 7, abs(pattern.center.y - Double(y)) < pattern.height / 4 {
                patterns[index].crossings += 1
                return
            }
        }
        guard
            // The middle of a pattern is three sevenths as long as all of it, within the tolerance half; a bar is longer.
            let column = cross(
                pixels, x: x, y: Double(y) + 0.5, dx: 0, dy: 1, tone: tone, longest: Self.largestRatio * across / 2),
            let row = cross(pixels, x: x, y: column.center.y, dx: 1, dy: 0, tone: tone),
            let again = cross(pixels, x: row.center.x, y: column.center.y, dx: 0, dy: 1, tone: tone),
            row.length < Double(Self.largestRatio) * again.length,
            again.length < Double(Self.largestRatio) * row.length,
            let falling = cross(pixels, x: row.center.x, y: again.center.y, dx: 1, dy: 1, tone: tone),
            let rising = cross(pixels, x: row.center.x, y: again.center.y, dx: 1, dy: -1, tone: tone)
        else { return }
        // The centers along all four lines must coincide.
        let module = max(row.length, again.length) / 7
        let center = Point(x: row.center.x, y: again.center.y)
        for line in [falling, rising] {
            guard abs(line.center.x - center.x) < 1.5 * module, abs(line.center.y - center.y) < 1.5 * module else {
                return
            }
        }
        var pattern = FinderPattern(
            center: center, width: row.length, height: again.length, isInverted: !isDark, crossings: 1, correlation: 0)
        pattern.correlation = FinderCorrelation.value(of: pattern, in: pixels, width: image.width, height: image.height)
        let isOpen = [row, again, falling, rising].contains(where: \.isOpen)
        guard !isOpen || pattern.correlation >= QRLocator.leastPairCorrelation else { return }
        largestHeight = max(largestHeight, pattern.height)
        patterns.append(pattern)
    }

    /// Measures the five runs along a line through a point: returns their center, their length in steps, and whether
    /// the outer ring is open; `nil` if they do not match.
    ///
    /// - Parameter longest: the largest length of the middle run on either side of the point, in steps.
    private func cross(
        _ pixels: UnsafeBufferPointer<UInt8>, x: Double, y: Double, dx: Int, dy: Int, tone: UInt8,
        longest: Int = .max
    ) -> (center: Point, length: Double, isOpen: Bool)? {
        let x0 = Int(x)
        let y0 = Int(y)
        let (width, height) = (image.width, image.height)
        guard x0 >= 0, x0 < width, y0 >= 0, y0 < height, pixels[y0 * width + x0] == tone else { return nil }

        func side(_ sign: Int) -> SideRuns? {
            // The steps to the edge of the image.
            let left = min(
                dx == 0 ? Int.max : sign * dx > 0 ? width - 1 - x0 : x0,
                dy == 0 ? Int.max : sign * dy > 0 ? height - 1 - y0 : y0)
            return SideRuns(
                pixels, from: y0 * width + x0, stride: sign * (dy * width + dx), left: left, tone: tone,
                longest: longest, mayBeOpen: tone == 0 && (sign * dx < 0 || sign * dy < 0))
        }
        guard let before = side(-1), let after = side(1) else { return nil }
        let runs = (before.outer, before.ring, before.middle + 1 + after.middle, after.ring, after.outer)
        let tolerance = dx != 0 && dy != 0 ? Self.diagonalTolerance : Self.tolerance
        guard Self.fits(runs, tolerance: tolerance) else { return nil }
        // The center of the middle run, because the outer ring may merge with its surroundings.
        let shift = Double(after.middle - before.middle) / 2
        let center = Point(
            x: dx == 0 ? x : Double(x0) + 0.5 + shift * Double(dx),
            y: dy == 0 ? y : Double(y0) + 0.5 + shift * Double(dy))
        return (center, Double(Self.total(runs)), before.isOpen || after.isOpen)
    }
}

/// The lengths of the three runs on one side of a finder pattern's center, in pixels.
private struct SideRuns {
    /// The rest of the middle, without the center itself.
    var middle = 0
    /// The ring of the other tone.
    var ring = 0
    /// The outer ring, which is as wide as the other where it is open.
    var outer = 0
    /// Indicates whether the outer ring runs on into something else.
    var isOpen = false

    /// Counts the runs from a place on; `nil` if they are no part of a finder pattern.
    ///
    /// - Parameters:
    ///   - left: the number of steps to the edge of the image.
    ///   - longest: the largest length of the middle.
    ///   - mayBeOpen: whether the outer ring may run on into something else.
    @inline(__always)
    init?(
        _ pixels: UnsafeBufferPointer<UInt8>, from start: Int, stride: Int, left steps: Int, tone: UInt8,
        longest: Int, mayBeOpen: Bool
    ) {
        var place = start + stride
        var left = steps - 1
        func step() {
            place += stride
            left -= 1
        }
        while left >= 0, pixels[place] == tone {
            middle += 1
            step()
            if middle > longest { return nil }
        }
        guard left >= 0 else { return nil }
        while left >= 0, pixels[place] != tone {
            ring += 1
            step()
            // A ring wider than the middle belongs to another object.
            if ring > 2 * middle + 4 { return nil }
        }
        guard left >= 0 else { return nil }
        while left >= 0, pixels[place] == tone {
            outer += 1
            step()
            if outer > 2 * middle + 4 {
                if mayBeOpen { break }
                return nil
            }
        }
        // Half the middle and the ring inside are two and a half modules.
        if mayBeOpen, outer > middle + 1 { (outer, isOpen) = ((2 * (middle + ring) + 3) / 5, true) }
    }
}
