import BarcodeCore
import ImageCodecs
import TestSupport
import Testing

@Suite struct JPEGWriterTests {
    /// Returns a picture with gradients and an edge, as a camera sees it.
    private func picture(_ width: Int, _ height: Int) -> LumaImage {
        LumaImage(width: width, height: height) { pixels in
            for y in 0..<height {
                for x in 0..<width {
                    let slope = 40 + 100 * x / max(1, width) + 60 * y / max(1, height)
                    pixels[y * width + x] = UInt8(x > width / 2 && y > height / 2 ? slope / 2 : slope)
                }
            }
        }
    }

    @Test(arguments: [(1, 1), (7, 3), (8, 8), (17, 65), (640, 480), (1280, 720), (65_500, 1), (1, 65_500)])
    func whatIsWrittenIsRead(width: Int, height: Int) throws {
        let image = picture(width, height)
        let loaded = try ImageLoader().load(JPEGWriter.encode(image, quality: 95))
        #expect(loaded.format == .jpeg && loaded.damage == nil && !loaded.isTruncated)
        try #require((loaded.image.width, loaded.image.height) == (width, height))
        var error = 0
        for y in 0..<height {
            for x in 0..<width { error += abs(Int(loaded.image[x: x, y: y]) - Int(image[x: x, y: y])) }
        }
        // A tiny picture consists only of its edge.
        #expect(Double(error) / Double(width * height) < (width * height < 100 ? 4 : 1.5))
    }

    @Test func qualityIsSizeAgainstTruth() throws {
        let image = picture(320, 240)
        let sizes = try [1, 25, 50, 75, 100].map { try JPEGWriter.encode(image, quality: $0).count }
        #expect(sizes == sizes.sorted() && Set(sizes).count == sizes.count)
        // Values out of range are clamped.
        #expect(try JPEGWriter.encode(image, quality: -5) == JPEGWriter.encode(image, quality: 1))
        #expect(try JPEGWriter.encode(image, quality: 500) == JPEGWriter.encode(image, quality: 100))
    }

    @Test func noiseTakesMoreRoomThanWasFirstThere() throws {
        var random = SeededGenerator(seed: 7)
        let pixels = (0..<(512 * 512)).map { _ in UInt8.random(in: 0...255, using: &random) }
        let bytes = try JPEGWriter.encode(LumaImage(width: 512, height: 512, pixels: pixels), quality: 100)
        #expect(bytes.count > 200_000)
        #expect(bytes.prefix(3) == [0xFF, 0xD8, 0xFF] && bytes.suffix(2) == [0xFF, 0xD9])
        let loaded = try ImageLoader().load(bytes)
        #expect(loaded.damage == nil)
        let error = zip(pixels.indices, pixels).reduce(0) {
            $0 + abs(Int(loaded.image[x: $1.0 % 512, y: $1.0 / 512]) - Int($1.1))
        }
        #expect(Double(error) / Double(pixels.count) < 2)
    }

    @Test(arguments: [(65_501, 1), (1, 65_501), (200_000, 2)])
    func aSideThatAJPEGCannotHaveIsRefused(width: Int, height: Int) {
        let image = picture(width, height)
        for _ in 0..<50 {
            #expect {
                try JPEGWriter.encode(image)
            } throws: {
                ($0 as? DecodeError)?.code == .tooLarge
            }
        }
    }
}
