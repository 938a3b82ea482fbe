import BarcodeCore
import BarcodeDecoding
import TestSupport
import Testing

@Suite("Dithered pictures")
struct DitherTests {
    /// Returns a picture in black and white, by the error diffusion of Floyd and Steinberg.
    private static func dithered(_ image: LumaImage) -> LumaImage {
        let (width, height) = (image.width, image.height)
        var errors = [Float](repeating: 0, count: width * height)
        var pixels = [UInt8](repeating: 0, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                let tone = Float(image[x: x, y: y]) + errors[y * width + x]
                pixels[y * width + x] = tone >= 128 ? 255 : 0
                let error = tone - Float(pixels[y * width + x])
                for (dx, dy, share) in [(1, 0, 7), (-1, 1, 3), (0, 1, 5), (1, 1, 1)] as [(Int, Int, Float)]
                where (0..<width).contains(x + dx) && y + dy < height {
                    errors[(y + dy) * width + x + dx] += error * share / 16
                }
            }
        }
        return LumaImage(width: width, height: height, pixels: pixels)
    }

    private static func picture(_ pattern: ModulePattern, paper: Double) -> LumaImage {
        var renderer = SymbolRenderer(pattern, modulePixels: 4)
        (renderer.dark, renderer.light) = (60, paper)
        return renderer.image()
    }

    @Test("A symbol on gray paper is read", arguments: [150.0, 180, 210, 235])
    func isRead(paper: Double) throws {
        let samples =
            [try SampleSymbol.qr(version: 3)] + SampleSymbol.linearSymbologies.map { SampleSymbol.linear($0) }
        for sample in samples {
            let picture = Self.dithered(Self.picture(sample.pattern, paper: paper))
            #expect(try BarcodeDecoder().decode(picture).map(\.text) == [sample.text], "\(sample.label)")
        }
    }

    @Test("Two symbols are read, each once")
    func two() throws {
        let samples = [try SampleSymbol.qr(version: 3), SampleSymbol.linear(.code128)]
        let pictures = samples.map { Self.picture($0.pattern, paper: 210) }
        let (width, height) = (pictures.map(\.width).max() ?? 0, pictures.map(\.height).reduce(0, +))
        var pixels: [UInt8] = []
        for picture in pictures {
            for y in 0..<picture.height {
                pixels += (0..<width).map { $0 < picture.width ? picture[x: $0, y: y] : 210 }
            }
        }
        let page = Self.dithered(LumaImage(width: width, height: height, pixels: pixels))
        #expect(try Set(BarcodeDecoder().decode(page).map(\.text)) == Set(samples.map(\.text)))
        #expect(try BarcodeDecoder().decode(page).count == 2)
    }
}
