/// A finder pattern of a DataBar symbol with the adjacent characters, as measured on one line.
struct DataBarPart {
    /// The family of a finder pattern.
    enum Family: Hashable, CaseIterable {
        case dataBar, expanded
    }

    /// The identity of a part within a symbol.
    struct Name: Hashable {
        var family: Family
        /// The number of the finder pattern, in the order of the standard.
        var finder: Int
        /// True if the part begins with a bar when read toward its finder pattern: the right half of a DataBar symbol
        /// and every second part of an expanded one.
        var startsDark: Bool
    }

    var name: Name
    /// The value of the character before the finder pattern; `nil` if none fits.
    var outer: Int?
    /// The value of the character after the finder pattern; `nil` if none fits.
    var inner: Int?
    /// The extent of the part in the profile.
    var range: Range<Double>
    /// True if the profile was read in reverse.
    var isReversed: Bool
    /// The index of the finder pattern's first element, counted from the start of the profile.
    var element: Int

    // Read from the end with the widest elements; each pattern ends with two narrow ones.
    private static let dataBarFinders = ModularPatterns([
        "38211", "35511", "33711", "31911", "27411", "25611", "23811", "15711", "13911",
    ])
    private static let expandedFinders = ModularPatterns(["18411", "36411", "34611", "32811", "26511", "22911"])
    private static let finderSize = 5
    private static let finderModules: Float = 15
    private static let characterSize = 8
    /// The number of elements of a part.
    private static let size = finderSize + 2 * characterSize
    /// The maximum mean square deviation of an element of a valid finder pattern, in modules.
    private static let largestFinderMisfit: Float = 0.13
    /// The same for a character: there are thousands, and the nearest differs by half a module in two elements.
    private static let largestMisfit: Float = 0.09
    /// The share of a finder pattern that its two narrow elements cover: 2 of 15 modules, with a margin for blur.
    private static let narrowShare: ClosedRange<Float> = 0.08...0.21
    /// The maximum ratio of the module sizes of a character and its finder pattern.
    private static let largestStretch: Float = 1.2

    /// Returns the parts on a line, read in both directions.
    ///
    /// The finder patterns of a symbol are 21 elements apart. Other elements may look like a part too: if the parts
    /// disagree on their distance modulo 21, only the most numerous kind is returned.
    static func readBothWays(_ line: BarElements, families: Set<Family>) -> [DataBarPart] {
        let parts = read(line, families: families) + read(line.reversed, families: families)
        var counts = [Int](repeating: 0, count: size)
        for part in parts { counts[part.element % size] += 1 }
        let most = counts.max() ?? 0
        return parts.filter { counts[$0.element % size] == most }
    }

    /// Returns the parts on a line, read in its direction toward the narrow end of their finder patterns.
    static func read(_ line: BarElements, families: Set<Family>) -> [DataBarPart] {
        var result: [DataBarPart] = []
        guard line.widths.count >= finderSize + characterSize else { return [] }
        let wanted = Array(families)
        for start in 0...line.widths.count - finderSize {
            let size = line.width(start..<start + finderSize)
            guard narrowShare.contains(line.width(start + 3..<start + finderSize) / size) else { continue }
            for family in wanted {
                if let part = part(line, finderAt: start, family) { result.append(part) }
            }
        }
        return result
    }

    private static func part(_ line: BarElements, finderAt start: Int, _ family: Family) -> DataBarPart? {
        let match =
            family == .dataBar
            ? dataBarFinders.best(line, at: start, growth: 0) : expandedFinders.best(line, at: start, growth: 0)
        guard match.misfit <= largestFinderMisfit else { return nil }
        // Counted toward the finder pattern, both characters begin with an element of the color of the finder's first
        // one, so the print gain has the same sign in all three.
        let module = line.width(start..<start + finderSize) / (finderModules + match.growth)
        let (outerSet, innerSet): (DataBarCharacterSet, DataBarCharacterSet) =
            family == .dataBar ? (.outer, .inner) : (.expanded, .expanded)
        let end = start + finderSize
        var (first, last) = (start, end)
        var part = DataBarPart(
            name: Name(family: family, finder: match.index, startsDark: start % 2 == 0), range: 0..<0,
            isReversed: line.isReversed, element: line.isReversed ? line.widths.count - end : start)
        if start >= characterSize {
            let places = start - characterSize..<start
            part.outer = value(line, places, outerSet, module: module, growth: match.growth, isBackwards: false)
            if part.outer != nil { first = places.lowerBound }
        }
        if end + characterSize <= line.widths.count {
            let places = end..<end + characterSize
            part.inner = value(line, places, innerSet, module: module, growth: match.growth, isBackwards: true)
            if part.inner != nil { last = places.upperBound }
        }
        guard part.outer != nil || part.inner != nil else { return nil }
        part.range = line.place(of: first..<last)
        return part
    }

    /// Returns the value of the eight elements at `places`, counted toward the finder pattern; `nil` if none fits.
    private static func value(
        _ line: BarElements, _ places: Range<Int>, _ set: DataBarCharacterSet, module: Float, growth: Float,
        isBackwards: Bool
    ) -> Int? {
        let own = line.width(places) / Float(set.modules)
        guard max(own, module) <= largestStretch * min(own, module) else { return nil }
        var widths = SIMD8<Float>()
        for (lane, place) in places.enumerated() {
            widths[isBackwards ? characterSize - 1 - lane : lane] = line.widths[place] / own
        }
        let match = set.best(widths, growth: growth)
        return match.misfit <= largestMisfit ? match.value : nil
    }
}
