internal import BarcodeCore

/// Reads Code 128 from the widths of its elements.
///
/// Source: ISO/IEC 15417.
package enum Code128 {
    /// The widths of the elements of each character in modules, one digit each, beginning with a bar: values 0 to
    /// 102, the three start characters, and the stop character without its last bar.
    package static let characters = """
        212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222
        123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321
        232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121
        313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224
        111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111
        111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113
        114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 233111
        """.split(whereSeparator: \.isWhitespace).map(String.init)
    static let patterns = ModularPatterns(characters)

    private static let starts = 103..<106
    private static let stop = 106
    /// The largest mean square deviation of the elements of a character, in modules: a third of a module for each
    /// element.
    private static let largestMisfit: Float = 0.11
    /// The largest ratio of the widths of neighboring characters.
    private static let largestStretch: Float = 1.25
    /// The required quiet zone, in modules; the standard has 10, but labels are trimmed.
    private static let quietModules: Float = 3

    /// Returns the symbols on the line, in its direction.
    static func read(_ line: BarElements) -> [LineReading] {
        let flat = line.symbols(ofAtLeast: patterns.elements * 4 + 1) { read(line, from: $0, shownBy: line) }
        guard flat.isEmpty else { return flat }
        return line.symbols(ofAtLeast: patterns.elements * 4 + 1) { start in
            line.withEqualCharacters(
                from: start, size: patterns.elements, modules: Float(patterns.modules), quiet: quietModules
            )
            .flatMap { read($0, from: start, shownBy: line) }
        }
    }

    /// - Parameter original: the line on which the elements were found.
    private static func read(
        _ line: BarElements, from start: Int, shownBy original: BarElements
    ) -> (LineReading, end: Int)? {
        let size = patterns.elements
        var module = line.width(start..<start + size) / Float(patterns.modules)
        guard line.isClear(before: start, quiet: quietModules, module: module) else { return nil }
        let first = patterns.best(line, at: start, growth: 0, among: starts)
        guard first.misfit <= largestMisfit else { return nil }
        var values = [first.index]
        var growth = first.growth
        var place = start + size
        while place + size < line.widths.count {
            let next = line.width(place..<place + size) / Float(patterns.modules)
            guard max(next, module) <= largestStretch * min(next, module) else { return nil }
            module = next
            let match = patterns.best(line, at: place, growth: growth)
            guard match.misfit <= largestMisfit else { return nil }
            growth = match.growth
            place += size
            if match.index == stop { break }
            guard !starts.contains(match.index) else { return nil }
            values.append(match.index)
        }
        // Required: start, one character of data, the check character, and the stop character with its last bar of
        // two modules.
        guard place < line.widths.count, values.count >= 3,
            patterns.best(line, at: place - size, growth: growth).index == stop,
            abs(line.widths[place] / module - growth - 2) < 0.8,
            line.isClear(at: place + 1, quiet: quietModules, module: module)
        else { return nil }
        let sum = values.dropLast().enumerated().reduce(0) { $0 + $1.element * max(1, $1.offset) }
        guard sum % 103 == values[values.count - 1], let message = Code128Message(values.dropLast()) else { return nil }
        let reading = LineReading(
            symbology: .code128, bytes: message.bytes, range: original.place(of: start..<place + 1),
            isReversed: line.isReversed, isGS1: message.isGS1, isAIM: message.isAIM,
            isReaderProgramming: message.isReaderProgramming, linkage: message.isGS1 ? message.linkage : nil,
            // All characters, the stop character, and its last bar.
            modules: patterns.modules * (values.count + 1) + 2)
        return (reading, place + 2)
    }
}
