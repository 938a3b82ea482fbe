import BarcodeCore
import TestSupport
import Testing

@testable import Symbols

/// What is computed for several pixels at once is the same as one pixel at a time, on every processor.
@Suite struct VectorTests {
    /// Random pictures of all widths and heights around those of one and two vectors, with padded rows.
    private static let pictures: [LumaImage] = {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("pictures of seed \(seed)")
        var random = SeededGenerator(seed: seed)
        return (8...41).map { width in
            let (height, stride) = (Int.random(in: 8...20, using: &random), width + width % 3)
            let bytes = (0..<height * stride).map { _ in UInt8.random(in: 0...255, using: &random) }
            return bytes.withUnsafeBytes {
                LumaImage(copying: $0, width: width, height: height, bytesPerRow: stride)
            }
        }
    }()

    private static func tones(_ image: LumaImage) throws -> BlockTones {
        try image.withUnsafePixels { pixels in
            BlockTones(
                try #require(pixels.baseAddress), width: image.width, height: image.height,
                bytesPerRow: image.bytesPerRow)
        }
    }

    @Test(arguments: pictures) func tonesOfBlocks(_ image: LumaImage) throws {
        let tones = try Self.tones(image)
        for row in 0..<tones.rows {
            for column in 0..<tones.columns {
                let (left, top) = (min(column * 8, image.width - 8), min(row * 8, image.height - 8))
                let block = (top..<top + 8).flatMap { y in (left..<left + 8).map { image[x: $0, y: y] } }
                let index = row * tones.columns + column
                #expect(Int(tones.means[index]) == block.reduce(0) { $0 + Int($1) } / 64)
                #expect(tones.darkest[index] == block.min())
                #expect(tones.brightest[index] == block.max())
            }
        }
    }

    @Test(arguments: pictures, [BinaryImage.Threshold.mean, .pale, .midrange])
    func darkPixels(_ image: LumaImage, by threshold: BinaryImage.Threshold) throws {
        let tones = try Self.tones(image)
        let limits = tones.thresholds(by: threshold)
        let expected = (0..<image.height).flatMap { y in
            (0..<image.width).map { x -> UInt8 in
                image[x: x, y: y] <= limits[y / 8 * tones.columns + x / 8] ? 1 : 0
            }
        }
        #expect(BinaryImage(image, by: threshold).pixels == expected)
    }

    /// A block whose pixels all have neighbors on both sides is ten pixels wide.
    @Test(arguments: pictures) func gradients(_ image: LumaImage) {
        let blocks = GradientBlocks(image)
        #expect(blocks.columns == (image.width < 10 ? 0 : image.width / 8))
        for row in 0..<blocks.rows {
            for column in 0..<blocks.columns {
                let left = min(max(column * 8, 1), image.width - 9)
                var (xx, yy, xy) = (0, 0, 0)
                for y in max(1, row * 8)..<min(image.height - 1, row * 8 + 8) {
                    for x in left..<left + 8 {
                        func value(_ right: Int, _ down: Int) -> Int { Int(image[x: x + right, y: y + down]) }
                        let across = [3, 10, 3].enumerated().reduce(0) {
                            $0 + $1.element * (value(1, $1.offset - 1) - value(-1, $1.offset - 1))
                        }
                        let down = [3, 10, 3].enumerated().reduce(0) {
                            $0 + $1.element * (value($1.offset - 1, 1) - value($1.offset - 1, -1))
                        }
                        (xx, yy, xy) = (xx + across * across, yy + down * down, xy + across * down)
                    }
                }
                let index = row * blocks.columns + column
                #expect(blocks.xx[index] == Float(xx) / (64 * 256))
                #expect(blocks.yy[index] == Float(yy) / (64 * 256))
                #expect(blocks.xy[index] == Float(xy) / (64 * 256))
            }
        }
    }
}
