import BarcodeCore
import Symbols
import TestSupport
import Testing

@Suite("EAN-13 with narrow bars that are worn beside a wide space")
struct WornBarTests {
    /// The parts of a module, of which a worn bar lacks some.
    static let parts = 10
    /// The parts that remain of a bar of one module beside a space of four.
    static let remaining = [7, 6, 5, 4, 3]

    static let numbers = (0..<10).map { LinearModules.checked(ClearRetailTests.digits(12, from: $0)) }

    /// Returns rows of two samples a module across a symbol.
    ///
    /// - Parameter remaining: the parts that remain of each worn bar, which begins after the wide space or ends before
    ///   it.
    static func rows(_ digits: [Int], remaining: Int) -> [[Float]] {
        let modules = LinearModules.ean13(digits)
        var ink = modules.flatMap { [Bool](repeating: $0, count: parts) }
        func isSpace(_ range: Range<Int>) -> Bool {
            modules.indices.contains(range.lowerBound) && range.upperBound <= modules.count
                && !modules[range].contains(true)
        }
        for place in modules.indices where modules[place] {
            let isNarrow = isSpace(place - 1..<place) && isSpace(place + 1..<place + 2)
            let first = place * parts
            if isNarrow, isSpace(place - 4..<place) {
                for part in first..<first + parts - remaining { ink[part] = false }
            } else if isNarrow, isSpace(place + 1..<place + 5) {
                for part in first + remaining..<first + parts { ink[part] = false }
            }
        }
        var renderer = ProfileRenderer(ink, rate: 2 / Double(parts))
        renderer.blur = 0.2 * Double(parts)
        renderer.quietZone = 10 * Double(parts)
        return renderer.profiles(24)
    }

    @Test("A symbol is read if its narrow bars have lost a third of their width", arguments: numbers)
    func worn(digits: [Int]) {
        let rows = Self.rows(digits, remaining: 7)
        let expected = ["ean_13 \(ClearRetailTests.text(digits))"]
        #expect(RowReadingTests.read(rows, [.ean13]) == expected)
        #expect(RowReadingTests.read(rows.map { $0.reversed() }, [.ean13]) == expected)
    }

    @Test("No other number is read if less of the bars remains", arguments: numbers, remaining)
    func noOtherNumber(digits: [Int], remaining: Int) {
        let found = RowReadingTests.read(Self.rows(digits, remaining: remaining), [.ean13])
        #expect(found.isEmpty || found == ["ean_13 \(ClearRetailTests.text(digits))"])
    }
}
