import BarcodeCore
import Foundation
import Symbols
import TestSupport
import Testing

/// Symbols of zint 2.11 (`zint -b DBAR_LTD -d NUMBER --dump`): fourteen digits and the modules in hexadecimal.
@Suite("GS1 DataBar Limited")
struct DataBarLimitedTests {
    struct Fixture: Sendable, CustomTestStringConvertible {
        var digits: String
        /// The modules from the first to the last bar.
        var modules: [Bool]

        var testDescription: String { digits }

        init?(_ line: Substring) {
            let fields = line.split(separator: "\t")
            guard fields.count == 2 else { return nil }
            digits = String(fields[0])
            let bits = fields[1].compactMap(\.hexDigitValue).flatMap { digit in
                (0..<4).map { digit >> (3 - $0) & 1 == 1 }
            }
            guard let first = bits.firstIndex(of: true), let last = bits.lastIndex(of: true) else { return nil }
            modules = Array(bits[first...last])
        }
    }

    /// All seven groups of characters on both sides, and the ends of the range.
    static let fixtures: [Fixture] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/databar-limited.tsv")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap(Fixture.init)
    }()

    private static let reader = LinearReader(symbologies: [.dataBarLimited])

    @Test("The fixtures exist")
    func fixturesAreThere() {
        #expect(Self.fixtures.count == 53)
        #expect(Self.fixtures.allSatisfy { $0.modules.count == 73 })
    }

    @Test(
        "The encoded number is read at low resolution, blurred and with spread ink, in both directions",
        arguments: fixtures)
    func reads(fixture: Fixture) {
        for (seed, (rate, blur, growth)) in [(1.5, 0.3, 0), (3, 0.5, 0.3), (2.4, 0.2, -0.3)].enumerated() {
            for isReversed in [false, true] {
                var renderer = ProfileRenderer(fixture.modules, rate: rate)
                (renderer.blur, renderer.growth, renderer.seed) = (blur, growth, UInt64(seed))
                let profiles = renderer.profiles(6).map { isReversed ? $0.reversed() : $0 }
                let answers = Self.reader.read(profiles)
                #expect(
                    answers.map { String(decoding: $0.bytes, as: UTF8.self) } == ["01" + fixture.digits],
                    "\(rate) values a module, seed \(seed)")
                #expect(answers.allSatisfy { $0.symbology == .dataBarLimited && $0.isReversed == isReversed })
            }
        }
    }

    @Test("Behind a dark ground the left quiet zone of one module is sufficient", arguments: [6, 12])
    func darkGround(width: Int) throws {
        let fixture = try #require(Self.fixtures.first)
        let ground = [Bool](repeating: true, count: width)
        let modules = ground + [false] + fixture.modules + [Bool](repeating: false, count: 5) + ground
        let answers = Self.reader.read(ProfileRenderer(modules, rate: 3).profiles(6))
        // A narrower one may be a bar of another symbol.
        #expect(answers.map { String(decoding: $0.bytes, as: UTF8.self) } == (width < 8 ? [] : ["01" + fixture.digits]))
    }

    @Test("A part of an EAN-13 is not read as DataBar Limited, from either end")
    func partOfRetail() {
        let seed: UInt64 = 20_261_125
        var random = SeededGenerator(seed: seed)
        // The first one used to be misread as a number that begins with 01075.
        var numbers = [[1, 8, 4, 4, 9, 7, 9, 1, 4, 1, 3, 0, 7]]
        for _ in 0..<1500 {
            numbers.append(LinearModules.checked((0..<12).map { _ in Int.random(in: 0...9, using: &random) }))
        }
        for digits in numbers {
            let modules = LinearModules.ean13(digits)
            let edges = modules.indices.dropFirst().filter { modules[$0] != modules[$0 - 1] }
            // As many elements as in a DataBar Limited.
            for part in [modules[edges[13]...], modules[..<edges[44]]] {
                let answers = Self.reader.read(ProfileRenderer(Array(part), rate: 3).profiles(6))
                #expect(answers.isEmpty, "\(digits), seed \(seed)")
            }
        }
    }

    @Test("Symbols with an edge that is off by a module are hardly ever misread: the check is modulo 89")
    func wrongWidths() {
        var (wrong, count) = (0, 0)
        for fixture in Self.fixtures.prefix(12) {
            var runs: [Int] = []
            for (place, module) in fixture.modules.enumerated() {
                if place > 0, module == fixture.modules[place - 1] { runs[runs.count - 1] += 1 } else { runs.append(1) }
            }
            for element in 0..<44 {
                var widths = runs
                let shift = widths[element] > 1 ? -1 : 1
                guard widths[element + 1] - shift >= 1 else { continue }
                widths[element] += shift
                widths[element + 1] -= shift
                let modules = widths.enumerated().flatMap { [Bool](repeating: $0.offset % 2 == 0, count: $0.element) }
                count += 1
                wrong += Self.reader.read(ProfileRenderer(modules, rate: 3).profiles(6)).count
            }
        }
        #expect(count > 250)
        #expect(wrong * 89 <= count)
    }
}
