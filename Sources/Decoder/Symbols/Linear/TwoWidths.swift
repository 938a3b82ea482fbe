/// The widths of narrow and wide elements in some characters of a symbology that has only these two.
///
/// Bars and spaces have separate widths, because ink spread widens bars and narrows spaces. Only a few characters
/// are measured together, because a symbol seen at an angle shrinks towards one end.
struct TwoWidths {
    /// The allowed ratio of a wide to a narrow element: the standards have 2 to 3, blur lowers it, and thin ink may
    /// raise that of the bars to 4.
    private static let ratios: ClosedRange<Float> = 1.5...4.5
    /// The smallest distance of an element's width from the mean of wide and narrow, as a share of half their
    /// difference.
    private static let smallestMargin: Float = 0.04
    /// The largest distance beyond the mean of its kind, as the same share.
    private static let largestExcess: Float = 1.6
    /// The ratio below which two widths are of one kind.
    private static let alike: Float = 1.35

    private let bars: (narrow: Float, wide: Float)
    private let spaces: (narrow: Float, wide: Float)

    /// The mean width of a narrow element, of bars and spaces.
    var narrow: Float { (bars.narrow + spaces.narrow) / 2 }

    /// Measures the elements of some characters; `nil` if they do not have two widths.
    ///
    /// - Parameters:
    ///   - line: the elements of the line.
    ///   - starts: the index of the first element of each character, a bar; elements between characters are ignored.
    ///   - size: the number of elements of a character.
    init?(_ line: BarElements, characters starts: [Int], size: Int) {
        // Allocated on the stack, because this runs at every index of every line.
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
        // A character such as + in Codabar has no wide space; then the widths of the bars apply.
        spaces = means.spaces ?? bars
        guard Self.ratios.contains((bars.wide + spaces.wide) / (bars.narrow + spaces.narrow)) else { return nil }
    }

    /// Returns the mean widths of the narrow and of the wide elements (k-means); `nil` if all are alike.
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

    /// Returns every `step`th element from `start` on as bits, 1 for a wide one; `nil` if one is neither narrow nor
    /// wide.
    func bits(_ line: BarElements, _ start: Int, count: Int, step: Int = 1) -> Int? {
        guard start + (count - 1) * step < line.widths.count else { return nil }
        var bits = 0
        for place in stride(from: start, through: start + (count - 1) * step, by: step) {
            let two = place % 2 == 0 ? bars : spaces
            // Relative width: -1 for narrow and 1 for wide.
            let position = 2 * (line.widths[place] - two.narrow) / (two.wide - two.narrow) - 1
            guard abs(position) >= Self.smallestMargin, abs(position) <= 1 + Self.largestExcess else { return nil }
            bits = bits * 2 + (position > 0 ? 1 : 0)
        }
        return bits
    }

    /// The number of preceding characters that are measured together with a character.
    private static let characters = 2

    /// Returns the elements of the character at `start` as bits, measured with the characters just before; the first
    /// one with the character after it.
    ///
    /// `nil` if an element is neither narrow nor wide.
    ///
    /// - Parameters:
    ///   - line: the elements of the line.
    ///   - start: the index of the first element of the character.
    ///   - first: the index of the first element of the symbol's first character.
    ///   - size: the number of elements of a character.
    ///   - stride: the number of elements from one character to the next.
    ///   - isAlone: true if the character is measured alone.
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
