import BarcodeCore
import Glibc
import Symbols
import TestSupport
import Testing

@Suite("Linear symbols around a round package, whose bars are closer at its sides")
struct RoundPackageTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var symbology: Symbology
        var text: String
        var modules: [Bool]

        var testDescription: String { "\(symbology) \(text)" }
    }

    static let retail = (0..<10).map { first in
        let digits = LinearModules.checked(ClearRetailTests.digits(12, from: first))
        return Case(symbology: .ean13, text: ClearRetailTests.text(digits), modules: LinearModules.ean13(digits))
    }
    static let others = [
        Case(symbology: .code128, text: "BOX-1007", modules: LinearModules.code128("BOX-1007")),
        Case(symbology: .code128, text: "a-d-H", modules: LinearModules.code128("a-d-H")),
        Case(symbology: .code39, text: "A1B2C3", modules: LinearModules.code39("A1B2C3")),
        Case(symbology: .code39, text: "00FA", modules: LinearModules.code39("00FA")),
    ]

    /// Returns rows across a symbol that covers an arc of a package, with modules of four pixels in its middle.
    static func rows(_ modules: [Bool], degrees: Double) -> [[Float]] {
        var renderer = ProfileRenderer(modules, rate: 8)
        renderer.noise = 0
        let flat = renderer.profiles(1)[0]
        let arc = degrees * .pi / 180
        let radius = Double(modules.count) * 4 / arc
        let count = Int(2 * radius) + 20
        func brightness(_ x: Double) -> Float {
            let sine = (x - Double(count) / 2) / radius
            guard abs(sine) < 1 else { return 200 }
            let place = (asin(sine) / arc + 0.5) * Double(modules.count) + renderer.quietZone
            let index = Int((place * renderer.rate).rounded(.down))
            return flat.indices.contains(index) ? flat[index] : 200
        }
        let clean = (0..<count).map { column in
            [0.125, 0.375, 0.625, 0.875].reduce(0) { $0 + brightness(Double(column) + $1) } / 4
        }
        var random = SeededGenerator(seed: UInt64(degrees))
        return (0..<24).map { _ in clean.map { $0 + Float.random(in: -3...3, using: &random) } }
    }

    static func read(_ rows: [[Float]]) -> [String] {
        RowReadingTests.read(rows, Symbology.retail.union([.code128, .code39]))
    }

    @Test("An EAN-13 is read around 140 degrees, from both sides", arguments: retail, [60.0, 100, 120, 130, 140])
    func retailIsRead(_ item: Case, degrees: Double) {
        let rows = Self.rows(item.modules, degrees: degrees)
        #expect(Self.read(rows) == ["ean_13 \(item.text)"])
        #expect(Self.read(rows.map { $0.reversed() }) == ["ean_13 \(item.text)"])
    }

    @Test("Other symbols are read around 120 degrees, from both sides", arguments: others, [60.0, 100, 120])
    func othersAreRead(_ item: Case, degrees: Double) {
        let rows = Self.rows(item.modules, degrees: degrees)
        #expect(Self.read(rows) == ["\(item.symbology) \(item.text)"])
        #expect(Self.read(rows.map { $0.reversed() }) == ["\(item.symbology) \(item.text)"])
    }

    @Test("The range of a symbol is the one in the rows", arguments: [60.0, 120])
    func range(degrees: Double) throws {
        let item = Self.retail[4]
        let rows = Self.rows(item.modules, degrees: degrees)
        let answers = LinearReader(symbologies: [.ean13]).readRows(rows, seen: 0..<Double(rows[0].count))
        let range = try #require(answers.first).range
        let reach = Double(item.modules.count) * 4 / (degrees * .pi / 180) * sin(degrees * .pi / 360)
        let middle = Double(rows[0].count) / 2
        #expect(abs(range.lowerBound - (middle - reach)) < 2)
        #expect(abs(range.upperBound - (middle + reach)) < 2)
    }

    @Test("Bars that are closer in a part of the symbol are not read as others", arguments: retail)
    func torn(_ item: Case) {
        // The right half is half as wide, without a transition.
        let flat = ProfileRenderer(item.modules, rate: 6).profiles(24)
        let rows = flat.map { row in
            row.enumerated().filter { $0.offset < row.count / 2 || $0.offset % 2 == 0 }.map(\.element)
        }
        let found = Self.read(rows)
        #expect(found.isEmpty || found == ["ean_13 \(item.text)"])
    }
}
