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
    private let widths: [[Float]]

    /// - Parameter patterns: the widths of the elements, a digit each, first a bar.
    init(_ patterns: [String]) {
        widths = patterns.map { $0.utf8.map { Float($0 - 0x30) } }
        elements = widths[0].count
        modules = Int(widths[0].reduce(0, +))
    }

    /// The character that fits the elements from `start` on best.
    ///
    /// - Parameters:
    ///   - growth: by how much bars were wider in the characters before, in modules.
    ///   - indices: the characters that are thought of; nil for all.
    func best(_ line: BarElements, at start: Int, growth: Float, among indices: Range<Int>? = nil) -> Match {
        let unit = line.width(start..<start + elements) / Float(modules)
        let measured = (0..<elements).map { line.widths[start + $0] / unit }
        let count = Float(elements)
        var best = Match(index: 0, misfit: .infinity, growth: growth)
        for index in indices ?? widths.indices {
            var square: Float = 0
            var difference: Float = 0
            widths[index].withUnsafeBufferPointer { pattern in
                for element in 0..<elements {
                    let rest = measured[element] - pattern[element]
                    square += rest * rest
                    difference += element % 2 == 0 ? rest : -rest
                }
            }
            // The growth that leaves least, held near that of the characters before.
            let own = (difference + Self.steadiness * growth) / (count + Self.steadiness)
            let change = own - growth
            let rest = square - 2 * own * difference + count * own * own + Self.steadiness * change * change
            if rest < best.misfit * count { best = Match(index: index, misfit: rest / count, growth: own) }
        }
        return best
    }
}
