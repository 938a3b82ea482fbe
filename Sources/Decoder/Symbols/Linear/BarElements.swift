/// The bars and spaces of one scan line across a symbol, as the positions of the edges between them.
///
/// The first and the last element are bars, so elements with even indices are bars.
struct BarElements {
    /// The start of each element and the end of the last one, in samples of the profile, ascending.
    private(set) var edges: [Float]
    /// The width of each element, in samples of the profile.
    private(set) var widths: [Float]
    /// The widths of the spaces before the first bar and after the last one, in samples of the profile.
    private(set) var quiet: (before: Float, after: Float)
    /// True if the line is read from its end to its start.
    private(set) var isReversed = false

    /// Creates the elements between edges, the first of which begins a bar; `nil` if there are too few for any
    /// symbol.
    ///
    /// - Parameters:
    ///   - length: the length of the profile, in samples.
    ///   - fewestEdges: the number of edges of the shortest symbol to find.
    init?(edges: [Float], length: Float, fewestEdges: Int = Self.fewestEdges) {
        guard edges.count >= max(2, fewestEdges) else { return nil }
        self.edges = edges
        widths = zip(edges.dropFirst(), edges).map { $0 - $1 }
        quiet = (edges[0], length - edges[edges.count - 1])
    }

    /// Creates the elements of a line with its edges moved.
    init(_ edges: [Float], quiet: (before: Float, after: Float), of line: BarElements) {
        self.edges = edges
        widths = zip(edges.dropFirst(), edges).map { $0 - $1 }
        self.quiet = quiet
        isReversed = line.isReversed
    }

    /// The number of edges of the shortest symbol that is read by default, half a DataBar: two characters of 8
    /// elements, a finder pattern of 5 and two guards.
    static let fewestEdges = 24

    /// The same line, read from its other end.
    var reversed: BarElements {
        var result = self
        let length = edges[edges.count - 1] + quiet.after
        result.edges = edges.reversed().map { length - $0 }
        result.widths.reverse()
        result.quiet = (quiet.after, quiet.before)
        result.isReversed.toggle()
        return result
    }

    /// Returns the width of a range of elements, in samples.
    func width(_ range: Range<Int>) -> Float { edges[range.upperBound] - edges[range.lowerBound] }

    /// Returns the width of a symbol in narrow elements.
    ///
    /// - Parameter narrow: the width of a narrow element in the first and in the last character, in samples.
    func modules(_ range: Range<Int>, narrow: (Float, Float)) -> Int {
        Int((2 * width(range) / max(narrow.0 + narrow.1, .leastNormalMagnitude)).rounded())
    }

    /// Returns the width of the space before the bar at index `place`, in samples.
    func space(before place: Int) -> Float { place > 0 ? widths[place - 1] : quiet.before }

    /// Returns the width of the space at index `place`, which may be the one after the last bar, in samples.
    func space(at place: Int) -> Float { place < widths.count ? widths[place] : quiet.after }

    /// The smallest space between a symbol and the line of a frame, in modules.
    private static let frameGap: Float = 0.75
    /// The light, or dark, required of the line of a frame, in modules: more than any element of a symbol has.
    private static let frameMargin: Float = 5

    /// Indicates whether the bar at `place` may begin a symbol: it has a quiet zone before it, or the line of a frame
    /// or the dark ground of a label.
    ///
    /// A line of a frame is one bar with light beyond it. A frame is as good as a quiet zone for a symbology of which no
    /// part looks like a whole symbol.
    func isClear(before place: Int, quiet modules: Float, module: Float) -> Bool {
        let space = space(before: place)
        if space >= modules * module { return true }
        guard place > 1, space >= Self.frameGap * module else { return false }
        return max(self.space(before: place - 2), widths[place - 2]) >= Self.frameMargin * module
    }

    /// Indicates whether the bar before the space at index `place` may end a symbol, as ``isClear(before:quiet:module:)``
    /// does for its beginning.
    func isClear(at place: Int, quiet modules: Float, module: Float) -> Bool {
        let space = space(at: place)
        if space >= modules * module { return true }
        guard place < widths.count, space >= Self.frameGap * module else { return false }
        return max(self.space(at: place + 2), widths[place + 1]) >= Self.frameMargin * module
    }

    /// Returns the range of some elements in the original profile, in samples, independent of the reading direction.
    func place(of range: Range<Int>) -> Range<Double> {
        let (first, last) = (Double(edges[range.lowerBound]), Double(edges[range.upperBound]))
        guard isReversed else { return first..<last }
        let length = Double(edges[edges.count - 1] + quiet.after)
        return length - last..<length - first
    }

    /// Reads symbols one after the other.
    ///
    /// Tries each bar from the first on; after a symbol, continues behind it.
    ///
    /// - Parameters:
    ///   - elements: the number of elements of the shortest symbol.
    ///   - read: reads the symbol that begins with the bar at `start`; returns it with the index of the next bar to
    ///     try.
    func symbols(
        ofAtLeast elements: Int, read: (_ start: Int) -> (LineReading, end: Int)?
    ) -> [LineReading] {
        var result: [LineReading] = []
        var place = 0
        while place + elements <= widths.count {
            if let (reading, end) = read(place) {
                result.append(reading)
                place = end
            } else {
                place += 2
            }
        }
        return result
    }
}
