/// A finder pattern of a DataBar symbol with the characters on both of its sides, as one line shows it.
struct DataBarPart {
    /// Which family a finder pattern belongs to.
    enum Family: Hashable, CaseIterable {
        case dataBar, expanded
    }

    /// Which part of a symbol it is.
    struct Name: Hashable {
        var family: Family
        /// The number of the finder pattern, in the order of the standard.
        var finder: Int
        /// Whether the part begins with a bar: read towards its finder pattern, the right half of a DataBar and each
        /// second part of an expanded one do.
        var startsDark: Bool
    }

    var name: Name
    /// The value of the character before the finder pattern; nil where none fits.
    var outer: Int?
    /// The value of the character behind the finder pattern; nil where none fits.
    var inner: Int?
    /// Where the part begins and ends in the profile.
    var range: Range<Double>
    /// Whether the profile was read from its end.
    var isReversed: Bool
    /// The place of the finder pattern's first element, counted from the beginning of the profile.
    var element: Int

    // Read from the end at which the widest elements are: two narrow ones end each.
    private static let dataBarFinders = ModularPatterns([
        "38211", "35511", "33711", "31911", "27411", "25611", "23811", "15711", "13911",
    ])
    private static let expandedFinders = ModularPatterns(["18411", "36411", "34611", "32811", "26511", "22911"])
    private static let finderSize = 5
    private static let finderModules: Float = 15
    private static let characterSize = 8
    /// Elements of a part.
    private static let size = finderSize + 2 * characterSize
    /// The mean square of an element's deviation, in modules, above which a finder pattern is not believed.
    private static let largestFinderMisfit: Float = 0.13
    /// The same for a character: there are thousands, and the next is half a module on two elements away.
    private static let largestMisfit: Float = 0.09
    /// What the two narrow elements of a finder pattern cover, as a part of it: 2 of 15, with blur.
    private static let narrowShare: ClosedRange<Float> = 0.08...0.21
    /// How much the modules of a character may differ from those of its finder pattern, as a factor.
    private static let largestStretch: Float = 1.2

    /// The parts that a line shows in both directions.
    ///
    /// The finder patterns of a symbol are 21 elements apart. Other elements may look like a part as well; where the
    /// parts do not agree on their distance, those of the most numerous kind are taken.
    static func readBothWays(_ line: BarElements, families: Set<Family>) -> [DataBarPart] {
        let parts = read(line, families: families) + read(line.reversed, families: families)
        var counts = [Int](repeating: 0, count: size)
        for part in parts { counts[part.element % size] += 1 }
        let most = counts.max() ?? 0
        return parts.filter { counts[$0.element % size] == most }
    }

    /// The parts that a line shows, read in its direction towards the narrow end of their finder patterns.
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
        // Counted towards the finder pattern, both characters begin with an element of the colour of the finder's first
        // one, so that the growth of bars has the same sign in all three.
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

    /// The value of the eight elements at `places`, counted towards the finder pattern.
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
