import BarcodeCore
import BarcodeDecoding
import Synchronization
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

    /// Bars of 3 x L pixels, with and without their corners, lose their ends: each is a single pixel after another
    /// number of rounds.
    @Test("What erodes to specks again and again is searched once more, not as often")
    func erosion() throws {
        var pixels = [UInt8](repeating: 255, count: 700 * 70)
        // On the rows in which specks are counted.
        for y in [17, 33, 49] {
            var x = 8
            for (length, corner) in [(1, 0), (3, 1), (3, 0), (5, 1), (5, 0), (7, 1), (7, 0), (9, 1), (9, 0)] {
                for row in -1...1 where length > 1 || row == 0 {
                    let inset = row == 0 ? 0 : corner
                    for column in x + inset..<x + length - inset { pixels[(y + row) * 700 + column] = 0 }
                }
                x += length + 12
            }
        }
        let image = LumaImage(width: 700, height: 70, pixels: pixels)
        #expect(image.isSpeckled && image.withoutSpecks().isSpeckled)
        let passes = Atomic(0)
        var search = SymbolSearch(image: image, options: DecodeOptions(effort: .fast)) { event in
            if case .pass(SearchStrategy.Method.speckled.title, _, _) = event { passes.add(1, ordering: .relaxed) }
        }
        try search.run()
        #expect(passes.load(ordering: .relaxed) == 1)
    }
}
