/// A GS1 DataBar character set: eight elements with a fixed total of modules, odd and even elements counted
/// separately.
///
/// A character's value determines its group, by the number of modules in its odd elements, and the widths of the odd
/// and the even elements in that group: each is an index in the list of all ways to fill the modules with four
/// elements. Source: ISO/IEC 24724, 4.2.2 to 4.2.4 and annex B.
struct DataBarCharacterSet {
    /// The characters with the same number of modules in the odd elements.
    private struct Group {
        /// The value of the first character.
        var base: Int
        var oddModules: Int
        var odd: [SIMD4<Float>]
        var even: [SIMD4<Float>]
        /// True if the odd elements are the low digit of the value; else the even ones are.
        var oddIsLow: Bool
    }

    /// The best match of measured widths.
    struct Match {
        var value: Int
        /// The mean square deviation of an element, in modules.
        var misfit: Float
    }

    /// The number of modules of a character.
    let modules: Int
    private let groups: [Group]

    /// The outer characters of DataBar: 2,841 of 16 modules.
    static let outer = DataBarCharacterSet(
        modules: 16, oddModules: [12, 10, 8, 6, 4], widestOdd: [8, 6, 4, 3, 1], narrowOdd: false, oddIsLow: false)
    /// The inner characters of DataBar: 1,597 of 15 modules.
    static let inner = DataBarCharacterSet(
        modules: 15, oddModules: [5, 7, 9, 11], widestOdd: [2, 4, 6, 8], narrowOdd: true, oddIsLow: true,
        oddCounts: [4, 20, 48, 81])
    /// The characters of DataBar Expanded: 4,192 of 17 modules.
    static let expanded = DataBarCharacterSet(
        modules: 17, oddModules: [12, 10, 8, 6, 4], widestOdd: [7, 5, 4, 3, 1], narrowOdd: true, oddIsLow: false,
        oddCounts: [87, 52, 30, 10, 1])

    /// - Parameters:
    ///   - oddModules: the numbers of modules in the odd elements, one for each group; the even elements have the
    ///     rest.
    ///   - widestOdd: the modules of the widest odd element; the widest even one has nine less that.
    ///   - narrowOdd: true if at least one odd element is one module wide; else at least one even one is.
    ///   - oddCounts: the number of ways to fill the odd elements that are used; `nil` for all.
    private init(
        modules: Int, oddModules: [Int], widestOdd: [Int], narrowOdd: Bool, oddIsLow: Bool, oddCounts: [Int]? = nil
    ) {
        self.modules = modules
        var base = 0
        groups = zip(oddModules, widestOdd).enumerated().map { place, item in
            let (odd, widest) = item
            let all = Self.widths(odd, widest: widest, hasNarrow: narrowOdd)
            let group = Group(
                base: base, oddModules: odd, odd: Array(all.prefix(oddCounts?[place] ?? all.count)),
                even: Self.widths(modules - odd, widest: 9 - widest, hasNarrow: !narrowOdd), oddIsLow: oddIsLow)
            base += group.odd.count * group.even.count
            return group
        }
    }

    /// Returns all ways to fill the modules with four elements, in the order of the standard.
    private static func widths(_ modules: Int, widest: Int, hasNarrow: Bool) -> [SIMD4<Float>] {
        var result: [SIMD4<Float>] = []
        for a in 1...widest {
            for b in 1...widest {
                for c in 1...widest {
                    let d = modules - a - b - c
                    guard (1...widest).contains(d), !hasNarrow || min(a, b, c, d) == 1 else { continue }
                    result.append([Float(a), Float(b), Float(c), Float(d)])
                }
            }
        }
        return result
    }

    /// The number of characters.
    var count: Int { groups.reduce(0) { $0 + $1.odd.count * $1.even.count } }

    /// Returns the widths of a character's eight elements in modules; `nil` for a value out of range.
    func elements(of value: Int) -> [Int]? {
        guard let group = groups.last(where: { $0.base <= value }) else { return nil }
        let rest = value - group.base
        guard rest < group.odd.count * group.even.count else { return nil }
        let (odd, even) =
            group.oddIsLow
            ? (rest % group.odd.count, rest / group.odd.count) : (rest / group.even.count, rest % group.even.count)
        return (0..<4).flatMap { [Int(group.odd[odd][$0]), Int(group.even[even][$0])] }
    }

    /// The weight, in elements, of a print gain that differs from the finder pattern's.
    private static let steadiness: Float = 4

    /// Returns the character that fits eight widths best.
    ///
    /// - Parameters:
    ///   - widths: in modules, with the sum ``modules``.
    ///   - growth: the print gain of the odd elements in the adjacent finder pattern, in modules.
    func best(_ widths: SIMD8<Float>, growth: Float) -> Match {
        let (odd, even) = (widths.evenHalf, widths.oddHalf)
        let sum = odd.sum()
        var best = Match(value: 0, misfit: .infinity)
        for group in groups {
            // The growth makes all four odd elements wider and all even ones narrower.
            let own = (sum - Float(group.oddModules)) / 4
            let change = own - growth
            let one = Self.nearest(group.odd, to: odd, less: own)
            let two = Self.nearest(group.even, to: even, less: -own)
            let misfit = (one.square + two.square + Self.steadiness * change * change) / 8
            if misfit < best.misfit {
                let place =
                    group.oddIsLow ? two.index * group.odd.count + one.index : one.index * group.even.count + two.index
                best = Match(value: group.base + place, misfit: misfit)
            }
        }
        return best
    }

    private static func nearest(
        _ list: [SIMD4<Float>], to widths: SIMD4<Float>, less growth: Float
    ) -> (index: Int, square: Float) {
        let wanted = widths - growth
        var best = (index: 0, square: Float.infinity)
        for (index, item) in list.enumerated() {
            let rests = wanted - item
            let square = (rests * rests).sum()
            if square < best.square { best = (index, square) }
        }
        return best
    }
}
