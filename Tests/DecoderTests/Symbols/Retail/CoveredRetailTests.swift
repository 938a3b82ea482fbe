import BarcodeCore
import BarcodeDecoding
import TestSupport
import Testing

@Suite("Covered and cut-off EAN")
struct CoveredRetailTests {
    /// Returns rows of modules two pixels wide, with paper around them.
    private static func picture(_ modules: [Bool], margin: (x: Int, y: Int)) -> LumaImage {
        let (width, height) = (2 * modules.count + 2 * margin.x, 76 + 2 * margin.y)
        return LumaImage(width: width, height: height) { pixels in
            for index in pixels.indices {
                let (x, y) = (index % width - margin.x, index / width - margin.y)
                let isInside = (0..<2 * modules.count).contains(x) && (0..<76).contains(y)
                pixels[index] = isInside && modules[x / 2] ? 0 : 235
            }
        }
    }

    private static let cut = LinearModules.ean13([4, 7, 1, 4, 5, 0, 1, 3, 8, 1, 0, 5, 1])
    private static let covered = LinearModules.ean13([4, 9, 0, 0, 6, 2, 8, 0, 8, 0, 7, 1, 1])

    /// zbar reads the UPC-E 081100005454 there.
    @Test("The spaces of an EAN-13 that is cut off are not a UPC-E", arguments: 2...7)
    func cutOff(modules: Int) throws {
        let rest = Array(Self.cut.dropLast(modules))
        #expect(try BarcodeDecoder().decode(Self.picture(rest, margin: (0, 0))).map(\.text) == [])
    }

    /// They begin at the black cover and end at the guard bars: D783A.
    @Test("The spaces of an EAN-13 beside a black cover are not a Codabar", arguments: [9, 11, 13])
    func coveredByBlack(first: Int) throws {
        var modules = Self.covered
        for module in first..<32 { modules[module] = true }
        #expect(try BarcodeDecoder().decode(Self.picture(modules, margin: (80, 60))).map(\.text) == [])
    }
}
