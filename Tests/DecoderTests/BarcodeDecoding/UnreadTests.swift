import ImageCodecs
import Testing

@testable import BarcodeDecoding

/// What is located but not read.
@Suite(.timeLimit(.minutes(10))) struct UnreadTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var sample: String
        var change: @Sendable (LumaImage) -> LumaImage
        var unread: [String]

        init(
            _ label: String, _ sample: String, _ unread: [String],
            _ change: @escaping @Sendable (LumaImage) -> LumaImage = { $0 }
        ) {
            (testDescription, self.sample, self.unread, self.change) = (label, sample, unread, change)
        }
    }

    /// Print on paper that is not saturated, with a disk of one brightness over the middle.
    private static func covered(_ image: LumaImage, _ radius: Double, by tone: UInt8) -> LumaImage {
        let (x, y) = (Double(image.width) / 2, Double(image.height) / 2)
        return image.mapped { pixel, column, row in
            let (right, down) = (Double(column) - x, Double(row) - y)
            return right * right + down * down < radius * radius ? tone : UInt8(20 + Int(pixel) * 200 / 255)
        }
    }

    static let cases: [Case] = [
        Case("a symbol that is read", "qr.png", []), Case("nothing", "no-code.jpg", []),
        Case("a form", "order-form.png", []),
        Case("a covered QR Code", "qr.png", ["qr_code damaged"]) { covered($0, 22, by: 120) },
        Case("a reflection on a QR Code", "qr.png", ["qr_code glare"]) { covered($0, 26, by: 255) },
        Case("a covered Data Matrix", "data-matrix.png", ["data_matrix damaged"]) { covered($0, 22, by: 120) },
    ]

    @Test(arguments: cases) func unread(_ test: Case) throws {
        let image = test.change(try ImageLoader().load(contentsOf: BarcodeDecoderTests.samples + test.sample).image)
        let result = try BarcodeDecoder().search(image)
        #expect(result.unread.map { "\($0.kind.rawValue) \($0.reason.rawValue)" } == test.unread)
        #expect(test.unread.isEmpty || result.symbols.isEmpty)
    }

    /// The corners are those of the symbol, in pixels of the whole image.
    @Test func cornersAreThoseOfTheSymbol() throws {
        let image = try ImageLoader().load(contentsOf: BarcodeDecoderTests.samples + "qr.png").image
        let symbol = try #require(try BarcodeDecoder().decode(image).first)
        let unread = try #require(try BarcodeDecoder().search(Self.covered(image, 22, by: 120)).unread.first)
        #expect(unread.corners.boundingBox.overlap(with: symbol.corners.boundingBox) > 0.95)
        let side = symbol.corners.boundingBox.width / 25
        #expect((0.9 * side...1.1 * side).contains(unread.moduleSize))
    }
}

extension LumaImage {
    fileprivate func mapped(_ tone: (_ pixel: UInt8, _ column: Int, _ row: Int) -> UInt8) -> LumaImage {
        LumaImage(
            width: width, height: height,
            pixels: (0..<height).flatMap { row in (0..<width).map { tone(self[x: $0, y: row], $0, row) } })
    }
}
