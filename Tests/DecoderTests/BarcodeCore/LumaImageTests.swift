import BarcodeCore
import Testing

/// Gray pictures.
@Suite(.timeLimit(.minutes(10))) struct LumaImageTests {
    static func pixels(_ image: LumaImage) -> [UInt8] {
        (0..<image.height).flatMap { y in (0..<image.width).map { image[x: $0, y: y] } }
    }

    @Test func rowsWithGaps() {
        let bytes: [UInt8] = [1, 2, 3, 99, 99, 4, 5, 6]
        let image = bytes.withUnsafeBytes { LumaImage(copying: $0, width: 3, height: 2, bytesPerRow: 5) }
        #expect(Self.pixels(image) == [1, 2, 3, 4, 5, 6])
        #expect((image.width, image.height, image.pixelCount) == (3, 2, 6))
        #expect(image.withUnsafePixels { Array($0) } == [1, 2, 3, 4, 5, 6])
    }

    @Test func inverted() {
        let image = LumaImage(width: 2, height: 2, pixels: [0, 1, 128, 255])
        #expect(Self.pixels(image.inverted()) == [255, 254, 127, 0])
        #expect(Self.pixels(image.inverted().inverted()) == Self.pixels(image))
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var label: String
        var width: Int
        var height: Int
        var pixels: [UInt8]
        var half: [UInt8]
        var testDescription: String { label }
    }

    static let cases: [Case] = [
        .init(label: "two by two", width: 2, height: 2, pixels: [0, 10, 20, 30], half: [15]),
        .init(label: "rounded to the nearest", width: 2, height: 2, pixels: [0, 0, 1, 1], half: [1]),
        .init(label: "rounded down", width: 2, height: 2, pixels: [0, 0, 0, 1], half: [0]),
        .init(label: "white", width: 2, height: 2, pixels: [255, 255, 255, 255], half: [255]),
        .init(
            label: "odd sides", width: 3, height: 3, pixels: [4, 4, 99, 4, 4, 99, 99, 99, 99], half: [4]),
        .init(label: "wide", width: 4, height: 2, pixels: [0, 0, 8, 8, 0, 0, 8, 8], half: [0, 8]),
        .init(label: "high", width: 2, height: 4, pixels: [0, 0, 0, 0, 8, 8, 8, 8], half: [0, 8]),
        .init(label: "one column", width: 1, height: 4, pixels: [1, 2, 3, 4], half: []),
        .init(label: "one row", width: 4, height: 1, pixels: [1, 2, 3, 4], half: []),
        .init(label: "nothing", width: 0, height: 0, pixels: [], half: []),
    ]

    @Test(arguments: cases) func halved(_ test: Case) {
        let image = LumaImage(width: test.width, height: test.height, pixels: test.pixels)
        let half = image.halved()
        #expect((half.width, half.height) == (test.width / 2, test.height / 2))
        #expect(Self.pixels(half) == test.half)
    }

    @Test("Each pixel at half size is the mean of four, for rows of every length and stride")
    func halvedRows() {
        for width in [15, 16, 17, 18, 30, 32, 33, 50, 64, 79] {
            let bytes = (0..<(width + 5) * 4).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 &+ $0 / 7) }
            let image = bytes.withUnsafeBytes {
                LumaImage(copying: $0, width: width, height: 4, bytesPerRow: width + 5)
            }
            let means = [0, 2].flatMap { y in
                (0..<width / 2).map { x -> UInt8 in
                    let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map { Int(image[x: 2 * x + $0.0, y: y + $0.1]) }
                    return UInt8((four.reduce(0, +) + 2) / 4)
                }
            }
            #expect(Self.pixels(image.halved()) == means, "\(width) pixels")
        }
    }

    @Test("An image at twice its size has the same mean and the same border pixels", arguments: cases)
    func doubled(_ test: Case) {
        let image = LumaImage(width: test.width, height: test.height, pixels: test.pixels)
        let double = image.doubled()
        #expect((double.width, double.height) == (2 * test.width, 2 * test.height))
        let pixels = Self.pixels(double)
        #expect(pixels.first == test.pixels.first && pixels.last == test.pixels.last)
        let sums = (pixels.reduce(0) { $0 + Int($1) }, 4 * test.pixels.reduce(0) { $0 + Int($1) })
        #expect(abs(sums.0 - sums.1) <= pixels.count)
    }

    @Test("A row at twice its size weights the nearest pixel by three and the next one by one")
    func doubledRow() {
        let row = LumaImage(width: 3, height: 1, pixels: [0, 100, 20]).doubled()
        #expect(Self.pixels(row) == [0, 25, 75, 80, 40, 20, 0, 25, 75, 80, 40, 20])
    }

    @Test func copiesOutliveTheirSource() {
        var copy = LumaImage(width: 1, height: 1, pixels: [7])
        do {
            let image = LumaImage(width: 2, height: 1, pixels: [1, 2])
            copy = image
        }
        #expect(Self.pixels(copy) == [1, 2])
    }

    @Test func anErrorInTheClosureIsThrown() {
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try LumaImage(width: 2, height: 2) { _ in throw Failure() }
        }
    }
}
