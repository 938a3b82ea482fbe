/// How wide narrow and wide elements are in some characters of a symbology that has no others.
///
/// Bars and spaces are told apart on their own, because ink widens the ones and narrows the others; and only some
/// characters are taken together, because a symbol that is seen from the side shrinks towards one end.
struct TwoWidths {
    /// How much wider a wide element may be than a narrow one: the standards have 2 to 3, blur brings them nearer, and
    /// thin ink lets bars alone seem to have 4.
    private static let ratios: ClosedRange<Float> = 1.5...4.5
    /// How far an element's width must be from the middle of wide and narrow, as a share of half their difference.
    private static let smallestMargin: Float = 0.04
    /// How far it may be beyond the mean of its kind, in the same measure.
    private static let largestExcess: Float = 1.6
    /// Widths that differ by less, as a factor, are of one kind.
    private static let alike: Float = 1.35

    private let bars: (narrow: Float, wide: Float)
    private let spaces: (narrow: Float, wide: Float)

    /// How wide a narrow element is, bars and spaces in the mean.
    var narrow: Float { (bars.narrow + spaces.narrow) / 2 }

    /// Nil where the elements have no two widths.
    ///
    /// - Parameters:
    ///   - starts: the first element of each character, a bar; what lies between them is not looked at.
    ///   - size: elements of a character.
    init?(_ line: BarElements, characters starts: [Int], size: Int) {
        // Both kinds of some characters of ten elements at most: this runs for every place of every line.
        let means = withUnsafeTemporaryAllocation(of: Float.self, capacity: starts.count * size) { widths in
            func means(_ first: Int) -> (narrow: Float, wide: Float)? {
                var count = 0
                for start in starts {
                    for place in stride(from: start + first, to: start + size, by: 2) {
                        widths[count] = line.widths[place]
                        count += 1
                    }
                }
                return Self.means(UnsafeBufferPointer(rebasing: widths[..<count]))
            }
            return (bars: means(0), spaces: means(1))
        }
        guard let bars = means.bars else { return nil }
        self.bars = bars
        // A character such as + in Codabar has no wide space: then spaces are measured by the bars.
        spaces = means.spaces ?? bars
        guard Self.ratios.contains((bars.wide + spaces.wide) / (bars.narrow + spaces.narrow)) else { return nil }
    }

    /// The means of the narrow and of the wide ones; nil where all are alike.
    private static func means(_ widths: UnsafeBufferPointer<Float>) -> (narrow: Float, wide: Float)? {
        guard let least = widths.min(), let most = widths.max(), most > alike * least else { return nil }
        var (narrow, wide) = (least, most)
        for _ in 0..<4 {
            let limit = (narrow + wide) / 2
            var (sums, counts): ((Float, Float), (Float, Float)) = ((0, 0), (0, 0))
            for width in widths {
                if width < limit {
                    sums.0 += width
                    counts.0 += 1
                } else {
                    sums.1 += width
                    counts.1 += 1
                }
            }
            guard counts.0 > 0, counts.1 > 0 else { return nil }
            (narrow, wide) = (sums.0 / counts.0, sums.1 / counts.1)
        }
        return wide > alike * narrow ? (narrow, wide) : nil
    }

    /// The elements from `start` on as bits, 1 for a wide one, every `step`th; nil where one is neither.
    func bits(_ line: BarElements, _ start: Int, count: Int, step: Int = 1) -> Int? {
        guard start + (count - 1) * step < line.widths.count else { return nil }
        var bits = 0
        for place in stride(from: start, through: start + (count - 1) * step, by: step) {
            let two = place % 2 == 0 ? bars : spaces
            // Where in between, -1 for narrow and 1 for wide.
            let position = 2 * (line.widths[place] - two.narrow) / (two.wide - two.narrow) - 1
            guard abs(position) >= Self.smallestMargin, abs(position) <= 1 + Self.largestExcess else { return nil }
            bits = bits * 2 + (position > 0 ? 1 : 0)
        }
        return bits
    }

    /// Characters before one that are looked at together with it.
    private static let characters = 2

    /// The elements of the character at `start` as bits, by what the characters just before have, or for the first one
    /// by what the next has.
    ///
    /// - Parameters:
    ///   - first: where the symbol's first character begins.
    ///   - size: elements of a character.
    ///   - stride: elements from one character to the next.
    ///   - isAlone: whether the character is measured by itself.
    static func bits(
        _ line: BarElements, at start: Int, first: Int, size: Int, stride: Int, isAlone: Bool = false
    ) -> (bits: Int, widths: TwoWidths)? {
        guard start + size <= line.widths.count else { return nil }
        var starts = [start]
        guard !isAlone else {
            guard let widths = TwoWidths(line, characters: starts, size: size),
                let bits = widths.bits(line, start, count: size)
            else { return nil }
            return (bits, widths)
        }
        if start == first, start + stride + size <= line.widths.count { starts.append(start + stride) }
        var other = start - stride
        while other >= first, starts.count <= characters {
            starts.append(other)
            other -= stride
        }
        guard let widths = TwoWidths(line, characters: starts, size: size),
            let bits = widths.bits(line, start, count: size)
        else { return nil }
        return (bits, widths)
    }
}
