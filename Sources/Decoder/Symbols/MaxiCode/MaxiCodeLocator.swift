public import BarcodeCore

/// Locates MaxiCode bull's-eyes: three dark rings of equal width around a light center, or the same inverted.
///
/// A line through the center has eleven runs, whatever its angle: five of a ring's width, a wider one, and five more.
/// The first and the last may be longer, because dark modules touch the outermost ring. Rows are scanned run by run.
/// If eleven runs fit, the column through the middle is checked, then the row again, then both diagonals. Source:
/// ISO/IEC 16023, 4.2.1.1; the scan is that for the finder patterns of QR Code.
public struct MaxiCodeLocator: Sendable {
    /// A candidate bull's-eye.
    public struct Bullseye: Sendable, Hashable {
        /// The center of the rings in pixels, accurate to a quarter of a ring's width.
        public var center: Point
        /// The corners, in pixels, of a parallelogram whose sides touch the outermost ring at their midpoints; its
        /// rotation is arbitrary.
        public var corners: Quadrilateral
        /// Indicates whether the rings are light on dark.
        public var isInverted: Bool
        /// The largest radius of the outermost ring, in pixels.
        public var radius: Double
    }

    /// The maximum number of bull's-eyes in a picture: several for each of 100 symbols.
    private static let maximumCount = 400
    /// The minimum diameter up to the outermost ring in pixels: two pixels a ring.
    private static let smallestAcross = 16
    /// The ratio of the outermost ring's radius to that of its inner edge, which no module touches.
    private static let outermostRadius = 1.21

    /// The bull's-eyes, from top to bottom.
    public private(set) var bullseyes: [Bullseye] = []

    private let image: BinaryImage

    /// Searches for bull's-eyes.
    ///
    /// - Parameter rowStep: the distance between scanned rows in pixels; the light center is one module high.
    public init(_ image: BinaryImage, rowStep: Int) {
        self.image = image
        image.pixels.withUnsafeBufferPointer { walk($0, rowStep: max(1, rowStep)) }
    }

    private mutating func walk(_ pixels: UnsafeBufferPointer<UInt8>, rowStep: Int) {
        guard let base = pixels.baseAddress else { return }
        withUnsafeTemporaryAllocation(of: Int.self, capacity: image.width + 2) { starts in
            for y in stride(from: rowStep / 2, to: image.height, by: rowStep) {
                guard !SearchTime.isOver else { return }
                let count = image.runs(ofRow: y, base, into: starts)
                guard count >= 11 else { continue }
                inspect(UnsafeBufferPointer(starts), count: count, y: y, pixels)
            }
        }
    }

    /// Searches a row for the eleven runs of a bull's-eye.
    @inline(__always)
    private mutating func inspect(
        _ starts: UnsafeBufferPointer<Int>, count: Int, y: Int, _ pixels: UnsafeBufferPointer<UInt8>
    ) {
        for middle in 5..<count - 5 {
            let center = starts[middle + 1] - starts[middle]
            let before = starts[middle] - starts[middle - 1]
            let after = starts[middle + 2] - starts[middle + 1]
            // This rejects nearly all texture and text.
            guard 5 * before > center, before < 2 * center, 5 * after > center, after < 2 * center,
                starts[middle + 5] - starts[middle - 4] >= Self.smallestAcross
            else { continue }
            // The next rings are between 0.4 and 1.7 times the mean, half a pixel more or less.
            let (second, third) = (
                starts[middle - 1] - starts[middle - 2], starts[middle + 3] - starts[middle + 2]
            )
            guard max(before, after, second, third) * 4 <= 17 * min(before, after, second, third) + 11,
                BullseyeRuns(starts, middle: middle).isRegular, bullseyes.count < Self.maximumCount
            else { continue }
            consider(
                pixels, x: Double(starts[middle] + starts[middle + 1]) / 2, y: y,
                across: starts[middle + 5] - starts[middle - 4], tone: pixels[y * image.width + starts[middle]])
        }
    }

