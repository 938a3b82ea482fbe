/// The modules of GS1 DataBar symbols, for tests.
///
/// Source: ISO/IEC 24724. Widths are computed by enumeration instead of a lookup, independently of the decoder.
package enum DataBarModules {
    private struct Group {
        var base, odd, widest, odds, evens: Int
    }
    private static let outerGroups = [
        Group(base: 0, odd: 12, widest: 8, odds: 161, evens: 1),
        Group(base: 161, odd: 10, widest: 6, odds: 80, evens: 10),
        Group(base: 961, odd: 8, widest: 4, odds: 31, evens: 34),
        Group(base: 2015, odd: 6, widest: 3, odds: 10, evens: 70),
        Group(base: 2715, odd: 4, widest: 1, odds: 1, evens: 126),
    ]
    private static let innerGroups = [
        Group(base: 0, odd: 5, widest: 2, odds: 4, evens: 84),
        Group(base: 336, odd: 7, widest: 4, odds: 20, evens: 35),
        Group(base: 1036, odd: 9, widest: 6, odds: 48, evens: 10),
        Group(base: 1516, odd: 11, widest: 8, odds: 81, evens: 1),
    ]
    private static let expandedGroups = [
        Group(base: 0, odd: 12, widest: 7, odds: 87, evens: 4),
        Group(base: 348, odd: 10, widest: 5, odds: 52, evens: 20),
        Group(base: 1388, odd: 8, widest: 4, odds: 30, evens: 52),
        Group(base: 2948, odd: 6, widest: 3, odds: 10, evens: 104),
        Group(base: 3988, odd: 4, widest: 1, odds: 1, evens: 204),
    ]

    /// The number of ways to fill the modules with the elements.
    private static func count(_ modules: Int, _ elements: Int, widest: Int, needsNarrow: Bool) -> Int {
        if elements == 0 { return modules == 0 && !needsNarrow ? 1 : 0 }
        guard modules > 0 else { return 0 }
        return (1...widest).reduce(0) {
            $0 + count(modules - $1, elements - 1, widest: widest, needsNarrow: needsNarrow && $1 > 1)
        }
    }

    /// The widths with the index `value` among these ways.
    private static func widths(_ value: Int, _ modules: Int, widest: Int, needsNarrow: Bool) -> [Int] {
        var (value, modules, needsNarrow) = (value, modules, needsNarrow)
        var result: [Int] = []
        for rest in (0..<4).reversed() {
            for width in 1...widest {
                let ways = count(modules - width, rest, widest: widest, needsNarrow: needsNarrow && width > 1)
                if value < ways {
                    result.append(width)
                    modules -= width
                    needsNarrow = needsNarrow && width > 1
                    break
                }
                value -= ways
            }
        }
        return result
    }

    private static func character(
        _ value: Int, _ groups: [Group], modules: Int, narrowOdd: Bool, oddIsLow: Bool
    ) -> [Int] {
        guard let group = groups.last(where: { $0.base <= value }) else { return [] }
        let rest = value - group.base
        let (odd, even) =
            oddIsLow ? (rest % group.odds, rest / group.odds) : (rest / group.evens, rest % group.evens)
        let odds = widths(odd, group.odd, widest: group.widest, needsNarrow: narrowOdd)
        let evens = widths(even, modules - group.odd, widest: 9 - group.widest, needsNarrow: !narrowOdd)
        return zip(odds, evens).flatMap { [$0, $1] }
    }

    private static func outer(_ value: Int) -> [Int] {
        character(value, outerGroups, modules: 16, narrowOdd: false, oddIsLow: false)
    }
    private static func inner(_ value: Int) -> [Int] {
        character(value, innerGroups, modules: 15, narrowOdd: true, oddIsLow: true)
    }
    private static func expanded(_ value: Int) -> [Int] {
        character(value, expandedGroups, modules: 17, narrowOdd: true, oddIsLow: false)
    }

    /// The sum of widths times powers of three, starting with the power `first`.
    private static func weighted(_ widths: [Int], first: Int, modulo: Int) -> Int {
        var weight = (0..<first).reduce(1) { result, _ in result * 3 % modulo }
        return widths.reduce(0) { sum, width in
            defer { weight = weight * 3 % modulo }
            return sum + width * weight
        }
    }

    private static let finders = [
        [3, 8, 2, 1, 1], [3, 5, 5, 1, 1], [3, 3, 7, 1, 1], [3, 1, 9, 1, 1], [2, 7, 4, 1, 1], [2, 5, 6, 1, 1],
        [2, 3, 8, 1, 1], [1, 5, 7, 1, 1], [1, 3, 9, 1, 1],
    ]

    /// The left and right half of a DataBar of thirteen digits without the check digit; each starts with a space.
    ///
    /// - Parameter checkError: is added to the check value before the finder patterns are chosen.
    private static func halves(_ number: Int, checkError: Int) -> (left: [Int], right: [Int]) {
        let (left, right) = (number / 4_537_077, number % 4_537_077)
        let characters = [outer(left / 1597), inner(left % 1597), outer(right / 1597), inner(right % 1597)]
        var check = checkError
        for (place, widths) in characters.enumerated() { check += weighted(widths, first: 8 * place, modulo: 79) }
        check %= 79
        if check >= 8 { check += 1 }
        if check >= 72 { check += 1 }
        return (
            characters[0] + finders[check / 9] + characters[1].reversed(),
            characters[3] + finders[check % 9].reversed() + characters[2].reversed()
        )
    }

    /// Encodes an omnidirectional or truncated DataBar of thirteen digits without the check digit.
    package static func dataBar(_ number: Int, checkError: Int = 0) -> [Bool] {
        let (left, right) = halves(number, checkError: checkError)
        return LinearModules.modules(ofWidths: [1, 1] + left + right + [1, 1], startsDark: false)
    }

    /// Encodes the two rows of a stacked DataBar.
    package static func stacked(_ number: Int) -> [[Bool]] {
        let (left, right) = halves(number, checkError: 0)
        return [
            LinearModules.modules(ofWidths: [1, 1] + left + [1, 1], startsDark: false),
            LinearModules.modules(ofWidths: [1, 1] + right + [1, 1], startsDark: true),
        ]
    }

    private static let expandedFinders = [
        [1, 8, 4, 1, 1], [3, 6, 4, 1, 1], [3, 4, 6, 1, 1], [3, 2, 8, 1, 1], [2, 6, 5, 1, 1], [2, 2, 9, 1, 1],
    ]
    private static let sequences = [
        "AA", "ABB", "ACBD", "AEBDC", "AEBDDF", "AEBDEFF", "AABBCCDD", "AABBCCDEE", "AABBCCDEFF", "AABBCDDEEFF",
    ]

    /// The elements of a DataBar Expanded of 12-bit characters, without guards, in segments of 21 elements.
    private static func parts(_ values: [Int], checkError: Int) -> [[Int]] {
        let count = values.count + 1
        let sequence = sequences.first { $0.count == (count + 1) / 2 } ?? ""
        let numbers = sequence.unicodeScalars.map { Int($0.value) - 65 }
        var sum = checkError
        for (place, value) in values.enumerated() {
            let part = (place + 1) / 2
            let row = 4 * numbers[part] + (part % 2 == 1 ? 2 : 0) + (place + 1) % 2 - 1
            sum += weighted(expanded(value), first: 8 * row, modulo: 211)
        }
        let all = [211 * (count - 4) + sum % 211] + values
        return numbers.enumerated().map { part, number in
            let finder = expandedFinders[number]
            let right = 2 * part + 1 < count ? expanded(all[2 * part + 1]).reversed() : []
            return expanded(all[2 * part]) + (part % 2 == 1 ? finder.reversed() : finder) + right
        }
    }

    /// Encodes a DataBar Expanded of three or more 12-bit characters.
    package static func expanded(_ values: [Int], checkError: Int = 0) -> [Bool] {
        let elements = parts(values, checkError: checkError).flatMap(\.self)
        return LinearModules.modules(ofWidths: [1, 1] + elements + [1, 1], startsDark: false)
    }

    /// Encodes the rows of a stacked DataBar Expanded, each with an odd number of segments, so that all run from left
    /// to right.
    package static func expandedStacked(_ values: [Int], partsInRow: Int) -> [[Bool]] {
        let parts = parts(values, checkError: 0)
        return stride(from: 0, to: parts.count, by: partsInRow).map { first in
            let elements = parts[first..<min(parts.count, first + partsInRow)].flatMap(\.self)
            return LinearModules.modules(ofWidths: [1, 1] + elements + [1, 1], startsDark: first % 2 == 1)
        }
    }

    /// Splits bits into 12-bit characters, padded as the general-purpose field requires.
    ///
    /// - Parameter endsInDigits: true if the field ends in numeric mode, in which padding begins with a latch to
    ///   alphanumeric mode.
    package static func characters(ofBits bits: String, endsInDigits: Bool = true) -> [Int] {
        var bits = Array(bits.utf8)
        let isFull = bits.count >= 36 && bits.count % 12 == 0
        if endsInDigits && !isFull { bits += Array("0000".utf8.prefix(bits.count < 36 ? 4 : 12 - bits.count % 12)) }
        let padding = Array("00100".utf8)
        var place = 0
        while bits.count % 12 != 0 || bits.count < 36 {
            bits.append(padding[place % 5])
            place += 1
        }
        return stride(from: 0, to: bits.count, by: 12).map { first in
            bits[first..<first + 12].reduce(0) { $0 * 2 + Int($1 - 0x30) }
        }
    }
}
