/// The characters of a symbology whose elements are whole modules wide; all have the same number of elements and
/// modules.
struct ModularPatterns {
    /// A character that fits some elements.
    struct Match {
        /// The index of the character.
        var index: Int
        /// The residual of the fit: the mean square of an element, in modules.
        var misfit: Float
        /// The width that bars gain and spaces lose by ink spread, in modules.
        var growth: Float
    }

    /// The weight of a change of the growth from one character to the next, in elements.
    ///
    /// Ink spread and threshold widen all bars of a line equally, but blur widens narrow ones more.
    private static let steadiness: Float = 3

    /// The number of elements of a character.
    let elements: Int
    /// The number of modules of a character.
    let modules: Int
    /// The widths of each character, one element a lane; unused lanes are zero.
    private let widths: [SIMD8<Float>]
    /// 1 for bars, -1 for spaces, 0 for unused lanes.
    private let signs: SIMD8<Float>

    /// - Parameter patterns: the widths of at most eight elements as digits, beginning with a bar.
    init(_ patterns: [String]) {
        elements = patterns[0].utf8.count
        widths = patterns.map { pattern in
            var lanes = SIMD8<Float>()
            for (place, digit) in pattern.utf8.enumerated() { lanes[place] = Float(digit - 0x30) }
            return lanes
        }
        modules = Int(widths[0].sum())
        var signs = SIMD8<Float>()
        for place in 0..<elements { signs[place] = place % 2 == 0 ? 1 : -1 }
        self.signs = signs
    }

    /// Returns the character that best fits the elements from `start` on.
    ///
    /// - Parameters:
    ///   - line: the elements of the line.
    ///   - start: the index of the first element.
    ///   - growth: the growth of the bars in the characters before, in modules.
    ///   - indices: the characters to consider; `nil` for all.
    func best(_ line: BarElements, at start: Int, growth: Float, among indices: Range<Int>? = nil) -> Match {
        let unit = line.width(start..<start + elements) / Float(modules)
        var measured = SIMD8<Float>()
        for element in 0..<elements { measured[element] = line.widths[start + element] / unit }
        let count = Float(elements)
        var best = Match(index: 0, misfit: .infinity, growth: growth)
        for index in indices ?? widths.indices {
            let rests = measured - widths[index]
            let square = (rests * rests).sum()
            let difference = (rests * signs).sum()
            // The growth with the least residual, weighted towards that of the characters before.
            let own = (difference + Self.steadiness * growth) / (count + Self.steadiness)
            let change = own - growth
            let rest = square - 2 * own * difference + count * own * own + Self.steadiness * change * change
            if rest < best.misfit * count { best = Match(index: index, misfit: rest / count, growth: own) }
        }
        return best
    }
}