    /// Verifies a candidate in the other directions and records the bull's-eye.
    private mutating func consider(
        _ pixels: UnsafeBufferPointer<UInt8>, x: Double, y: Int, across: Int, tone: UInt8
    ) {
        // Up to three times as high as wide, plus two rings.
        let limit = 2 * across
        guard !isKnown(Point(x: x, y: Double(y) + 0.5), tone: tone),
            let column = cross(pixels, Point(x: x, y: Double(y) + 0.5), dx: 0, dy: 1, tone: tone, limit: limit),
            let row = cross(pixels, column.center, dx: 1, dy: 0, tone: tone, limit: limit),
            let again = cross(pixels, row.center, dx: 0, dy: 1, tone: tone, limit: limit)
        else { return }
        let center = Point(x: row.center.x, y: again.center.y)
        guard !isKnown(center, tone: tone), let falling = cross(pixels, center, dx: 1, dy: 1, tone: tone, limit: limit),
            let rising = cross(pixels, center, dx: 1, dy: -1, tone: tone, limit: limit),
            let ellipse = Ellipse(
                across: row.radius, down: again.radius, falling: falling.radius, rising: rising.radius)
        else { return }
        // The four lines must have the same middle.
        let ring = min(row.radius, again.radius) / 6.5
        for line in [row, again, falling, rising] {
            guard abs(line.center.x - center.x) < 1.5 * ring, abs(line.center.y - center.y) < 1.5 * ring else { return }
        }
        bullseyes.append(
            Bullseye(
                center: center, corners: ellipse.corners(around: center), isInverted: tone == 1,
                radius: max(row.radius, again.radius, falling.radius, rising.radius)))
    }

    /// True if a bull's-eye was already found less than a ring's width away.
    ///
    /// A bull's-eye farther away is another candidate: beside the center, a row may see the arc of a ring in the
    /// middle of others, and the modules around may continue like rings.
    private func isKnown(_ point: Point, tone: UInt8) -> Bool {
        bullseyes.contains {
            let (right, down) = ($0.center.x - point.x, $0.center.y - point.y)
            return $0.isInverted == (tone == 1) && 36 * (right * right + down * down) < $0.radius * $0.radius
        }
    }

    /// Measures the eleven runs along a line through a point of the center.
    ///
    /// Returns the midpoint and the outermost ring's radius, both from the inner edge of that ring; `nil` if the runs
    /// are not those of a bull's-eye or exceed `limit` steps.
    private func cross(
        _ pixels: UnsafeBufferPointer<UInt8>, _ point: Point, dx: Int, dy: Int, tone: UInt8, limit: Int
    ) -> (center: Point, radius: Double)? {
        let (x0, y0) = (Int(point.x), Int(point.y))
        guard x0 >= 0, x0 < image.width, y0 >= 0, y0 < image.height, pixels[y0 * image.width + x0] == tone else {
            return nil
        }
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: 12) { starts in
            // The point itself belongs to the center, and is counted once.
            guard
                ends(pixels, x0, y0, dx: -dx, dy: -dy, tone: tone, limit: limit, note: { starts[5 - $0] = 1 - $1 }),
                ends(pixels, x0, y0, dx: dx, dy: dy, tone: tone, limit: limit, note: { starts[6 + $0] = $1 }),
                BullseyeRuns(UnsafeBufferPointer(starts), middle: 5).isRegular
            else { return nil }
            let shift = Double(starts[10] + starts[1] - 1) / 2
            let length = dx != 0 && dy != 0 ? 2.0.squareRoot() : 1
            return (
                Point(
                    x: dx == 0 ? point.x : Double(x0) + 0.5 + shift * Double(dx),
                    y: dy == 0 ? point.y : Double(y0) + 0.5 + shift * Double(dy)),
                Double(starts[10] - starts[1]) / 2 * length * Self.outermostRadius
            )
        }
    }

    /// Passes to `note` the number of steps from a point to the end of each of the six runs on one side; the last run
    /// may be cut off after two rings.
    ///
    /// Returns false if the picture or the limit ends before.
    @inline(__always)
    private func ends(
        _ pixels: UnsafeBufferPointer<UInt8>, _ x0: Int, _ y0: Int, dx: Int, dy: Int, tone: UInt8, limit: Int,
        note: (Int, Int) -> Void
    ) -> Bool {
        let (width, height) = (image.width, image.height)
        let left = min(
            limit, dx == 0 ? Int.max : dx > 0 ? width - 1 - x0 : x0, dy == 0 ? Int.max : dy > 0 ? height - 1 - y0 : y0)
        var place = y0 * width + x0
        var current = tone
        var (count, first, last) = (0, 0, 0)
        var longest = limit / 4
        var step = 1
        while step <= left {
            place += dy * width + dx
            // A run much longer than the previous ones belongs to something else, except for the last.
            if step - last > longest {
                if count == 5 { note(5, step) }
                return count == 5
            }
            if pixels[place] != current {
                note(count, step)
                count += 1
                if count == 6 { return true }
                if count == 1 {
                    first = step
                    longest = 3 * (first + 2)
                }
                if count == 5 { longest = (step - first) / 2 }
                last = step
                current ^= 1
            }
            step += 1
        }
        return false
    }
}

