import BarcodeCore
import BarcodeDecoding
import Glibc
import TestSupport
import Testing

@testable import Symbols

/// Symbols of which a part lies in the shade.
@Suite("Symbols across the edge of a shadow")
struct ShadowTests {
    /// The brightness of the shade, as a share of that of the light.
    private static let shade: Float = 0.3

    /// Draws a symbol with the edge of a shadow through its middle, at an angle.
    private static func image(_ grid: ModuleGrid, degrees: Double) -> LumaImage {
        let drawn = SymbolRenderer(grid, modulePixels: 6, degrees: 8).image()
        let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        var light = GrayCanvas(width: drawn.width, height: drawn.height) { x, y in
            let side = Double(x - drawn.width / 2) * cosine + Double(y - drawn.height / 2) * sine
            return side > 0 ? Self.shade : 1
        }
        light.blur(1)
        let pixels = light.values.indices.map { place in
            UInt8(Float(drawn[x: place % drawn.width, y: place / drawn.width]) * light.values[place])
        }
        return LumaImage(width: drawn.width, height: drawn.height, pixels: pixels)
    }

    @Test(
        "A symbol is read at any angle of the edge", arguments: MatrixCase.all,
        Array(stride(from: 0.0, to: 360, by: 30)))
    func read(_ test: MatrixCase, degrees: Double) throws {
        let found = try BarcodeDecoder().decode(Self.image(try test.grid(), degrees: degrees))
        #expect(found.map(\.bytes) == [try test.bytes()])
    }

    @Test("Shaded paper is light, and print on either side of the edge is dark")
    func tones() {
        // Columns of print, five pixels wide, on paper that is in the shade from the middle on.
        let image = LumaImage(
            width: 200, height: 64,
            pixels: (0..<200 * 64).map { place in
                let x = place % 200
                return UInt8((x / 5 % 4 == 0 ? 40 : 220) * (x < 100 ? 10 : 4) / 10)
            })
        let binary = BinaryImage(image, by: .shadow)
        for x in 10..<190 {
            #expect(binary.pixels[32 * 200 + x] == (x / 5 % 4 == 0 ? 1 : 0), "column \(x)")
        }
    }

    @Test("Only a picture with plain areas beside darker ones may have the edge of a shadow")
    func edges() {
        func hasEdge(_ brightness: (_ x: Int, _ y: Int) -> Float) -> Bool {
            let image = GrayCanvas(width: 160, height: 160, brightness).image()
            return image.withUnsafePixels { pixels in
                pixels.baseAddress.map {
                    BlockTones($0, width: 160, height: 160, bytesPerRow: image.bytesPerRow).hasShadowEdge
                } ?? false
            }
        }
        #expect(hasEdge { x, _ in x < 80 ? 200 : 90 })
        #expect(hasEdge { _, y in y < 83 ? 200 : 90 })
        #expect(!hasEdge { _, _ in 200 })
        #expect(!hasEdge { x, y in Float(100 + x / 4 + y / 4) }, "the light falls off slowly")
        #expect(!hasEdge { x, y in (x / 3 + y / 3) % 2 == 0 ? 200 : 90 }, "texture")
    }
}
