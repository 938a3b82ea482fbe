import BarcodeCore
import Glibc
import ImageCodecs
import TestSupport
import Testing

@testable import VideoCapture

/// Frames in JPEG format.
@Suite struct JPEGFrameTests {
    static let format = CaptureFormat(pixelFormat: .mjpg, width: 1, height: 1, bytesPerLine: 0, imageBytes: 0)

    static func sample(_ name: String) throws -> [UInt8] {
        let folder = ProgramRunner.samplesFolder
        let file = try #require(fopen(folder + name, "re"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return bytes
    }

    static func unpack(_ bytes: [UInt8]) throws -> (image: LumaImage, scale: Int) {
        try bytes.withUnsafeBytes { try LumaUnpacking.unpack($0, format: format) }
    }

    @Test(arguments: [0, 1, 500]) func aWholeOneIsDecodedWhateverFollows(padding: Int) throws {
        let bytes = try Self.sample("qr-colour.jpg")
        let (image, scale) = try Self.unpack(bytes + [UInt8](repeating: 0, count: padding))
        let expected = try ImageLoader().load(bytes).image
        #expect(scale == 1)
        let (found, wanted) = (image.withUnsafePixels { Array($0) }, expected.withUnsafePixels { Array($0) })
        #expect(found == wanted)
    }

    @Test func aLargeOneIsHalved() throws {
        let bytes = try Self.sample("scene-12mp.jpg")
        let (image, scale) = try Self.unpack(bytes)
        let whole = try ImageLoader().load(bytes)
        #expect(scale == 2)
        #expect(image.width == (whole.width + 1) / 2)
    }

    @Test func oneWithoutItsEndIsAFault() throws {
        let bytes = try Self.sample("qr-colour.jpg")
        #expect(throws: FrameFault.incompleteJPEG) { _ = try Self.unpack(Array(bytes.prefix(bytes.count / 2))) }
    }

    @Test func oneThatLacksItsMiddleIsAFault() throws {
        let bytes = try Self.sample("qr-colour.jpg")
        #expect(throws: FrameFault.self) { _ = try Self.unpack(Array(bytes.prefix(bytes.count / 2)) + [0xFF, 0xD9]) }
    }

    @Test func aCameraOfJPEGsDeliversTheWholeOnes() throws {
        let bytes = try Self.sample("qr-colour.jpg")
        let fake = FakeCamera { setup in
            setup.modes = [FakeMode(.mjpg, PixelSize(width: 1280, height: 720))]
            setup.pictures = [bytes, Array(bytes.dropLast(700)), bytes]
        }
        var frames: [CapturedFrame] = []
        let device = try CaptureDevice(path: "/dev/video0", calls: fake)
        var loop = CaptureLoop(
            device: device, location: DeviceLocation(path: "/dev/video0", among: []), request: .init(), calls: fake,
            report: { _ in }, deliver: { frames.append($0) })
        try loop.begin()
        for _ in 0..<6 { loop.step() }
        #expect(frames.map(\.sequence) == [0, 2, 3, 5])
        #expect(loop.counts.broken == 2)
    }
}
