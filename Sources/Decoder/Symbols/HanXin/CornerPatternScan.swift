internal import BarcodeCore

/// Finds the finder patterns of Han Xin symbols on lines.
///
/// From the core outward, dark and light are as 3 : 1 : 1 : 1 : 1 on every line through its center that crosses the
/// bows, whatever the angle of the line (ISO/IEC 20830, 4.3.2). The bows cover a quarter of all directions, so that
/// either a row or a column through the core crosses them.
struct CornerPatternScan {
    /// The maximum number of patterns.
    private static let maximumPatterns = 96
    /// The minimum width in pixels of the three modules of a core; anything smaller is texture.
    private static let smallestCore = 4

    private let image: BinaryImage
    private let isRow: Bool
    private(set) var patterns: [CornerPattern] = []

    /// Creates a scan of rows or of columns.
    ///
    /// - Parameter known: patterns already found, which precede the new ones.
    init(_ image: BinaryImage, isRow: Bool, known: [CornerPattern] = []) {
        self.image = image
        self.isRow = isRow
        patterns = known
    }

    /// Searches a line for patterns.
    ///
    /// Two neighboring runs together are two modules, or four if one is the core, whatever the print gain. The scan
    /// looks for three such pairs of similar length, preceded or followed by one of twice the length.
    mutating func examine(_ line: RunLines.Line) {
        let starts = line.starts
        let runs = starts.count - 1
        guard runs >= 6, let start = starts.baseAddress else { return }
        var alike = 0
        var before = start[2] &- start[0]
        var last = 2
        while last < runs {
            let pair = start[last &+ 1] &- start[last &- 1]
            if 3 &* abs(pair &- before) <= min(pair, before) &+ 3 {
                alike &+= 1
                // The third similar pair; the core is the first run of the pair before them.
                if alike == 2, last >= 5, Self.fits(start + (last &- 4), isCoreFirst: true) {
                    consider(line, from: start[last &- 4], to: start[last &- 3], sign: 1, index: last &- 4)
                }
            } else {
                if alike >= 2, Self.fits(start + (last &- 4), isCoreFirst: false) {
                    consider(line, from: start[last], to: start[last &+ 1], sign: -1, index: last)
                }
                alike = 0
            }
            before = pair
            last &+= 1
        }
    }

    /// True if five runs match the core and the adjacent bows, within a quarter of two modules and a pixel.
    @inline(__always)
    private static func fits(_ start: UnsafePointer<Int32>, isCoreFirst: Bool) -> Bool {
        let total = start[5] &- start[0]
        func isNear(_ width: Int32, modules: Int32) -> Bool {
            2 &* abs(7 &* width &- modules &* total) <= total &+ 14
        }
        // The core and the adjacent light run are four modules, the other pairs two.
        let pairs = (start[2] &- start[0], start[3] &- start[1], start[4] &- start[2], start[5] &- start[3])
        return isNear(pairs.0, modules: isCoreFirst ? 4 : 2) && isNear(pairs.1, modules: 2)
            && isNear(pairs.2, modules: 2) && isNear(pairs.3, modules: isCoreFirst ? 2 : 4)
    }

    /// Verifies a core in the other directions and records the pattern.
    ///
    /// - Parameter sign: the side of the core on which the bows are, along the line.
    @inline(never)
    private mutating func consider(_ line: RunLines.Line, from: Int32, to: Int32, sign: Int, index: Int) {
        let tone: UInt8 = line.isFirstDark == (index % 2 == 0) ? 1 : 0
        let (middle, length) = ((Int(from) + Int(to)) / 2, Int(to - from))
        guard length >= Self.smallestCore, patterns.count < Self.maximumPatterns else { return }
        let isRow = isRow
        let (width, height) = (image.width, image.height)
        let found = image.pixels.withUnsafeBufferPointer { buffer -> CornerPattern? in
            guard let pixels = buffer.baseAddress else { return nil }
            let look = CornerPatternCheck(pixels: pixels, width: width, height: height, tone: tone)
            return look.pattern(
                isRow ? (middle, line.number) : (line.number, middle), isRow: isRow, length: length,
                quarter: (isRow ? 0 : 1) + (sign > 0 ? 0 : 2))
        }
        guard let found else { return }
        // Several lines cross the same core.
        let known = patterns.firstIndex {
            $0.isInverted == found.isInverted && abs($0.center.x - found.center.x) < $0.width / 2
                && abs($0.center.y - found.center.y) < $0.width / 2
        }
        guard let known else { return patterns.append(found) }
        if found.modulesSeen > patterns[known].modulesSeen { patterns[known] = found }
    }
}