/// Eleven runs of a line, the sixth of which may be the center of a bull's-eye.
private struct BullseyeRuns {
    private let starts: UnsafeBufferPointer<Int>
    private let middle: Int

    /// - Precondition: `middle` has five complete runs before it and five after it.
    init(_ starts: UnsafeBufferPointer<Int>, middle: Int) {
        self.starts = starts
        self.middle = middle
    }

    private func width(_ run: Int) -> Double { Double(starts[run + 1] - starts[run]) }

    /// True if the rings have equal width and the center is half to four times as wide.
    ///
    /// The standard has 1.5; the centers of printed symbols and of encoders in use have 0.9 to 3.5. Ink spreads, and
    /// a line off the center crosses the inner rings obliquely.
    var isRegular: Bool {
        let center = width(middle)
        let ring = (Double(starts[middle + 5] - starts[middle - 4]) - center) / 8
        let (least, most) = (0.4 * ring - 0.5, 1.7 * ring + 0.5)
        guard center > 0.5 * ring, center < 4.2 * ring else { return false }
        for run in 1...4 {
            let (before, after) = (width(middle - run), width(middle + run))
            guard before > least, before < most, after > least, after < most else { return false }
        }
        guard width(middle - 5) > least, width(middle + 5) > least else { return false }
        // Perspective makes the nearer side larger, but not by much within a bull's-eye.
        let (before, after) = (
            Double(starts[middle] - starts[middle - 4]), Double(starts[middle + 5] - starts[middle + 1])
        )
        return before < 1.4 * after + 1 && after < 1.4 * before + 1
    }
}

/// An ellipse around the origin: a x² + 2 b x y + c y² = 1.
private struct Ellipse {
    private let a, b, c: Double

    /// The ellipse with the given radii along a row, a column and both diagonals; `nil` if there is none, as for an
    /// upright square.
    init?(across: Double, down: Double, falling: Double, rising: Double) {
        guard across > 0, down > 0, falling > 0, rising > 0 else { return nil }
        let (first, second) = (1 / (falling * falling), 1 / (rising * rising))
        a = 1 / (across * across)
        c = 1 / (down * down)
        b = (first - second) / 2
        let ratio = (first + second) / (a + c)
        guard ratio > 0.75, ratio < 1.34, a * c - b * b > 0.05 * a * c else { return nil }
    }

    /// Returns a parallelogram whose sides touch the ellipse at their midpoints.
    func corners(around center: Point) -> Quadrilateral {
        // The square root of the inverse of the matrix maps the unit circle to the ellipse.
        let determinant = a * c - b * b
        let root = 1 / determinant.squareRoot()
        let scale = ((a + c) / determinant + 2 * root).squareRoot()
        let (p, q, r) = ((c / determinant + root) / scale, -b / determinant / scale, (a / determinant + root) / scale)
        func corner(_ x: Double, _ y: Double) -> Point {
            Point(x: center.x + p * x + q * y, y: center.y + q * x + r * y)
        }
        return Quadrilateral(
            topLeft: corner(-1, -1), topRight: corner(1, -1), bottomRight: corner(1, 1), bottomLeft: corner(-1, 1))
    }
}
