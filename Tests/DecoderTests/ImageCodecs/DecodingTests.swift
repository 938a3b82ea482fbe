import BarcodeCore
import ImageCodecs
import Testing

/// A fixture, the expected gray picture, and the permitted difference.
struct Sample: Sendable, CustomTestStringConvertible {
    var file: String
    var expected: String
    var largest: Int
    var mean: Double

    init(_ file: String, _ expected: String, largest: Int = 1, mean: Double = 0.6) {
        self.file = file
        self.expected = expected
        self.largest = largest
        self.mean = mean
    }

    var testDescription: String { file }
}

@Suite struct DecodingTests {
    static let pngs: [Sample] =
        [
            "grey1", "grey2", "grey4", "grey8", "grey16", "rgb8", "rgb16", "greya8", "greya16", "rgba8", "rgba16",
            "palette1", "palette2", "palette4", "palette8", "palette4-trns", "grey8-trns", "grey16-trns", "rgb8-trns",
        ].flatMap { [Sample("png-\($0).png", "png-\($0).pgm"), Sample("png-\($0)-i.png", "png-\($0).pgm")] }
        + [Sample("png-animated.png", "png-grey8.pgm")]

    static let jpegs: [Sample] = [
        Sample("jpeg-grey.jpg", "photo.pgm", largest: 12, mean: 2),
        Sample("jpeg-420.jpg", "photo.pgm", largest: 12, mean: 2),
        Sample("jpeg-422.jpg", "photo.pgm", largest: 12, mean: 2),
        Sample("jpeg-444.jpg", "photo.pgm", largest: 12, mean: 2),
        Sample("jpeg-restart.jpg", "photo.pgm", largest: 12, mean: 2),
        Sample("jpeg-progressive.jpg", "photo.pgm", largest: 12, mean: 2),
        Sample("jpeg-arithmetic.jpg", "photo.pgm", largest: 12, mean: 2),
        Sample("jpeg-arithmetic-progressive.jpg", "photo.pgm", largest: 12, mean: 2),
        Sample("jpeg-rgb.jpg", "photo.pgm", largest: 12, mean: 2),
        Sample("jpeg-cmyk.jpg", "photo.pgm", largest: 16, mean: 2.5),
        Sample("jpeg-ycck.jpg", "jpeg-ycck.pgm", largest: 3, mean: 1),
    ]

    static let webps: [Sample] = [
        Sample("webp-lossy.webp", "photo.pgm", largest: 16, mean: 2.5),
        Sample("webp-lossless.webp", "photo.pgm", largest: 2, mean: 1),
        Sample("webp-lossy-alpha.webp", "png-rgba8.pgm", largest: 90, mean: 4),
        Sample("webp-lossless-alpha.webp", "png-rgba8.pgm", largest: 2, mean: 1),
        Sample("webp-animated.webp", "photo.pgm", largest: 2, mean: 1),
    ]

    static let pnms: [Sample] = [
        Sample("pnm-p1.pbm", "pnm-bits.pgm", largest: 0),
        Sample("pnm-p2.pgm", "pnm-grey.pgm", largest: 2, mean: 1),
        Sample("pnm-p3.ppm", "pnm-grey.pgm"),
        Sample("pnm-p4.pbm", "pnm-bits.pgm", largest: 0),
        Sample("pnm-p5.pgm", "pnm-grey.pgm", largest: 0),
        Sample("pnm-p5-16.pgm", "pnm-grey.pgm"),
        Sample("pnm-p5-max100.pgm", "pnm-grey.pgm", largest: 2, mean: 1),
        Sample("pnm-p6.ppm", "pnm-grey.pgm"),
        Sample("pnm-p6-1000.ppm", "pnm-grey.pgm"),
    ]

    @Test(arguments: Fixtures.samples)
    func showsWhatWasStored(_ sample: Sample) throws {
        let loaded = try ImageLoader().load(contentsOf: Fixtures.path(sample.file))
        let expected = try Fixtures.expected(sample.expected)
        let image = Gray(loaded.image)
        #expect([image.width, image.height] == [expected.width, expected.height])
        #expect([loaded.width, loaded.height, loaded.scale] == [expected.width, expected.height, 1])
        #expect(loaded.format.rawValue == sample.file.prefix { $0 != "-" })
        #expect(loaded.decodedRows == expected.height)
        #expect(!loaded.isTruncated)
        #expect(loaded.damage == nil)
        #expect(loaded.orientation == 1)
        let difference = image.difference(to: expected)
        #expect(difference.largest <= sample.largest)
        #expect(difference.mean <= sample.mean)
    }

