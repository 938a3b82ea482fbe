import BarcodeCore
import ImageCodecs
import Testing

/// Pictures whose header exceeds the limits are rejected before decoding.
@Suite struct LimitTests {
    struct Bomb: Sendable, CustomTestStringConvertible {
        var name: String
        var bytes: [UInt8]
        var error: DecodeError
        var testDescription: String { name }
    }

    static func bigEndian(_ value: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// Returns a PNG header and the first bytes of its pixels.
    static func png(width: Int, height: Int) -> [UInt8] {
        var header = Array("IHDR".utf8)
        header += bigEndian(width, bytes: 4) + bigEndian(height, bytes: 4) + [8, 2, 0, 0, 0]
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        bytes += bigEndian(13, bytes: 4) + header + bigEndian(Int(crc(header)), bytes: 4)
        return bytes + bigEndian(100, bytes: 4) + Array("IDAT".utf8) + [0x78, 0x9C]
    }

    static func crc(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    /// Returns a JPEG header with the given components, and the header of its first scan.
    static func jpeg(width: Int, height: Int, frame: UInt8, components: [UInt8]) -> [UInt8] {
        let count = UInt8(components.count)
        var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, frame]
        bytes += bigEndian(8 + 3 * components.count, bytes: 2) + [8]
        bytes += bigEndian(height, bytes: 2) + bigEndian(width, bytes: 2) + [count]
        for component in components { bytes += [component, 0x11, 0] }
        bytes += [0xFF, 0xDA] + bigEndian(6 + 2 * components.count, bytes: 2) + [count]
        for component in components { bytes += [component, 0] }
        return bytes + [0, frame == 0xC2 ? 0 : 63, 0, 0, 0, 0]
    }

    /// A lossless WebP of the maximum size.
    static let webp: [UInt8] =
        Array("RIFF".utf8) + [40, 0, 0, 0] + Array("WEBPVP8L".utf8) + [28, 0, 0, 0]
        + [0x2F, 0xFE, 0xBF, 0xFF, 0x0F] + [UInt8](repeating: 0, count: 23)

    @Test("A JPEG 2000 with more tiles than a number holds is refused")
    func tilesWithoutNumber() {
        var stream: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51, 0, 41, 0, 0]
        let sides = [UInt32.max, .max, 0, 0, 1, 1, 0, 0]
        for side in sides { stream += Self.bigEndian(Int(side), bytes: 4) }
        stream += [0, 1, 7, 1, 1]
        #expect(throws: DecodeError.self) { try ImageLoader().load(stream) }
    }

    static func tooLarge(_ width: Int, _ height: Int) -> DecodeError {
        DecodeError(.tooLarge, "the picture is \(width) x \(height) pixels; the limit is 200 megapixels")
    }

    static func tooLong(_ width: Int, _ height: Int) -> DecodeError {
        DecodeError(.tooLarge, "the picture is \(width) x \(height) pixels; the limit for a side is 65535")
    }

    static func memory(_ what: String, _ megabytes: Int) -> DecodeError {
        DecodeError(.tooLarge, "is \(what) that takes \(megabytes) MB to decode; the limit is 536 MB")
    }

    static func pnm(_ header: String, _ error: DecodeError) -> Bomb {
        Bomb(name: "PNM \(header)", bytes: Array(header.utf8), error: error)
    }

    static let numberTooLarge = DecodeError(.tooLarge, "is a PNM with a number in its header that is too large")

    /// Returns a TIFF of one black strip, with as few bytes as possible.
    static func tiff(width: Int, height: Int) -> [UInt8] {
        let entries = [
            (256, width), (257, height), (258, 8), (259, 1), (262, 1), (273, 8), (277, 1), (278, height), (279, 4),
        ]
        var bytes: [UInt8] = Array("MM\0*".utf8) + bigEndian(12, bytes: 4) + [0, 0, 0, 0]
        bytes += bigEndian(entries.count, bytes: 2)
        for (tag, value) in entries {
            bytes += bigEndian(tag, bytes: 2) + [0, 4, 0, 0, 0, 1] + bigEndian(value, bytes: 4)
        }
        return bytes + [0, 0, 0, 0]
    }

