internal import BarcodeCore

/// Reads GS1 DataBar Limited from the widths of its elements.
///
/// A check character of 18 modules stands between two characters of 26, with a guard at each end. There is no finder
/// pattern; the check character identifies the symbol. Odd and even elements of a character are counted separately.
/// Source: ISO/IEC 24724, clause 6.
enum DataBarLimited {
    /// The elements of a symbol, from its first bar to its last: three characters with a guard at each end.
    private static let size = 45
    private static let characterSize = 14
    private static let left = 1
    private static let check = left + characterSize
    private static let right = check + characterSize
    /// The modules from the first bar to the last: two characters, the check character, and three of the guards.
    private static let modules: Float = 73
    private static let characterModules = 26
    private static let checkModules = 18
    /// The maximum ratio of the module sizes of check character and symbol.
    private static let largestStretch: Float = 1.2
    /// The maximum mean square deviation of an element of a valid character, in modules.
    private static let largestMisfit: Float = 0.09
    /// The minimum quiet zone on either side in modules: the right guard has five, and blur hides some.
    private static let quietZone: Float = 2.5
    /// The minimum quiet zone at the left in modules if a dark ground ends it: the standard asks for one there.
    private static let narrowQuietZone: Float = 0.6
    /// The minimum width of such a ground in modules, more than that of any bar.
    private static let ground: Float = 8

    private static let modulus = 89
    private static let characterCount = 2_013_571
    /// Added to the number of a symbol with a composite component.
    private static let linkage = 2_015_133_531_096
    private static let largestNumber = 1_999_999_999_999

    /// Returns the first symbol of the line in its direction, or none.
    static func read(_ line: BarElements) -> [LineReading] {
        guard line.widths.count >= size else { return [] }
        for start in stride(from: 0, through: line.widths.count - size, by: 2) {
            if let reading = read(line, from: start) { return [reading] }
        }
        return []
    }

    private static func read(_ line: BarElements, from start: Int) -> LineReading? {
        let module = line.width(start..<start + size) / modules
        // The check character and the whole symbol must agree on the module size. This rejects most false candidates.
        let own = line.width(start + check..<start + check + characterSize) / Float(checkModules)
        guard max(own, module) <= largestStretch * min(own, module),
            isFree(line, before: start, module), line.space(at: start + size) >= quietZone * module
        else { return nil }
        let widths = Widths(line, from: start + check, modules: Float(checkModules))
        // Bars and spaces have nine modules each: the excess of the bars is the print gain.
        let growth = (widths.even.sum() - Float(checkModules / 2)) / Float(characterSize / 2)
        guard let number = checkNumber(widths, growth: growth),
            let one = character(line, from: start + left, growth: growth),
            let two = character(line, from: start + right, growth: growth)
        else { return nil }
        let sum = (one.widths + two.widths).enumerated().reduce(0) {
            $0 + $1.element * DataBarTally.power(3, $1.offset, modulo: modulus)
        }
        guard sum % modulus == number, !RetailWidths.isPart(line, start..<start + size) else { return nil }
        var value = characterCount * one.value + two.value
        let isLinked = value >= linkage
        if isLinked { value -= linkage }
        guard value <= largestNumber else { return nil }
        let digits = String(value)
        let padded = Array(String(repeating: "0", count: 13 - digits.count).utf8) + digits.utf8
        return LineReading(
            symbology: .dataBarLimited, bytes: Array("01".utf8) + DataBarNumber.checked(padded),
            range: line.place(of: start..<start + size), isReversed: line.isReversed,
            linkage: isLinked ? .micro : CompositeLinkage.none, modules: Int(modules))
    }

    private static func isFree(_ line: BarElements, before start: Int, _ module: Float) -> Bool {
        let space = line.space(before: start)
        return space >= quietZone * module
            || space >= narrowQuietZone * module && start > 1 && line.widths[start - 2] >= ground * module
    }

    /// The elements of a character in modules: `odd` are the spaces, `even` the bars.
    private struct Widths {
        /// Seven widths; the last lane is zero.
        var odd = SIMD8<Float>()
        var even = SIMD8<Float>()

