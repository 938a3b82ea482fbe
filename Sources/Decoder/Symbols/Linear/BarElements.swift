/// The bars and spaces of one line across a symbol, as the places of the edges between them.
///
/// The first element is a bar and so is the last: elements at even places are bars.
struct BarElements {
    /// Where each element begins and the last one ends, in values of the profile, from the first bar on.
    private(set) var edges: [Float]
    /// How wide each element is, in values of the profile.
    private(set) var widths: [Float]
    /// Values of the profile before the first bar and behind the last.
    private(set) var quiet: (before: Float, after: Float)
    /// Whether the line was turned around.
    private(set) var isReversed = false

    /// The elements between edges that begin with a bar; nil where there are too few for any symbol.
    ///
    /// - Parameters:
    ///   - length: values of the profile.
    ///   - fewestEdges: edges of the shortest symbol that is looked for.
    init?(edges: [Float], length: Float, fewestEdges: Int = Self.fewestEdges) {
        guard edges.count >= max(2, fewestEdges) else { return nil }
        self.edges = edges
        widths = zip(edges.dropFirst(), edges).map { $0 - $1 }
        quiet = (edges[0], length - edges[edges.count - 1])
    }

    /// Edges of the shortest symbol that is read without being chosen, a DataBar's half: two characters of 8, a finder of 5, two guards.
    static let fewestEdges = 24

    /// The same line read from its other end.
    var reversed: BarElements {
        var result = self
        let length = edges[edges.count - 1] + quiet.after
        result.edges = edges.reversed().map { length - $0 }
        result.widths.reverse()
        result.quiet = (quiet.after, quiet.before)
        result.isReversed.toggle()
        return result
    }

    /// How wide some elements are together.
    func width(_ range: Range<Int>) -> Float { edges[range.upperBound] - edges[range.lowerBound] }

    /// How wide the space before the bar at `place` is.
    func space(before place: Int) -> Float { place > 0 ? widths[place - 1] : quiet.before }

    /// How wide the space behind the element before `place` is.
    func space(at place: Int) -> Float { place < widths.count ? widths[place] : quiet.after }

    /// Where some elements begin and end in the profile as it was given, whichever way it was read.
    func place(of range: Range<Int>) -> Range<Double> {
        let (first, last) = (Double(edges[range.lowerBound]), Double(edges[range.upperBound]))
        guard isReversed else { return first..<last }
        let length = Double(edges[edges.count - 1] + quiet.after)
        return length - last..<length - first
    }

    /// Reads one symbol after the other: at each bar from the first on, then behind the symbol that was read there.
    ///
    /// - Parameters:
    ///   - elements: elements of the shortest symbol.
    ///   - read: reads the symbol that begins with a bar; returns it with the first element behind it.
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
