import BarcodeCore
import BarcodeDecoding
import TestSupport
import Testing

@Suite("Linear symbols of zint in pictures")
struct LinearFixtureTests {
    static let fixtures = LinearFixture.all

    @Test("Each fixture has a known symbology")
    func fixturesAreThere() {
        #expect(!Self.fixtures.isEmpty && Self.fixtures.count == LinearFixture.lines.count)
        for fixture in Self.fixtures {
            #expect(Symbology.all.contains(fixture.symbology) && fixture.asked.isSubset(of: Symbology.all))
        }
    }

    @Test("The encoded message is read at every quarter turn and between, blurred and with noise", arguments: fixtures)
    func reads(fixture: LinearFixture) throws {
        // Upside down, a Pharmacode is another valid number, and nothing shows which way is up.
        let angles = fixture.symbology == .pharmacode ? [0.0, 90, 33, -40] : [0, 90, 180, 270, 33]
        for (seed, degrees) in angles.enumerated() {
            var renderer = SymbolRenderer(bars: fixture.modules, modulePixels: 2.2)
            (renderer.degrees, renderer.noise, renderer.blur, renderer.seed) = (degrees, 6, 0.3, UInt64(seed))
            let options = DecodeOptions(symbologies: fixture.asked)
            let symbols = try BarcodeDecoder().decode(renderer.image(), options: options)
            #expect(
                symbols.map(\.text) == [fixture.text] && symbols.first?.symbology == fixture.symbology,
                "\(degrees) degrees")
            guard let symbol = symbols.first else { continue }
            #expect(symbol.bytes == Array(fixture.text.utf8))
            #expect(symbol.symbologyIdentifier == fixture.identifier)
            #expect(symbol.symbolCharacters == fixture.symbolCharacters)
            #expect(
                symbol.corners.distance(to: renderer.corners) < 0.04 * Double(fixture.modules.count) * 2.2,
                "\(degrees) degrees")
        }
    }

    /// The quiet zone of a short Pharmacode is nearly half as long as its bars.
    @Test(
        "A Pharmacode of few wide bars is read",
        arguments: [("nnnnnw", "64"), ("wnnwnw", "100"), ("nnnnn", "31")], [3.0, 10])
    func shortPharmacode(bars: (widths: String, text: String), modulePixels: Double) throws {
        let modules = bars.widths.map { $0 == "n" ? "1" : "111" }.joined(separator: "00").map { $0 == "1" }
        let image = SymbolRenderer(bars: modules, modulePixels: modulePixels).image()
        let symbols = try BarcodeDecoder().decode(image, options: DecodeOptions(symbologies: [.pharmacode]))
        #expect(symbols.map(\.text) == [bars.text])
    }
}
