import BarcodeCore
import BarcodeDecoding
import Foundation
import TestSupport
import Testing

@testable import Symbols

/// Pictures with a printed screen, the points of a display, or strong noise.
@Suite("Pictures with a fine texture")
struct TextureTests {
    /// A texture, by the brightness that it gives to a pixel of a symbol.
    struct Texture: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Takes the brightness of the symbol, 0 to 1, and the place of the pixel, and returns gray levels.
        var tone: @Sendable (_ light: Double, _ x: Int, _ y: Int) -> Double

        /// Waves in two directions, as the screen of a print has.
        static func screen(period: Double, degrees: Double, strength: Double) -> Self {
            let (c, s) = (cos(degrees * .pi / 180) * 2 * .pi / period, sin(degrees * .pi / 180) * 2 * .pi / period)
            return Self(testDescription: "screen of \(period) pixels at \(degrees) degrees") { light, x, y in
                let (u, v) = (Double(x) * c + Double(y) * s, Double(y) * c - Double(x) * s)
                return 70 + 130 * light + strength * (sin(u) + sin(v))
            }
        }

        /// Dark gaps between the points of a display.
        static func display(period: Int) -> Self {
            Self(testDescription: "display of \(period) pixels a point") { light, x, y in
                x % period == 0 || y % period == 0 ? 20 : 20 + 220 * light
            }
        }
    }

    static let textures: [Texture] = [
        .screen(period: 3.3, degrees: 15, strength: 60), .screen(period: 4.7, degrees: 0, strength: 60),
        .screen(period: 4.7, degrees: 45, strength: 60), .screen(period: 6.5, degrees: 45, strength: 45),
        .display(period: 3), .display(period: 4),
    ]

    private static func textured(_ image: LumaImage, by texture: Texture) -> LumaImage {
        LumaImage(width: image.width, height: image.height) { pixels in
            for place in pixels.indices {
                let (x, y) = (place % image.width, place / image.width)
                let tone = texture.tone(Double(image[x: x, y: y]) / 255, x, y)
                pixels[place] = UInt8(min(max(tone, 0), 255))
            }
        }
    }

    @Test("A symbol is read", arguments: textures)
    func isRead(_ texture: Texture) throws {
        let samples =
            [try SampleSymbol.qr(version: 3)] + SampleSymbol.linearSymbologies.map { SampleSymbol.linear($0) }
        for sample in samples {
            let image = SymbolRenderer(sample.pattern, modulePixels: 5).image()
            let found = try BarcodeDecoder().decode(Self.textured(image, by: texture))
            #expect(found.map(\.text) == [sample.text], "\(sample.label)")
        }
    }

    @Test("Textures are told from modules and edges", arguments: textures)
    func detection(_ texture: Texture) throws {
        for degrees in [0.0, 30] {
            let plain = SymbolRenderer(try QRPictureTests.symbol(version: 3), modulePixels: 5, degrees: degrees).image()
            #expect(!plain.isTextured)
            #expect(Self.textured(plain, by: texture).isTextured)
        }
    }
}