    static func littleEndian(_ value: Int, bytes: Int) -> [UInt8] { bigEndian(value, bytes: bytes).reversed() }

    static func gif(width: Int, height: Int) -> [UInt8] {
        let size = littleEndian(width, bytes: 2) + littleEndian(height, bytes: 2)
        return Array("GIF89a".utf8) + size + [0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2C, 0, 0, 0, 0] + size + [
            0, 2, 1, 0,
        ]
    }

    static func bmp(width: Int, height: Int) -> [UInt8] {
        Array("BM".utf8) + [UInt8](repeating: 0, count: 8) + [54, 0, 0, 0, 40, 0, 0, 0] + littleEndian(width, bytes: 4)
            + littleEndian(height, bytes: 4) + [1, 0, 24, 0] + [UInt8](repeating: 0, count: 24)
    }

    /// Returns a JPEG 2000 codestream up to its first tile.
    static func jpeg2000(width: Int, height: Int, tile: Int, components: Int = 1) -> [UInt8] {
        var bytes: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51] + bigEndian(38 + 3 * components, bytes: 2) + [0, 0]
        for number in [width, height, 0, 0, tile, tile, 0, 0] { bytes += bigEndian(number, bytes: 4) }
        bytes += bigEndian(components, bytes: 2)
        for _ in 0..<components { bytes += [7, 1, 1] }
        return bytes
    }

    static let bombs: [Bomb] = [
        Bomb(name: "TIFF area", bytes: tiff(width: 60_000, height: 60_000), error: tooLarge(60_000, 60_000)),
        Bomb(name: "TIFF side", bytes: tiff(width: 2_000_000_000, height: 1), error: tooLong(2_000_000_000, 1)),
        Bomb(name: "GIF area", bytes: gif(width: 60_000, height: 60_000), error: tooLarge(60_000, 60_000)),
        Bomb(name: "BMP area", bytes: bmp(width: 60_000, height: 60_000), error: tooLarge(60_000, 60_000)),
        Bomb(name: "BMP side", bytes: bmp(width: 70_000, height: -1), error: tooLong(70_000, 1)),
        Bomb(
            name: "JPEG 2000 area", bytes: jpeg2000(width: 60_000, height: 60_000, tile: 60_000),
            error: tooLarge(60_000, 60_000)),
        Bomb(
            name: "JPEG 2000 tiles", bytes: jpeg2000(width: 2550, height: 2550, tile: 10, components: 16_000),
            error: memory("a JPEG 2000", 1_665_036)),
        Bomb(name: "PNG area", bytes: png(width: 60_000, height: 60_000), error: tooLarge(60_000, 60_000)),
        Bomb(name: "PNG side", bytes: png(width: 2_000_000_000, height: 1), error: tooLong(2_000_000_000, 1)),
        Bomb(
            name: "JPEG area", bytes: jpeg(width: 65_500, height: 65_500, frame: 0xC0, components: [1]),
            error: tooLarge(65_500, 65_500)),
        Bomb(
            name: "JPEG side", bytes: jpeg(width: 65_535, height: 8, frame: 0xC0, components: [1]),
            error: DecodeError(
                .tooLarge,
                "is a JPEG whose sides are too long (Maximum supported image dimension is 65500 pixels)")),
        Bomb(
            name: "JPEG coefficients", bytes: jpeg(width: 14_000, height: 14_000, frame: 0xC2, components: [1, 2, 3]),
            error: memory("a progressive JPEG", 1_177)),
        Bomb(name: "WebP area", bytes: webp, error: tooLarge(16_383, 16_383)),
        pnm("P5 60000 60000 255 ", tooLarge(60_000, 60_000)),
        pnm("P6 70000 1 255 ", tooLong(70_000, 1)),
        pnm("P5 99999999999999999999 1 255 ", numberTooLarge),
        pnm("P2 1 4294967297 255 ", numberTooLarge),
        pnm("P5 2 2 999999999999 ", numberTooLarge),
        pnm("P5 2 2 65536 ", DecodeError(.corrupt, "is a PNM with the maximum value 65536; it must be 1 to 65535")),
        pnm("P5 2 2 0 ", DecodeError(.corrupt, "is a PNM with the maximum value 0; it must be 1 to 65535")),
        pnm("P5 0 2 255 ", DecodeError(.corrupt, "the picture has an invalid size of 0 x 2 pixels")),
        pnm("P5 2 -2 255 ", DecodeError(.corrupt, "is a PNM with a broken header (a number is missing)")),
        pnm("P5 2 2", DecodeError(.corrupt, "is cut off before its first row of pixels")),
    ]

    /// A JPEG XL of 60,000 x 60,000 pixels up to its first frame.
    ///
    /// Source: ISO/IEC 18181-1, D.2 "Image header" and D.3 "ImageMetadata". It has the height, an equal width, and
    /// defaults.
    static let jpegXL: [UInt8] = {
        let fields = [(0, 1), (2, 2), (59_999, 18), (1, 3), (1, 1)]
        let bits = fields.flatMap { value, count in (0..<count).map { value >> $0 & 1 } }
        let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<min(start + 8, bits.count)].enumerated().reduce(UInt8(0)) {
                $0 | UInt8($1.element) << $1.offset
            }
        }
        return [0xFF, 0x0A] + bytes + [UInt8](repeating: 0, count: 64)
    }()

    /// Returns a box-based file with changed sizes: those of its items, and that of its tile grid.
    static func resized(_ file: String, items: Bool, grid: (width: Int, height: Int)?) throws -> [UInt8] {
        var bytes = try Fixtures.bytes(file)
        let side = bigEndian(60_000, bytes: 4)
        if items {
            let name = Array("ispe".utf8)
            for start in bytes.indices.dropLast(16) where bytes[start..<start + 4].elementsEqual(name) {
                bytes.replaceSubrange(start + 8..<start + 16, with: side + side)
            }
        }
        if let grid {
            // The number of rows and columns, each minus one, then the size.
            let size = bigEndian(grid.width, bytes: 2) + bigEndian(grid.height, bytes: 2)
            let start = try #require(bytes.firstRange(of: size)).lowerBound
            bytes.replaceSubrange(start..<start + 4, with: bigEndian(60_000, bytes: 2) + bigEndian(60_000, bytes: 2))
        }
        return bytes
    }

    /// Rejected by us or by the library, whichever detects it first.
    @Test func containersThatClaimTooMuch() throws {
        let bombs = try [
            Self.resized("heic-420.heic", items: true, grid: nil),
            Self.resized("avif-420.avif", items: true, grid: nil),
            Self.resized("avif-grid.avif", items: true, grid: nil),
            Self.resized("avif-grid.avif", items: false, grid: (256, 128)), Self.jpegXL,
        ]
        for (index, bytes) in bombs.enumerated() {
            let error = failure { () throws(DecodeError) in try ImageLoader().load(bytes) }
            #expect(error?.code == .tooLarge, "\(index): \(error.map { "\($0)" } ?? "read")")
        }
    }

    /// Returns an AVIF that has nothing but references between its images, whose stated sizes are too large by
    /// `excess`.
    static func avif(_ references: [(kind: String, from: Int, to: [Int])], excess: Int = 0) -> [UInt8] {
        func box(_ name: String, _ payload: [UInt8], excess: Int = 0) -> [UInt8] {
            bigEndian(8 + payload.count + excess, bytes: 4) + Array(name.utf8) + payload
        }
        let boxes = references.map { reference in
            box(
                reference.kind,
                ([reference.from, reference.to.count] + reference.to).flatMap { bigEndian($0, bytes: 2) },
                excess: excess)
        }
        let version: [UInt8] = [0, 0, 0, 0]
        return box("ftyp", Array("avif".utf8) + version + Array("avif".utf8))
            + box("meta", version + box("iref", version + boxes.joined()))
    }

    private static let circle = "its images consist of each other, or are nested more than 8 times"

    @Test(arguments: [
        ("a grid that is its own tile", [("dimg", 1, [2, 1])], circle),
        ("two overlays of each other", [("dimg", 1, [2]), ("dimg", 2, [1])], circle),
        ("an alpha channel of itself", [("auxl", 1, [1])], circle),
        ("an alpha channel made of its image", [("auxl", 2, [1]), ("dimg", 2, [3, 1])], circle),
        ("nine levels", (1...9).map { ("dimg", $0, [$0 + 1]) }, circle),
        ("a number of references beyond its box", [("dimg", 1, [2])], "its references are damaged"),
        (
            "too many references", (1...5).map { ("dimg", $0, [Int](repeating: 9, count: 65_535)) },
            "it has more than 262144 references"
        ),
    ])
    func imagesThatReferToEachOther(
        label: String, references: [(kind: String, from: Int, to: [Int])], fault: String
    ) {
        let bytes = Self.avif(references, excess: fault.hasSuffix("damaged") ? 2 : 0)
        #expect(
            failure { () throws(DecodeError) in try ImageLoader().load(bytes) }
                == DecodeError(.corrupt, "is an AVIF that is broken (\(fault))"))
    }

    @Test func imagesNestedEightTimesAreLeftToTheLibrary() {
        let bytes = Self.avif((1...8).map { ("dimg", $0, [$0 + 1, 20, 21]) } + [("thmb", 1, [1])])
        let error = failure { () throws(DecodeError) in try ImageLoader().load(bytes) }
        #expect(error != nil && error?.message.contains("nested") == false, "\(error.map { "\($0)" } ?? "read")")
    }

    /// libheif 1.15 starts threads for its tiles until the system has no more.
    @Test func aRealGridThatIsItsOwnTile() throws {
        var bytes = try Fixtures.bytes("avif-grid.avif")
        let place = try #require(bytes.firstRange(of: Array("dimg".utf8))).upperBound
        bytes.replaceSubrange(place + 4..<place + 6, with: bytes[place..<place + 2])
        #expect(
            failure { () throws(DecodeError) in try ImageLoader().load(bytes) }
                == DecodeError(.corrupt, "is an AVIF that is broken (\(Self.circle))"))
    }

    @Test(arguments: bombs)
    func pictureThatClaimsTooMuchIsRefused(_ bomb: Bomb) {
        #expect(failure { () throws(DecodeError) in try ImageLoader().load(bomb.bytes) } == bomb.error)
    }

    @Test func workingMemoryCanBeLimited() throws {
        let loader = ImageLoader(maximumWorkingBytes: 8000)
        for (file, error) in [
            (
                "webp-lossless.webp",
                DecodeError(.tooLarge, "is a WebP that takes 0 MB to decode; the limit is 0 MB")
            ),
            (
                "jpeg-progressive.jpg",
                DecodeError(.tooLarge, "is a progressive JPEG that takes 0 MB to decode; the limit is 0 MB")
            ),
        ] {
            let bytes = try Fixtures.bytes(file)
            #expect(failure { () throws(DecodeError) in try loader.load(bytes) } == error)
        }
    }

    @Test func longFileIsRefusedBeforeItIsRead() throws {
        let loader = ImageLoader(limits: Limits(maximumFileBytes: 1000))
        let path = Fixtures.path("pnm-p6.ppm")
        let size = try Fixtures.bytes("pnm-p6.ppm").count
        #expect(
            failure { () throws(DecodeError) in try loader.load(contentsOf: path) }
                == DecodeError(.tooLarge, "the file has \(size) bytes; the limit is 1000 bytes", subject: path))
        #expect(
            failure { () throws(DecodeError) in try loader.load(contentsOf: "/dev/zero") }
                == DecodeError(
                    .tooLarge, "has more than 1000 bytes, the limit for a file", subject: "/dev/zero"))
    }
}
