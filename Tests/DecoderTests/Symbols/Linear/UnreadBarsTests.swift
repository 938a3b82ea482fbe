import BarcodeCore
import BarcodeDecoding
import TestSupport
import Testing

@Suite("Bars that are searched again, averaged or enlarged")
struct UnreadBarsTests {
    /// Returns a symbol of a printer of which every `pitch`-th dot prints in one row of five only.
    private static func printed(_ modules: [Bool], modulePixels: Int, pitch: Int) -> LumaImage {
        let (width, height, margin) = (modules.count * modulePixels, 22 * modulePixels, 10 * modulePixels)
        return LumaImage(width: width + 2 * margin, height: height + 2 * margin) { pixels in
            for index in pixels.indices {
                let (x, y) = (index % (width + 2 * margin) - margin, index / (width + 2 * margin) - margin)
                let isInside = (0..<width).contains(x) && (0..<height).contains(y)
                let isMissing = x % pitch == 0 && y % 5 > 0
                pixels[index] = isInside && modules[x / modulePixels] && !isMissing ? 30 : 230
            }
        }
    }

    @Test(
        "Bars in which columns of dots are missing are read once they are averaged",
        arguments: [(3, 3), (3, 4), (4, 3), (4, 4), (5, 4)])
    func missingDots(modulePixels: Int, pitch: Int) throws {
        let number = LinearModules.checked([4, 0, 0, 6, 3, 8, 1, 3, 3, 3, 9, 3])
        for (modules, text) in [
            (LinearModules.code128("AB-1234xy"), "AB-1234xy"),
            (LinearModules.ean13(number), number.map(String.init).joined()),
        ] {
            let image = Self.printed(modules, modulePixels: modulePixels, pitch: pitch)
            #expect(try BarcodeDecoder().decode(image).map(\.text) == [text])
        }
    }

    /// A scan in black and white of a worn label: four narrow bars are missing but for their ends, and one pixel in twelve
    /// of all bars is white.
    @Test("A worn label on a large page is read in a part of the page") func wornLabel() throws {
        let modules = LinearModules.code39("00020326")
        let (width, height, barHeight) = (3000, 4200, 80)
        var generator = SeededGenerator(seed: 4)
        var page = [UInt8](repeating: 255, count: width * height)
        // The number of the bar, from the left.
        var bar = 0
        for (module, isDark) in modules.enumerated() where isDark {
            let startsBar = module == 0 || !modules[module - 1]
            let endsBar = module + 1 == modules.count || !modules[module + 1]
            if startsBar { bar += 1 }
            let isWorn = startsBar && endsBar && (11...14).contains(bar)
            for row in 0..<barHeight where !isWorn || row < 5 || row >= barHeight - 8 {
                for x in 0..<2 where Int.random(in: 0..<12, using: &generator) > 0 {
                    page[(3700 + row) * width + 750 + 2 * module + x + row * 3 / barHeight] = 0
                }
            }
        }
        let image = LumaImage(width: width, height: height, pixels: page)
        #expect(try BarcodeDecoder().decode(image).map(\.text) == ["00020326"])
    }
}
