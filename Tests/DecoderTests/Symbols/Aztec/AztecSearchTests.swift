import BarcodeCore
import BarcodeDecoding
import TestSupport
import Testing

@testable import Symbols

@Suite("Aztec symbols among others")
struct AztecSearchTests {
    static func decode(_ image: LumaImage, _ symbologies: Set<Symbology> = Symbology.standard) throws -> [Symbol] {
        var options = DecodeOptions()
        options.symbologies = symbologies
        return try BarcodeDecoder().decode(image, options: options)
    }

    @Test("A rune becomes a symbol with its identifier and its corners", arguments: [0, 25, 223] as [UInt8])
    func rune(value: UInt8) throws {
        var renderer = SymbolRenderer(AztecEncoder.rune(value), modulePixels: 6, degrees: 75)
        renderer.quietZone = (12, 12)
        let symbols = try Self.decode(renderer.image())
        #expect(symbols.map(\.text) == [String("00\(value)".suffix(3))])
        let symbol = try #require(symbols.first)
        #expect(symbol.symbology == .aztec && symbol.symbologyIdentifier == "]zC")
        #expect(symbol.modules == ModuleCount(columns: 11, rows: 11))
        #expect(symbol.corners.distance(to: renderer.corners) < 3)
        #expect(abs((symbol.orientation ?? 0) - 75) < 2)
    }

    @Test("A QR symbol is not read as an Aztec symbol", arguments: 1...20)
    func qr(version: Int) throws {
        let sample = try SampleSymbol.qr(version: version)
        for degrees in [0.0, 20, 45] {
            let renderer = SymbolRenderer(sample.pattern, modulePixels: 3, degrees: degrees)
            #expect(try Self.decode(renderer.image(), [.aztec]).isEmpty, "\(degrees) degrees")
        }
    }
}
