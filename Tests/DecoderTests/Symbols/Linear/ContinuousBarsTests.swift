import BarcodeCore
import BarcodeDecoding
import TestSupport
import Testing

@testable import Symbols

/// Linear symbols that are read in two parts.
@Suite("Bars that go on from one reading to another")
struct ContinuousBarsTests {
    /// Returns a symbol whose lower end is narrower than its upper one, as a picture taken from near shows it.
    private static func narrowing(
        by share: Double, skew: Double, height: Double
    ) -> (sample: SampleSymbol, image: LumaImage) {
        let sample = SampleSymbol.linear(.code128, seed: 3)
        let (left, right, top) = (100.0, 550.0, 80.0)
        let (inset, shift) = (share * (right - left) / 2, skew * (right - left))
        let corners = Quadrilateral(
            topLeft: Point(x: left, y: top), topRight: Point(x: right, y: top + 0.2 * shift),
            bottomRight: Point(x: right - inset + 0.1 * shift, y: top + height + 0.2 * shift),
            bottomLeft: Point(x: left + inset + 0.1 * shift, y: top + height))
        var renderer = SymbolRenderer(sample.pattern, corners: corners, width: 700, height: 400)
        (renderer.dark, renderer.light, renderer.blur) = (60, 213, 0.3)
        return (sample, renderer.image())
    }

    @Test("A symbol that narrows is reported once", arguments: [0.1, 0.15, 0.2, 0.3], [0, 0.05, 0.15])
    func once(share: Double, skew: Double) throws {
        for height in [80.0, 110, 150] {
            let (sample, image) = Self.narrowing(by: share, skew: skew, height: height)
            #expect(try BarcodeDecoder().decode(image).map(\.text) == [sample.text], "\(height) pixels high")
        }
    }

    /// Draws bars from one column to another on white, in bands of rows.
    private static func picture(bands: [ClosedRange<Int>], between draw: (Int, Int) -> UInt8) -> LumaImage {
        let bars = LinearModules.code128("CONTINUOUS")
        let pixels = (0..<300 * 500).map { place -> UInt8 in
            let (y, x) = place.quotientAndRemainder(dividingBy: 500)
            let module = (x - 50) / 3
            guard x >= 50, module < bars.count else { return 230 }
            if bands.contains(where: { $0.contains(y) }) { return bars[module] ? 30 : 230 }
            return draw(x, y)
        }
        return LumaImage(width: 500, height: 300, pixels: pixels)
    }

    private static func outline(from top: Double, to bottom: Double) -> Quadrilateral {
        let width = Double(LinearModules.code128("CONTINUOUS").count * 3)
        return Quadrilateral(
            topLeft: Point(x: 50, y: top), topRight: Point(x: 50 + width, y: top),
            bottomRight: Point(x: 50 + width, y: bottom), bottomLeft: Point(x: 50, y: bottom))
    }

    private static let parts = (upper: outline(from: 40, to: 90), lower: outline(from: 120, to: 180))

    @Test("Bars between two readings make one symbol of them, in either order")
    func oneSymbol() {
        let image = Self.picture(bands: [30...190]) { _, _ in 230 }
        let (upper, lower) = Self.parts
        let whole = Self.outline(from: 40, to: 180)
        #expect(ContinuousBars.joined(upper, lower, in: image) == whole)
        #expect(ContinuousBars.joined(lower, upper, in: image) == whole)
    }

    @Test("Paper, gray or print between two readings leaves two symbols", arguments: ["paper", "gray", "print"])
    func twoSymbols(content: String) {
        var random = SeededGenerator(seed: 11)
        let print = (0..<170).map { _ in Bool.random(using: &random) }
        let image = Self.picture(bands: [30...95, 115...190]) { x, _ in
            switch content {
            case "paper": 230
            case "gray": 120
            default: print[x / 3] ? 30 : 230
            }
        }
        #expect(ContinuousBars.joined(Self.parts.upper, Self.parts.lower, in: image) == nil)
    }
}
