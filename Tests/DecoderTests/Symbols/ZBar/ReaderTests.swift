import BarcodeCore
import ImageCodecs
import Symbols
import TestSupport
import Testing

/// The reader on sample pictures and on rendered ones.
@Suite(.timeLimit(.minutes(10))) struct ReaderTests {
    static let samples = ProgramRunner.samplesFolder

    static func sample(_ name: String) throws -> LumaImage {
        try ImageLoader().load(contentsOf: samples + name).image
    }

    static func readings(
        _ image: LumaImage, _ symbologies: Set<Symbology> = Symbology.standard
    ) throws -> [Reading] {
        let reader = ZBarReader()
        return try reader.read(image, symbologies: symbologies)
    }

    /// Returns pictures side by side, upright on white, `gap` pixels apart.
    static func row(_ images: [LumaImage], gap: Int) -> LumaImage {
        let width = images.reduce(gap) { $0 + $1.width + gap }
        let height = (images.map(\.height).max() ?? 0) + 2 * gap
        var pixels = [UInt8](repeating: 255, count: width * height)
        var left = gap
        for image in images {
            for y in 0..<image.height {
                for x in 0..<image.width { pixels[(y + gap) * width + left + x] = image[x: x, y: y] }
            }
            left += image.width + gap
        }
        return LumaImage(width: width, height: height, pixels: pixels)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var file: String
        var symbologies: Set<Symbology>
        var readings: [String]
        var testDescription: String { "\(file), \(symbologies.map(\.rawValue).sorted().joined(separator: " "))" }

        init(_ file: String, _ readings: [String]) {
            self.init(file, Symbology.standard, readings)
        }

        init(_ file: String, _ symbologies: Set<Symbology>, _ readings: [String]) {
            self.file = file
            self.symbologies = symbologies
            self.readings = readings
        }
    }

    static let cases: [Case] = [
        Case("qr.png", ["qr_code https://example.org/quietzone"]),
        Case("ean13.png", ["ean_13 4006381333931"]),
        Case("ean13-addon2.png", ["ean_13 9771234567003 + 05"]),
        Case("ean13-addon5.png", ["ean_13 9780306406157 + 54495"]),
        Case("upca.png", ["upc_a 036000291452"]),
        Case("upca-addon5.png", ["upc_a 036000291452 + 12345"]),
        Case("upca.png", [.ean13], ["ean_13 0036000291452"]),
        Case("upce.png", ["upc_e 04252614"]),
        Case("isbn.png", ["ean_13 9783161484100"]),
        Case("isbn.png", [.isbn13], ["isbn_13 9783161484100"]),
        Case("isbn.png", [.isbn10], ["isbn_10 316148410X"]),
        Case("ean13.png", [.isbn13], []),
        Case("ean13.png", [.isbn10], []),
        Case("ean13-addon2.png", [.ean2], ["ean_2 05"]),
        Case("ean13-addon5.png", [.ean5], ["ean_5 54495"]),
        Case("qr.png", [.code128], []),
        Case("qr.png", [], []),
        Case("gs1-128.png", ["code_128 010950110153000310LOT42\u{1D}217F3"]),
        Case("sq.png", ["sq_code QW4gU1EgQ29kZSBob2xkcyBieXRlcywgbm90IHRleHQ="]),
        Case("databar.png", ["databar 0109501101530003"]),
        Case("no-code.jpg", []),
    ]

    @Test(arguments: cases) func sample(_ test: Case) throws {
        let readings = try Self.readings(Self.sample(test.file), test.symbologies)
        let texts = readings.map { reading in
            "\(reading.symbology) \(String(decoding: reading.bytes, as: UTF8.self))"
                + (reading.addOn.map { " + \(String(decoding: $0, as: UTF8.self))" } ?? "")
        }
        #expect(texts == test.readings)
    }

    @Test func bytesAreThoseOfTheSymbol() throws {
        #expect(try Self.readings(Self.sample("qr-binary.png")).map(\.bytes) == [Array(0...255)])
        #expect(
            try Self.readings(Self.sample("qr-gb18030.png")).first?.bytes.prefix(8)
                == [0xCC, 0xF5, 0xC2, 0xEB, 0xD3, 0xEB, 0xB6, 0xFE])
        #expect(
            try Self.readings(Self.sample("qr-umlaut.png")).map(\.bytes) == [Array("Zürich, Привет".utf8)])
    }

    @Test func gs1IsMarked() throws {
        #expect(try Self.readings(Self.sample("gs1-128.png")).map(\.isGS1) == [true])
        #expect(try Self.readings(Self.sample("code128.png")).map(\.isGS1) == [false])
    }

    @Test func cornersLieAroundTheSymbol() throws {
        for (file, degrees) in [("code128.png", 0.0), ("code128-rotated90.png", 90), ("ean13-rotated180.png", 180)] {
            let image = try Self.sample(file)
            let reading = try #require(try Self.readings(image).first)
            #expect(reading.orientation == degrees, "\(file)")
            let box = reading.corners.boundingBox
            #expect(box.x >= 0 && box.y >= 0)
            #expect(box.x + box.width <= Double(image.width) && box.y + box.height <= Double(image.height))
            #expect(max(box.width, box.height) > 0.6 * Double(max(image.width, image.height)), "\(file)")
        }
    }

    @Test(arguments: [10, 60, 200]) func eachBookKeepsItsAddOn(_ gap: Int) throws {
        let books = try ["ean13-addon5.png", "upca-addon5.png", "ean13-addon2.png"].map(Self.sample)
        for order in [[0, 1], [1, 0], [0, 2], [2, 1, 0], [0, 1, 2]] {
            let readings = try Self.readings(Self.row(order.map { books[$0] }, gap: gap))
            let pairs = Set(readings.map { String(decoding: $0.bytes + [0x2B] + ($0.addOn ?? []), as: UTF8.self) })
            let expected = ["9780306406157+54495", "036000291452+12345", "9771234567003+05"]
            #expect(pairs == Set(order.map { expected[$0] }), "\(order)")
        }
    }

    @Test func aBookWithoutAnAddOnGetsNone() throws {
        let pair = try Self.row([Self.sample("ean13.png"), Self.sample("ean13-addon5.png")], gap: 120)
        let readings = try Self.readings(pair)
        #expect(readings.first { $0.bytes == Array("4006381333931".utf8) }?.addOn == nil)
        #expect(readings.first { $0.bytes == Array("9780306406157".utf8) }?.addOn == Array("54495".utf8))
    }

    @Test func rowsWithGaps() throws {
        // A picture with padded rows is packed; zbar must see the same pixels.
        let image = try Self.sample("qr.png")
        let stride = image.width + 37
        var bytes = [UInt8](repeating: 0x55, count: stride * image.height)
        for y in 0..<image.height { for x in 0..<image.width { bytes[y * stride + x] = image[x: x, y: y] } }
        let copy = bytes.withUnsafeBytes {
            LumaImage(copying: $0, width: image.width, height: image.height, bytesPerRow: stride)
        }
        #expect(try Self.readings(copy) == Self.readings(image))
    }

    @Test(arguments: [
        (1, 1), (1, 2), (2, 1), (1, 500), (500, 1), (2, 2), (3, 700), (700, 3), (64, 64), (1, 65_535), (65_535, 1),
    ])
    func plainPictures(_ width: Int, _ height: Int) throws {
        for value: UInt8 in [0, 127, 255] {
            let image = LumaImage(
                width: width, height: height, pixels: [UInt8](repeating: value, count: width * height))
            #expect(try Self.readings(image, Set(Symbology.all)) == [])
        }
        let stripes = LumaImage(
            width: width, height: height, pixels: (0..<width * height).map { $0 % 2 == 0 ? 0 : 255 })
        _ = try Self.readings(stripes, Set(Symbology.all))
    }

    @Test func noPictureAtAll() throws {
        #expect(try Self.readings(LumaImage(width: 0, height: 0, pixels: [])) == [])
        #expect(try Self.readings(LumaImage(width: 5, height: 0, pixels: [])) == [])
    }

    @Test func oneReaderReadsManyPictures() throws {
        let files = ["qr.png", "ean13-addon5.png", "no-code.jpg", "order-form.png", "isbn.png"]
        let images = try files.map(Self.sample)
        let choices: [Set<Symbology>] = [Symbology.standard, [.qrCode], Set(Symbology.all), [.isbn13, .code128]]
        let fresh = try images.flatMap { image in try choices.map { try Self.readings(image, $0) } }
        let reader = ZBarReader()
        for _ in 0..<10 {
            var again: [[Reading]] = []
            for image in images { for choice in choices { again.append(try reader.read(image, symbologies: choice)) } }
            // The readings of one picture must not depend on earlier pictures or earlier selections of symbologies.
            #expect(again == fresh)
        }
    }

    @Test func coarserScanning() throws {
        let reader = ZBarReader(density: 4)
        #expect(reader.density == 4)
        #expect(try reader.read(Self.sample("ean13.png"), symbologies: [.ean13]).count == 1)
    }

    @Test func version() {
        let parts = ZBarReader.libraryVersion.split(separator: ".").compactMap { Int($0) }
        #expect(parts.count == 3)
        #expect(parts.lexicographicallyPrecedes([1]) && !parts.lexicographicallyPrecedes([0, 23]))
        #expect(ZBarReader.supportedSymbologies.isSubset(of: Symbology.all))
        #expect(ZBarReader.supportedSymbologies.isSuperset(of: [.qrCode, .sqCode, .ean13, .code128, .dataBar]))
    }
}
