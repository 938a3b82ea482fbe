/// The characters of a symbology whose elements are whole modules wide, each with as many elements and modules.
struct ModularPatterns {
    /// A character that fits some elements.
    struct Match {
        /// The number of the character.
        var index: Int
        /// What is left of the widths unexplained: the mean square of an element, in modules.
        var misfit: Float
        /// By how much bars are wider than their modules and spaces narrower, in modules.
        var growth: Float
    }

    /// How much a change of the growth of bars from one character to the next counts, in elements.
    ///
    /// Ink and threshold widen the bars of a line alike, but blur widens narrow ones more.
    private static let steadiness: Float = 3

    /// Elements of a character.
    let elements: Int
    /// Modules of a character.
    let modules: Int
    /// The widths of each character, an element a lane; the lanes behind the last element are zero.
    private let widths: [SIMD8<Float>]
    /// 1 for bars, -1 for spaces, 0 for what is no element.
    private let signs: SIMD8<Float>

    /// - Parameter patterns: the widths of the elements, a digit each, first a bar; eight of them at most.
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

    /// The character that fits the elements from `start` on best.
    ///
    /// - Parameters:
    ///   - growth: by how much bars were wider in the characters before, in modules.
    ///   - indices: the characters that are thought of; nil for all.
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
            // The growth that leaves least, held near that of the characters before.
            let own = (difference + Self.steadiness * growth) / (count + Self.steadiness)
            let change = own - growth
            let rest = square - 2 * own * difference + count * own * own + Self.steadiness * change * change
            if rest < best.misfit * count { best = Match(index: index, misfit: rest / count, growth: own) }
        }
        return best
    }
}
