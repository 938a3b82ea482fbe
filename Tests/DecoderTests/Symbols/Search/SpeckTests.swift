import BarcodeCore
import BarcodeDecoding
import TestSupport
import Testing

@testable import Symbols

/// Pictures in which single pixels are black or white.
@Suite("Pictures with specks")
struct SpeckTests {
    /// Returns the picture with a share of its pixels set to black or white.
    private static func speckled(_ image: LumaImage, share: Double, seed: UInt64) -> LumaImage {
        var random = SeededGenerator(seed: seed)
        let pixels = (0..<image.width * image.height).map { place -> UInt8 in
            guard Double.random(in: 0..<1, using: &random) < share else {
                return image[x: place % image.width, y: place / image.width]
            }
            return Bool.random(using: &random) ? 255 : 0
        }
        return LumaImage(width: image.width, height: image.height, pixels: pixels)
    }

    @Test("A symbol is read", arguments: MatrixCase.all, [0.01, 0.05, 0.08])
    func isRead(_ test: MatrixCase, share: Double) throws {
        for (modulePixels, degrees, seed) in [(3.0, 0.0, 5), (4, 0, 6), (4, 45, 7), (4, 8, 8), (8, 45, 9)] {
            let image = SymbolRenderer(try test.grid(), modulePixels: modulePixels, degrees: degrees).image()
            let found = try BarcodeDecoder().decode(Self.speckled(image, share: share, seed: UInt64(seed)))
            #expect(found.map(\.bytes) == [try test.bytes()], "\(modulePixels) pixels a module, \(degrees) degrees")
        }
    }

    @Test("Specks are told from modules and edges, and all of them are removed")
    func detection() throws {
        let plain = SymbolRenderer(try QRPictureTests.symbol(version: 3), modulePixels: 3, degrees: 20).image()
        #expect(!plain.isSpeckled)
        let speckled = Self.speckled(plain, share: 0.01, seed: 7)
        #expect(speckled.isSpeckled)
        #expect(!speckled.withoutSpecks().isSpeckled)
    }
}