    @Test(arguments: [
        (1, 1, 64, 48), (2, 2, 32, 24), (3, 2, 32, 24), (4, 4, 16, 12), (8, 8, 8, 6), (100, 8, 8, 6), (0, 1, 64, 48),
    ])
    func reducesJPEGWhileDecoding(asked: Int, scale: Int, width: Int, height: Int) throws {
        for file in ["jpeg-420.jpg", "jpeg-progressive.jpg", "jpeg-cmyk.jpg"] {
            let loaded = try ImageLoader().load(Fixtures.bytes(file), scale: asked)
            #expect(
                [loaded.scale, loaded.image.width, loaded.image.height, loaded.width, loaded.height]
                    == [scale, width, height, 64, 48])
        }
    }

    @Test func otherFormatsAreNotReduced() throws {
        for file in ["png-grey8.png", "webp-lossy.webp", "pnm-p5.pgm"] {
            let loaded = try ImageLoader().load(Fixtures.bytes(file), scale: 4)
            #expect(loaded.scale == 1)
            #expect(loaded.image.width == loaded.width)
        }
    }

    @Test("A PNG whose header gives too small a window is read")
    func smallWindow() throws {
        var bytes = try Fixtures.bytes("png-grey8.png")
        let expected = Gray(try ImageLoader().load(bytes).image)
        let data = try #require(bytes.firstRange(of: Array("IDAT".utf8))?.upperBound)
        let length = bytes[data - 8..<data - 4].reduce(0) { $0 << 8 | Int($1) }
        try #require(length > 256)
        // A window of 256 bytes; the second byte makes both a multiple of 31.
        bytes.replaceSubrange(data..<data + 2, with: [0x08, 0x1D])
        let sum = LimitTests.crc(Array(bytes[data - 4..<data + length]))
        bytes.replaceSubrange(data + length..<data + length + 4, with: LimitTests.bigEndian(Int(sum), bytes: 4))
        let loaded = try ImageLoader().load(bytes)
        #expect(loaded.damage == nil && Gray(loaded.image) == expected)
    }

    @Test func adobeStoresLightAndOthersStoreInk() throws {
        let adobe = try ImageLoader().load(Fixtures.bytes("jpeg-cmyk-white.jpg"))
        let plain = try ImageLoader().load(Fixtures.bytes("jpeg-cmyk-plain.jpg"))
        #expect(adobe.image[x: 3, y: 3] == 255)
        #expect(plain.image[x: 3, y: 3] == 0)
    }

    @Test func frameThatIsSmallerThanItsAnimationStandsOnWhite() throws {
        let loaded = try ImageLoader().load(Fixtures.bytes("webp-animated-offset.webp"))
        let frame = try Fixtures.expected("png-rgb8.pgm")
        let image = Gray(loaded.image)
        #expect([image.width, image.height] == [64, 48])
        #expect(!loaded.isTruncated)
        for y in 0..<48 {
            for x in 0..<64 {
                let isInside = (10..<(10 + frame.width)).contains(x) && (6..<(6 + frame.height)).contains(y)
                let expected = isInside ? Int(frame.pixels[(y - 6) * frame.width + x - 10]) : 255
                #expect(abs(Int(image.pixels[y * 64 + x]) - expected) <= 2, "at \(x), \(y)")
            }
        }
    }

    @Test(arguments: [
        ("jpeg-exif-6.jpg", 6), ("jpeg-exif-8.jpg", 8), ("jpeg-420.jpg", 1), ("png-exif-6.png", 6),
        ("png-exif-3-behind.png", 3), ("webp-exif-8.webp", 8), ("webp-lossy.webp", 1), ("pnm-p5.pgm", 1),
        ("avif-irot-1.avif", 8), ("avif-irot-2.avif", 3), ("avif-irot-3.avif", 6), ("avif-imir-0.avif", 4),
        ("avif-imir-1.avif", 2), ("avif-irot-1-imir-1.avif", 7), ("heic-420.heic", 1), ("tiff-exif-3.tif", 3),
        ("tiff-exif-6.tif", 6), ("tiff-exif-8.tif", 8), ("jpegxl-exif-6.jxl", 6),
    ])
    func tellsTheOrientation(file: String, orientation: Int) throws {
        let loaded = try ImageLoader().load(Fixtures.bytes(file))
        #expect(loaded.orientation == orientation)
        #expect(!loaded.isTruncated)
    }

    @Test func versionsAreNumbers() {
        #expect(
            CodecVersions.all.map(\.library) == [
                "libjpeg-turbo", "libpng", "libwebp", "libheif", "libtiff", "giflib", "OpenJPEG", "libjxl",
                "pdftoppm",
            ])
        // All libraries of scripts/install-dependencies must be installed, or their tests would only check an error.
        #expect(CodecVersions.missing.isEmpty)
        for (library, version) in CodecVersions.all {
            #expect(version.split(separator: ".").compactMap { Int($0) }.count == 3, "\(library) \(version)")
        }
    }
}

@Suite struct PNGWriterTests {
    @Test func whatIsWrittenIsRead() throws {
        let (width, height) = (19, 7)
        let gray = (0..<(width * height)).map { UInt8(truncatingIfNeeded: $0 * 31) }
        let rgb = gray.flatMap { [$0, $0, $0] }
        let fromGray = try ImageLoader().load(PNGWriter.encode(gray: gray, width: width, height: height))
        let fromRGB = try ImageLoader().load(PNGWriter.encode(rgb: rgb, width: width, height: height))
        #expect(Gray(fromGray.image) == Gray(width: width, height: height, pixels: gray))
        #expect(Gray(fromRGB.image) == Gray(width: width, height: height, pixels: gray))
        #expect(fromGray.damage == nil && fromRGB.damage == nil)
    }

    @Test func colorsKeepTheirOrder() throws {
        let bytes = try PNGWriter.encode(rgb: [255, 0, 0, 0, 255, 0, 0, 0, 255], width: 3, height: 1)
        #expect(Gray(try ImageLoader().load(bytes).image).pixels == [76, 150, 29])
    }
}
