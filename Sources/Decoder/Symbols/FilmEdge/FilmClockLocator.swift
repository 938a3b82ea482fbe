public import BarcodeCore

/// Locates the clock track of the DX code on the edge of a 35 mm film.
///
/// The track is a bar of five modules, bars and spaces of one, and a bar of three. It is two or three modules high
/// and 31 or 23 long, so that a row or a column of the picture crosses all of it only if the film lies along it, to
/// within four degrees.
public struct FilmClockLocator: Sendable {
    /// A clock track found on a row or a column.
    public struct Clock: Sendable {
        /// The start in pixels: the outer edge of the bar of five modules.
        public var start: Point
        /// The end in pixels: the outer edge of the bar of three modules.
        public var end: Point
        /// The length in modules: 31, or 23 if the symbol has no frame number.
        public var modules: Int
    }

    /// The clocks, one for each line that shows one.
    public private(set) var clocks: [Clock] = []

    private static let sizes = [31, 23]
    /// The modules of the two wide bars.
    private static let ends: (first: Float, last: Float) = (5, 3)
    /// The minimum ratio of the first bar to each of the next two runs: less than five, because of blur.
    private static let leastRatio: Int32 = 3
    /// The maximum number of clocks.
    private static let most = 400

    init() {}

    /// Searches every `step`th row of a picture, and as many columns.
    public init(_ image: BinaryImage, step: Int) {
        RunLines.rows(image, step: step) { examine($0, isRow: true) }
        RunLines.columns(image, isSparse: step > 4) { examine($0, isRow: false) }
    }

    /// Searches a line for clocks.
    mutating func examine(_ line: RunLines.Line, isRow: Bool) {
        Self.examine(line) { first, last, modules in
            guard clocks.count < Self.most else { return }
            let across = Double(line.number) + 0.5
            let (start, end) = (Double(first), Double(last))
            clocks.append(
                Clock(
                    start: isRow ? Point(x: start, y: across) : Point(x: across, y: start),
                    end: isRow ? Point(x: end, y: across) : Point(x: across, y: end), modules: modules))
        }
    }

    private static func examine(_ line: RunLines.Line, _ add: (Int32, Int32, Int) -> Void) {
        let starts = line.starts
        let runs = starts.count - 1
        guard runs > 16 else { return }
        // From the first dark run: a clock has bars at both ends.
        for index in stride(from: line.isFirstDark ? 0 : 1, to: runs, by: 2) {
            let wide = starts[index + 1] - starts[index]
            guard wide >= 5 else { continue }
            if index + 16 < runs, isNarrow(starts[index + 2] - starts[index + 1], wide),
                isNarrow(starts[index + 3] - starts[index + 2], wide)
            {
                compare(starts, index, isForward: true, add)
            }
            if index >= 16, isNarrow(starts[index] - starts[index - 1], wide),
                isNarrow(starts[index - 1] - starts[index - 2], wide)
            {
                compare(starts, index, isForward: false, add)
            }
        }
    }

    private static func isNarrow(_ run: Int32, _ wide: Int32) -> Bool { leastRatio * run <= wide + 2 }

    private static func compare(
        _ starts: UnsafeBufferPointer<Int32>, _ index: Int, isForward: Bool, _ add: (Int32, Int32, Int) -> Void
    ) {
        for size in sizes {
            let elements = size - Int(ends.first + ends.last) + 2
            let far = isForward ? index + elements : index + 1 - elements
            guard far >= 0, far < starts.count else { continue }
            let (first, last) = (starts[isForward ? index : index + 1], starts[far])
            let module = Float(abs(last - first)) / Float(size)
            let slack = 0.5 * module + 0.7
            func width(_ element: Int) -> Float {
                let place = isForward ? index + element : index - element
                return Float(starts[place + 1] - starts[place])
            }
            guard module >= 1, abs(width(0) - ends.first * module) <= 2 * slack,
                abs(width(elements - 1) - ends.last * module) <= 2 * slack,
                (1..<elements - 1).allSatisfy({ abs(width($0) - module) <= slack })
            else { continue }
            add(first, last, size)
            return
        }
    }
}