        init(_ line: BarElements, from start: Int, modules: Float) {
            let module = line.width(start..<start + characterSize) / modules
            for place in 0..<characterSize / 2 {
                odd[place] = line.widths[start + 2 * place] / module
                even[place] = line.widths[start + 2 * place + 1] / module
            }
        }
    }

    // MARK: The check character

    /// The widths of the check characters 0 to 88.
    private static let checks: [String] = """
        11111111113311 11111111123211 11111111133111 11111112113211 11111112123111 11111113113111 11111211113211
        11111211123111 11111212113111 11111311113111 11121111113211 11121111123111 11121112113111 11121211113111
        11131111113111 12111111113211 12111111123111 12111112113111 12111211113111 12121111113111 13111111113111
        11111111212311 11111111222211 11111111232111 11111112212211 11111112222111 11111113212111 11111211212211
        11111211222111 11111212212111 11111311212111 11121111212211 11121111222111 11121112212111 11121211212111
        11131111212111 12111111212211 12111111222111 12111112212111 12111211212111 12121111212111 13111111212111
        11111111311311 11111111321211 11111112311211 11121111311211 12111111311211 11111121112311 11111121122211
        11111121132111 11111122112211 11121121112211 11121121122111 11121122112111 11121221112111 11131121112111
        12111121112211 12111121122111 12121121112111 11112111112311 11112111122211 11112111132111 11112112112211
        11112112122111 11112211112211 12112111112211 12112111122111 12112112112111 12112211112111 12122111112111
        13112111112111 11211111112311 11211111122211 11211111132111 11211112112211 11211112122111 11211113112111
        11211211112211 11211211122111 11221111112211 21111111122211 21111111132111 21111112112211 21111112122111
        21111113112111 21111211122111 21111212112111 21121111122111 21111111221211
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    private static let checkWidths: [(odd: SIMD8<Float>, even: SIMD8<Float>)] = checks.map { pattern in
        var (odd, even) = (SIMD8<Float>(), SIMD8<Float>())
        for (place, digit) in pattern.utf8.enumerated() {
            let width = Float(digit - 0x30)
            if place % 2 == 0 { odd[place / 2] = width } else { even[place / 2] = width }
        }
        return (odd, even)
    }

    private static let lanes = SIMD8<Float>(1, 1, 1, 1, 1, 1, 1, 0)

    private static func checkNumber(_ widths: Widths, growth: Float) -> Int? {
        let (odd, even) = (widths.odd + growth * lanes, widths.even - growth * lanes)
        var best = (number: 0, square: Float.infinity)
        for (number, pattern) in checkWidths.enumerated() {
            let (one, two) = (odd - pattern.odd, even - pattern.even)
            let square = (one * one + two * two).sum()
            if square < best.square { best = (number, square) }
        }
        return best.square <= largestMisfit * Float(characterSize) ? best.number : nil
    }

    // MARK: The characters

    /// The characters with the same number of modules in the odd elements.
    private struct Group {
        /// The value of the first character.
        var base: Int
        var oddModules: Int
        var widestOdd: Int
        /// The number of ways to fill the even elements.
        var evenCount: Int
    }

    private static let groups = [
        Group(base: 0, oddModules: 17, widestOdd: 6, evenCount: 28),
        Group(base: 183_064, oddModules: 13, widestOdd: 5, evenCount: 728),
        Group(base: 820_064, oddModules: 9, widestOdd: 3, evenCount: 6454),
        Group(base: 1_000_776, oddModules: 15, widestOdd: 5, evenCount: 203),
        Group(base: 1_491_021, oddModules: 11, widestOdd: 4, evenCount: 2408),
        Group(base: 1_979_845, oddModules: 19, widestOdd: 8, evenCount: 1),
        Group(base: 1_996_939, oddModules: 7, widestOdd: 1, evenCount: 16632),
    ]

    /// Returns the value of a character and the widths of its elements in modules; `nil` if none fits.
    private static func character(
        _ line: BarElements, from start: Int, growth: Float
    ) -> (value: Int, widths: [Int])? {
        let widths = Widths(line, from: start, modules: Float(characterModules))
        let spaces = widths.odd.sum() + growth * Float(characterSize / 2)
        guard
            let group = groups.min(by: {
                abs(Float($0.oddModules) - spaces) < abs(Float($1.oddModules) - spaces)
            })
        else { return nil }
        // The print gain of this character, given the modules of the group.
        let own = (Float(group.oddModules) - widths.odd.sum()) / Float(characterSize / 2)
        let (odd, even) = (widths.odd + own * lanes, widths.even - own * lanes)
        guard let one = rounded(odd, modules: group.oddModules),
            let two = rounded(even, modules: characterModules - group.oddModules),
            let oddPlace = place(of: one, widest: group.widestOdd, hasNarrow: false),
            let evenPlace = place(of: two, widest: 9 - group.widestOdd, hasNarrow: true)
        else { return nil }
        return (
            group.base + oddPlace * group.evenCount + evenPlace, zip(one, two).flatMap { [$0, $1] }
        )
    }

    /// Returns the seven integer widths with the given sum that are nearest to the measured ones; `nil` if they are
    /// too far.
    private static func rounded(_ widths: SIMD8<Float>, modules: Int) -> [Int]? {
        var result = (0..<7).map { max(1, Int(widths[$0].rounded())) }
        var rest = modules - result.reduce(0, +)
        while rest != 0 {
            let step = rest > 0 ? 1 : -1
            let places = result.indices.filter { result[$0] + step >= 1 }
            guard
                let place = places.max(by: {
                    (widths[$0] - Float(result[$0])) * Float(step) < (widths[$1] - Float(result[$1])) * Float(step)
                })
            else { return nil }
            result[place] += step
            rest -= step
        }
        let square = result.enumerated().reduce(Float(0)) {
            $0 + (widths[$1.offset] - Float($1.element)) * (widths[$1.offset] - Float($1.element))
        }
        return square <= largestMisfit * 7 ? result : nil
    }

    /// Returns the index of widths in the list of all ways to fill as many modules with as many elements.
    ///
    /// The list is in lexicographic order. No width exceeds `widest`, and if `hasNarrow` is true at least one is one
    /// module. `nil` for widths that are not in the list.
    private static func place(of widths: [Int], widest: Int, hasNarrow: Bool) -> Int? {
        guard widths.allSatisfy({ (1...widest).contains($0) }), !hasNarrow || widths.contains(1) else { return nil }
        var place = 0
        var modules = widths.reduce(0, +)
        var needsNarrow = hasNarrow
        for (index, width) in widths.enumerated() {
            for less in 1..<max(1, width) {
                place += ways(
                    elements: widths.count - index - 1, modules: modules - less, widest: widest,
                    hasNarrow: needsNarrow && less != 1)
            }
            modules -= width
            if width == 1 { needsNarrow = false }
        }
        return place
    }

    /// Returns the number of ways to fill modules with elements.
    private static func ways(elements: Int, modules: Int, widest: Int, hasNarrow: Bool) -> Int {
        // All ways less those without a narrow element, in which every element is at least two modules.
        let all = ways(elements: elements, more: modules - elements, widest: widest - 1)
        return hasNarrow ? all - ways(elements: elements, more: modules - 2 * elements, widest: widest - 2) : all
    }

    /// Returns the number of ways to distribute extra modules over elements that each take at most `widest`.
    private static func ways(elements: Int, more: Int, widest: Int) -> Int {
        guard more >= 0, widest >= 0 else { return 0 }
        guard elements > 0 else { return more == 0 ? 1 : 0 }
        var counts = [Int](repeating: 0, count: more + 1)
        counts[0] = 1
        for _ in 0..<elements {
            counts = (0...more).map { sum in counts[max(0, sum - widest)...sum].reduce(0, +) }
        }
        return counts[more]
    }
}
