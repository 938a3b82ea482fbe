import BarcodeCore
import BarcodeDecoding
import TestSupport
import Testing

@Suite("Light bars on a dark ground")
struct LightBarsTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String { symbology.rawValue }
        var symbology: Symbology
        var text: String
        var bars: [Bool]
    }

    static let cases = [
        Case(symbology: .code128, text: "LOT-2024", bars: LinearModules.code128("LOT-2024")),
        Case(symbology: .code39, text: "SHELF17", bars: LinearModules.code39("SHELF17")),
        Case(symbology: .codabar, text: "A12345B", bars: LinearModules.codabar("A12345B")),
        Case(symbology: .itf, text: "0034567890", bars: LinearModules.itf([0, 0, 3, 4, 5, 6, 7, 8, 9, 0])),
        Case(
            symbology: .ean13, text: "4006381333931",
            bars: LinearModules.ean13([4, 0, 0, 6, 3, 8, 1, 3, 3, 3, 9, 3, 1])),
    ]

    /// A picture of a symbol, dark on light.
    private static func picture(_ item: Case, module: Double, degrees: Double) -> (LumaImage, Quadrilateral) {
        var renderer = SymbolRenderer(ModulePattern(bars: item.bars), modulePixels: module, degrees: degrees)
        renderer.noise = 5
        renderer.blur = 0.3
        return (renderer.image(), renderer.corners)
    }

    @Test("A symbol is read, once, where it is", arguments: cases, [0.0, 12, 90])
    func isRead(_ item: Case, degrees: Double) throws {
        for module in [2.0, 4] {
            let (picture, corners) = Self.picture(item, module: module, degrees: degrees)
            let symbols = try BarcodeDecoder().decode(picture.inverted())
            let symbol = try #require(symbols.first, "\(module) pixels a module")
            #expect(symbols.count == 1 && symbol.symbology == item.symbology && symbol.text == item.text)
            #expect(symbol.isInverted)
            #expect(corners.contains(symbol.corners.center))
        }
    }

    @Test("A symbol with ink on both sides is read beside a dark one", arguments: cases)
    func besideADarkSymbol(_ item: Case) throws {
        let (light, _) = Self.picture(item, module: 3, degrees: 0)
        let (dark, _) = Self.picture(Self.cases[4], module: 3, degrees: 0)
        let width = max(light.width, dark.width)
        var pixels = [UInt8](repeating: 230, count: width * (light.height + dark.height))
        for (picture, isInverted, top) in [(dark, false, 0), (light, true, dark.height)] {
            picture.withUnsafePixels { source in
                for y in 0..<picture.height {
                    for x in 0..<picture.width {
                        let tone = source[y * picture.bytesPerRow + x]
                        pixels[(top + y) * width + x] = isInverted ? 255 - tone : tone
                    }
                }
            }
        }
        let image = LumaImage(width: width, height: light.height + dark.height, pixels: pixels)
        let symbols = try BarcodeDecoder().decode(image)
        #expect(Set(symbols.map { "\($0.text) \($0.isInverted)" }) == ["4006381333931 false", "\(item.text) true"])
    }

    @Test("Bars of which a reflection makes the upper half light are one symbol", arguments: cases)
    func reflection(_ item: Case) throws {
        let (width, height, margin) = (3 * item.bars.count + 80, 200, 20)
        let pixels = (0..<width * height).map { (place: Int) -> UInt8 in
            let (x, y) = (place % width - 40, place / width)
            let isBar = x >= 0 && x / 3 < item.bars.count && item.bars[x / 3]
            // The paper of both halves is gray.
            guard isBar, (margin..<height - margin).contains(y) else { return 120 }
            return y < height / 2 ? 220 : 30
        }
        let symbols = try BarcodeDecoder().decode(LumaImage(width: width, height: height, pixels: pixels))
        #expect(symbols.map(\.text) == [item.text])
    }
}
