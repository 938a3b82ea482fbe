internal import BarcodeCore

/// Finds finder patterns in a binary image by the square in their middle, also where something touches the rings
/// around it or has damaged them.
///
/// ``FinderScan`` follows the rings along four lines and refuses a pattern without a quiet zone on a dark ground, or
/// with a gap in its outer ring on one of these lines. Here only the square must be whole; of the rings, most modules
/// must be right.
struct FinderSquareScan {
    /// The smallest width of a square in pixels: texture has many smaller ones, and damaged modules of one pixel are not
    /// readable.
    private static let smallestSquare = 4
    /// The smallest correlation of the modules with those of a finder pattern, which allows for a few damaged ones.
    ///
    /// An outer ring without its four corners leaves 0.84, one without a whole side 0.74, without two 0.58.
    private static let leastCorrelation = 0.6
    /// The fewest of the four sides on which the outer ring is where it belongs; most squares of print, such as dots,
    /// stand alone.
    private static let fewestSides = 3
    /// The number of patterns after which the scan ends, and the number of the best ones that are kept: those of eight
    /// symbols.
    private static let maximumPatterns = 512
    private static let mostPatterns = 24

    private let image: BinaryImage
    private(set) var patterns: [FinderPattern] = []

    /// Scans every `rowStep`th row.
    init(_ image: BinaryImage, rowStep: Int) {
        self.image = image
        image.pixels.withUnsafeBufferPointer { walk($0, rowStep) }
        // Texture has hundreds, less like a finder pattern than real ones.
        patterns = Array(patterns.sorted { $0.correlation > $1.correlation }.prefix(Self.mostPatterns))
    }

    private mutating func walk(_ pixels: UnsafeBufferPointer<UInt8>, _ rowStep: Int) {
        guard let base = pixels.baseAddress else { return }
        withUnsafeTemporaryAllocation(of: Int.self, capacity: image.width + 2) { starts in
            for y in stride(from: rowStep / 2, to: image.height, by: rowStep) {
                guard patterns.count < Self.maximumPatterns, !SearchTime.isOver else { return }
                let count = image.runs(ofRow: y, base, into: starts)
                guard count >= 3 else { continue }
                for run in 1..<count - 1 {
                    let square = starts[run + 1] - starts[run]
                    let (left, right) = (starts[run] - starts[run - 1], starts[run + 2] - starts[run + 1])
                    // The light ring is a module wide, a third of the square; blur and ink spread may halve it. On
                    // one side at least it must end in the outer ring.
                    guard square >= Self.smallestSquare, 6 * left >= square, 6 * right >= square,
                        3 * min(left, right) <= 2 * square
                    else { continue }
                    consider(pixels, x: (starts[run] + starts[run + 1]) / 2, y: y, square: square, rowStep: rowStep)
                }
            }
        }
    }

    private mutating func consider(
        _ pixels: UnsafeBufferPointer<UInt8>, x: Int, y: Int, square: Int, rowStep: Int
    ) {
        // A tilted square may be two and a half times as high as wide, or as wide as high.
        let longest = 3 * square
        let column = Lengths(pixels, image, x: x, y: y, dx: 0, dy: 1, longest: longest)
        guard 5 * column.square >= 2 * square, 2 * column.square <= 5 * square,
            // Each square is measured once, in its middle row.
            abs(column.before - column.after) <= rowStep
        else { return }
        let row = Lengths(pixels, image, x: x, y: y, dx: 1, dy: 0, longest: longest)
        guard row.ringsThatEnd + column.ringsThatEnd >= Self.fewestSides else { return }
        let center = Point(x: Double(x) + 0.5, y: Double(y) + 0.5 + Double(column.after - column.before) / 2)
        let isDark = pixels[y * image.width + x] == 1
        guard
            !patterns.contains(where: {
                $0.isInverted == !isDark && abs($0.center.x - center.x) < $0.width / 7
                    && abs($0.center.y - center.y) < $0.height / 7
            })
        else { return }
        var pattern = FinderPattern(
            center: center, width: row.pattern, height: column.pattern, isInverted: !isDark, crossings: 1,
            correlation: 0)
        pattern.correlation = FinderCorrelation.value(of: pattern, in: pixels, width: image.width, height: image.height)
        if pattern.correlation >= Self.leastCorrelation { patterns.append(pattern) }
    }
}

/// The lengths of the square of a finder pattern and of the light ring around it, along a line through its middle, in
/// pixels.
private struct Lengths {
    /// The parts of the square before and behind the middle.
    var before = 0
    var after = 0
    /// The light runs on both sides.
    private var ringBefore = 0
    private var ringAfter = 0

    var square: Int { before + after + 1 }

    /// The length of all seven modules.
    ///
    /// Square and ring together are five modules, whatever ink spread adds to one at the expense of the other; a ring
    /// that something has widened does not count.
    var pattern: Double {
        func width(_ ring: Int) -> Double { ends(ring) ? Double(ring) : Double(square) / 3 }
        return (width(ringBefore) + Double(square) + width(ringAfter)) * 7 / 5
    }

    /// The number of sides, none to two, on which something dark is where the outer ring belongs.
    var ringsThatEnd: Int { (ends(ringBefore) ? 1 : 0) + (ends(ringAfter) ? 1 : 0) }

    private func ends(_ ring: Int) -> Bool { 3 * ring <= 2 * square }

    /// Measures from a point on, at most `longest` pixels of the square and of each ring.
    init(
        _ pixels: UnsafeBufferPointer<UInt8>, _ image: BinaryImage, x: Int, y: Int, dx: Int, dy: Int, longest: Int
    ) {
        let start = y * image.width + x
        let tone = pixels[start]
        func walk(_ stride: Int, _ steps: Int) -> (square: Int, ring: Int) {
            var place = start + stride
            let end = start + stride * steps
            var count = 0
            while place != end, count < longest, pixels[place] == tone {
                count += 1
                place += stride
            }
            let square = count
            while place != end, count < square + longest, pixels[place] != tone {
                count += 1
                place += stride
            }
            return (square, count - square)
        }
        let stride = dy * image.width + dx
        (before, ringBefore) = walk(-stride, dx == 0 ? y + 1 : x + 1)
        (after, ringAfter) = walk(stride, dx == 0 ? image.height - y : image.width - x)
    }
}
