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
}
