import BarcodeCore
import BarcodeDecoding
import Foundation
import ImageCodecs
import TestSupport
import Testing

/// The main interface: pictures in, symbols out.
@Suite(.timeLimit(.minutes(10))) struct BarcodeDecoderTests {
    static let samples =
        ProgramRunner.samplesFolder

    struct Sample: Decodable, Sendable, CustomTestStringConvertible {
        struct Content: Decodable, Sendable {
            var format: String
            var text: String
            var addOn: String?
            var bytesBase64: String?
        }

        var file: String
        var symbols: [Content]
        var testDescription: String { file }

        var path: String { BarcodeDecoderTests.samples + file }
        var contents: Set<String> { Set(symbols.map { "\($0.format) \($0.text) \($0.addOn ?? "-")" }) }
    }

    static let all: [Sample] = {
        let data = (try? Data(contentsOf: URL(fileURLWithPath: samples + "expected.json"))) ?? Data()
        return (try? JSONDecoder().decode([Sample].self, from: data)) ?? []
    }()

    static func contents(_ symbols: [Symbol]) -> Set<String> {
        Set(symbols.map { "\($0.symbology) \($0.text) \($0.addOn ?? "-")" })
    }

    static let small = all.filter { !["scene-12mp.jpg"].contains($0.file) }

    @Test func thereAreSamples() { #expect(Self.all.count > 50) }

    @Test(arguments: all) func sample(_ sample: Sample) throws {
        let decoder = BarcodeDecoder()
        let fromFile = try decoder.decode(contentsOf: sample.path)
        let fromBytes = try decoder.decode(bytes: [UInt8](Data(contentsOf: URL(fileURLWithPath: sample.path))))
        let fromPixels = try decoder.decode(ImageLoader().load(contentsOf: sample.path).image)
        #expect(Self.contents(fromFile) == sample.contents)
        #expect(fromFile.count == sample.symbols.count)
        #expect(fromBytes == fromFile)
        #expect(fromPixels == fromFile)
        for content in sample.symbols {
            guard let bytes = content.bytesBase64.flatMap({ Data(base64Encoded: $0) }) else { continue }
            #expect(fromFile.map(\.bytes).contains([UInt8](bytes)))
        }
    }

    @Test func manyTasksAtOnce() async throws {
        let decoder = BarcodeDecoder()
        let images = try Self.small.map { try ImageLoader().load(contentsOf: $0.path).image }
        let alone = try images.map { try decoder.decode($0) }
        try await withThrowingTaskGroup(of: (Int, [Symbol]).self) { group in
            for task in 0..<64 {
                let index = task % images.count
                group.addTask { (index, try await decoder.decode(images[index])) }
            }
            for try await (index, symbols) in group { #expect(symbols == alone[index], "\(Self.small[index].file)") }
        }
    }

    @Test(arguments: DecodeOptions.Effort.allCases) func nothingIsAnEmptyArray(_ effort: DecodeOptions.Effort) throws {
        for value: UInt8 in [0, 128, 255] {
            for (width, height) in [(1, 1), (1, 300), (300, 1), (200, 100)] {
                let image = LumaImage(
                    width: width, height: height, pixels: [UInt8](repeating: value, count: width * height))
                let options = DecodeOptions(symbologies: Set(Symbology.all), effort: effort)
                #expect(try BarcodeDecoder().decode(image, options: options) == [])
            }
        }
    }

    @Test func symbologies() throws {
        let decoder = BarcodeDecoder()
        func read(_ symbologies: Set<Symbology>) throws -> [Symbology] {
            try decoder.decode(
                contentsOf: Self.samples + "order-form.png", options: DecodeOptions(symbologies: symbologies)
            ).map(\.symbology)
        }
        #expect(Set(try read(Symbology.standard)) == [.code128, .ean13, .code39, .itf, .qrCode])
        #expect(try read([.qrCode]) == [.qrCode])
        #expect(Set(try read([.qrCode, .code39])) == [.qrCode, .code39])
        #expect(try read([.sqCode]) == [])
        #expect(try read([]) == [])
    }

    @Test(arguments: [-1, 0, 1, 3, 12, 99]) func maximumCount(_ count: Int) throws {
        let symbols = try BarcodeDecoder().decode(
            contentsOf: Self.samples + "qr-sheet.png", options: DecodeOptions(maximumCount: count))
        #expect(symbols.count == min(max(0, count), 12))
    }

    @Test(
        "Each symbol of a large sheet is read",
        arguments: [
            "aztec.png", "data-matrix.png", "dot-code.png", "isbn.png", "micro-pdf417.png", "micro-qr.png",
            "pdf417.png", "qr.png", "rmqr.png",
        ])
    func sheet(_ sample: String) throws {
        let sheet = try Self.tiled(ImageLoader().load(contentsOf: Self.samples + sample).image, columns: 5, rows: 8)
        let one = try BarcodeDecoder().decode(
            contentsOf: Self.samples + sample, options: DecodeOptions(symbologies: Set(Symbology.all)))
        let symbologies = Set(one.map(\.symbology))
        let symbols = try BarcodeDecoder().decode(sheet, options: DecodeOptions(symbologies: symbologies))
        #expect(one.count == 1 && symbols.map(\.text) == Array(repeating: one[0].text, count: 40))
    }

    /// Returns copies of a picture in columns and rows, with white gaps.
    private static func tiled(_ image: LumaImage, columns: Int, rows: Int) -> LumaImage {
        let gap = 24
        let (across, along) = (image.width + gap, image.height + gap)
        let (width, height) = (columns * across, rows * along)
        return LumaImage(width: width, height: height) { target in
            for y in 0..<height {
                for x in 0..<width {
                    let isPaper = x % across >= image.width || y % along >= image.height
                    target[y * width + x] =
                        isPaper ? 255 : image[x: x % across, y: y % along]
                }
            }
        }
    }

    @Test func noTimeIsNoPass() throws {
        for effort in DecodeOptions.Effort.allCases {
            let options = DecodeOptions(effort: effort, timeBudget: .zero)
            #expect(try BarcodeDecoder().decode(contentsOf: Self.samples + "qr.png", options: options) == [])
        }
        let plenty = DecodeOptions(timeBudget: .seconds(60))
        #expect(try BarcodeDecoder().decode(contentsOf: Self.samples + "qr.png", options: plenty).count == 1)
    }

    @Test func symbolsStandFromTopToBottom() throws {
        let symbols = try BarcodeDecoder().decode(contentsOf: Self.samples + "order-form.png")
        let heights = symbols.map(\.corners.center.y)
        #expect(heights == heights.sorted())
    }

    @Test func limitsHoldForPixelsToo() throws {
        let decoder = BarcodeDecoder(limits: Limits(maximumPixels: 132 * 132 - 1))
        let image = try ImageLoader().load(contentsOf: Self.samples + "qr.png").image
        #expect(throws: DecodeError.self) { try decoder.decode(image) }
        #expect(throws: DecodeError.self) { try decoder.decode(contentsOf: Self.samples + "qr.png") }
        let just = BarcodeDecoder(limits: Limits(maximumPixels: 132 * 132))
        #expect(try just.decode(image).count == 1)
    }

    @Test(arguments: [
        ("/nowhere.png", DecodeError.Code.notFound), ("/", .isDirectory), ("/dev/null", .emptyFile),
    ])
    func errorsNameTheFile(_ path: String, _ code: DecodeError.Code) throws {
        let error = try #require(throws: DecodeError.self) { try BarcodeDecoder().decode(contentsOf: path) }
        #expect(error.code == code)
        #expect(error.subject == path)
    }

    @Test func bytesThatAreNoPicture() throws {
        for (bytes, code) in [
            ([], DecodeError.Code.emptyFile), (Array("no picture".utf8), .unsupportedFormat),
            (Array("P5 2 2 255\n".utf8), .corrupt),
        ] {
            let error = try #require(throws: DecodeError.self) { try BarcodeDecoder().decode(bytes: bytes) }
            #expect(error.code == code && error.subject == "the picture")
        }
    }

    /// A misspelled symbology is not a picture without symbols.
    @Test func unknownSymbology() throws {
        let options = DecodeOptions(symbologies: [.ean8, Symbology(rawValue: "qrcode")])
        let path = Self.samples + "qr.png"
        let error = try #require(throws: DecodeError.self) {
            try BarcodeDecoder().decode(contentsOf: path, options: options)
        }
        #expect(error.code == .invalidRequest && error.message.contains("the unknown symbology 'qrcode'"))
    }

    @Test(arguments: DecodeOptions.Effort.allCases) func invertedSymbols(_ effort: DecodeOptions.Effort) throws {
        let image = try ImageLoader().load(contentsOf: Self.samples + "order-form.png").image
        let options = DecodeOptions(effort: effort)
        let upright = try BarcodeDecoder().decode(image, options: options)
        let inverted = try BarcodeDecoder().decode(image.inverted(), options: options)
        #expect(!upright.isEmpty && upright.allSatisfy { !$0.isInverted })
        #expect(!inverted.isEmpty && inverted.allSatisfy(\.isInverted))
    }

    @Test func thoroughFindsAtLeastWhatNormalFinds() throws {
        for sample in Self.small {
            let normal = try BarcodeDecoder().decode(contentsOf: sample.path)
            let thorough = try BarcodeDecoder().decode(
                contentsOf: sample.path, options: DecodeOptions(effort: .thorough))
            #expect(Self.contents(thorough).isSuperset(of: Self.contents(normal)), "\(sample.file)")
        }
    }

    @Test func identifiersAndPackets() throws {
        func only(_ file: String) throws -> Symbol {
            try #require(try BarcodeDecoder().decode(contentsOf: Self.samples + file).first)
        }
        let table = [
            ("ean13.png", "]E0", "4006381333931"), ("ean13-addon2.png", "]E3", "977123456700305"),
            ("ean8.png", "]E4", "96385074"), ("upca.png", "]E0", "0036000291452"),
            ("upca-addon5.png", "]E3", "003600029145212345"), ("upce.png", "]E0", "0042100005264"),
            ("code128.png", "]C0", "Quietzone 128"), ("gs1-128.png", "]C1", "010950110153000310LOT42\u{1D}217F3"),
            ("code93.png", "]G0", "QUIETZONE 93"), ("code39.png", "]A0", "QUIETZONE-39"),
            ("codabar.png", "]F0", "A1234567B"), ("itf.png", "]I0", "1234567890"),
            ("databar.png", "]e0", "0109501101530003"), ("qr.png", "]Q1", "https://example.org/quietzone"),
        ]
        for (file, identifier, packet) in table {
            let symbol = try only(file)
            #expect(symbol.symbologyIdentifier == identifier, "\(file)")
            #expect(symbol.bytes == Array(packet.utf8), "\(file)")
        }
    }
}
