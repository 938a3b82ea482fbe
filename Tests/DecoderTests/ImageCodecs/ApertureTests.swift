import BarcodeCore
import Testing

@testable import ImageCodecs

/// A clean aperture must not crop the picture for decoding: all stored pixels are decoded.
///
/// Source: ISO/IEC 14496-12, 12.1.4 "Pixel Aspect Ratio and Clean Aperture".
@Suite struct ApertureTests {
    /// Returns a box: its size, its name and its content.
    private static func box(_ name: String, _ payload: some Sequence<UInt8>) -> [UInt8] {
        let payload = Array(payload)
        return LimitTests.bigEndian(payload.count + 8, bytes: 4) + Array(name.utf8) + payload
    }

    /// Returns a HEIC whose primary picture has an aperture on the right half of its upper half.
    private static func cropped() throws -> [UInt8] {
        let file = try Fixtures.bytes("heic-420.heic")
        func start(_ name: String) throws -> Int { try #require(file.firstRange(of: Array(name.utf8))).lowerBound - 4 }
        func end(_ start: Int) -> Int { start + file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        let (meta, properties, container) = (try start("meta"), try start("iprp"), try start("ipco"))
        let links = end(container)
        let sides = [32, 1, 24, 1, 16, 1, -12, 1].flatMap { LimitTests.bigEndian($0, bytes: 4) }
        let apertures = Self.box("ipco", file[container + 8..<links] + Self.box("clap", sides))
        // The second item is the primary one and comes last: it gets two properties, and this one, the fifth.
        try #require(file[end(links) - 3..<end(links)].elementsEqual([2, 3, 0x84]))
        let linked = Self.box("ipma", file[links + 8..<end(links) - 3] + [3, 3, 0x84, 0x85])
        let inner = Self.box("iprp", apertures + linked)
        let growth = inner.count - (end(properties) - properties)
        var bytes = Array(file[..<meta])
        bytes += Self.box("meta", file[meta + 8..<properties] + inner + file[end(properties)..<end(meta)])
        bytes += file[end(meta)...]
        // The offset of the first item's data, at the start of "mdat".
        let place = LimitTests.bigEndian(end(meta) + 8, bytes: 4)
        let at = try #require(bytes.firstRange(of: place))
        bytes.replaceSubrange(at, with: LimitTests.bigEndian(end(meta) + 8 + growth, bytes: 4))
        return bytes
    }

    /// An association with a property of an empty list.
    @Test func aPropertyThatIsNotThere() {
        let associations: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1]
        let properties = Self.box("iprp", Self.box("ipco", []) + Self.box("ipma", associations))
        let file = Self.box("meta", [0, 0, 0, 0] + Self.box("pitm", [0, 0, 0, 0, 0, 1]) + properties)
        #expect(file.withUnsafeBytes { HEIFProperties.orientation(of: $0) } == nil)
    }

    @Test func whatIsOutsideIsDecodedAsWell() throws {
        let bytes = try Self.cropped()
        #expect(bytes.firstRange(of: Array("clap".utf8)) != nil)
        let (plain, cropped) = (try ImageLoader().load(Fixtures.bytes("heic-420.heic")), try ImageLoader().load(bytes))
        #expect(cropped.width == 64 && cropped.height == 48)
        #expect(Gray(cropped.image) == Gray(plain.image))
    }
}
