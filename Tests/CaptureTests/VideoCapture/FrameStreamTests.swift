import BarcodeCore
import TestSupport
import Testing

@testable import VideoCapture

/// The output of commands as frames.
@Suite struct FrameStreamTests {
    static let header = "YUV4MPEG2 W4 H2 F30:1 Cmono\n"
    /// The smallest JPEG that has the markers of one: 3 x 2 pixels, a scan with a stuffed byte and a restart.
    static let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0xFF, 0xD9, 0xFF, 0xC0, 0, 11, 8, 0, 2, 0, 3, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 2]
        + [7, 0xFF, 0, 0xFF, 0xD0, 8, 0xFF, 0xD9]

    struct Output: CustomTestStringConvertible {
        var label: String
        var bytes: [UInt8]
        var raw: String?
        var frames: [[UInt8]] = []
        var broken = 0
        var fault: String?
        var isInFrame = false

        var testDescription: String { label }
    }

    static let outputs = [
        Output(label: "nothing", bytes: []),
        Output(
            label: "Y4M", bytes: Array("\(header)FRAME\nabcdefghFRAME Ip\nijklmnop".utf8),
            frames: [Array("abcdefgh".utf8), Array("ijklmnop".utf8)]),
        Output(
            label: "Y4M with chroma", bytes: Array("YUV4MPEG2 W4 H2\nFRAME\nabcdefgh1234FRAME\nijklmnop5678".utf8),
            frames: [Array("abcdefgh".utf8), Array("ijklmnop".utf8)]),
        Output(label: "Y4M cut off in a frame", bytes: Array("\(header)FRAME\nabcdefg".utf8), isInFrame: true),
        Output(
            label: "Y4M with 10 bits", bytes: Array("YUV4MPEG2 W4 H2 C420p10\nFRAME\n".utf8),
            fault: "has the layout '420p10'", isInFrame: true),
        Output(
            label: "Y4M too large", bytes: Array("YUV4MPEG2 W65535 H65535\nFRAME\n".utf8), fault: "megapixels",
            isInFrame: true),
        Output(
            label: "Y4M with a size that overflows",
            bytes: Array("YUV4MPEG2 W9223372036854775807 H9223372036854775807\n".utf8), fault: "the limit for a side",
            isInFrame: true),
        Output(
            label: "Y4M without an end of its header",
            bytes: Array("YUV4MPEG2 ".utf8) + [UInt8](repeating: 0x41, count: 600),
            fault: "a line is longer than 512 bytes", isInFrame: true),
        Output(
            label: "Y4M with another line", bytes: Array("\(header)FRAME\nabcdefghFRAMX\n".utf8),
            frames: [Array("abcdefgh".utf8)], fault: "does not begin with FRAME", isInFrame: true),
        Output(label: "JPEGs", bytes: jpeg + jpeg, frames: [jpeg, jpeg]),
        Output(label: "padded JPEGs", bytes: jpeg + [0, 0, 0xFF] + jpeg + [0, 0], frames: [jpeg, jpeg]),
        Output(
            label: "parts of a multipart message",
            bytes: Array("\r\n--b\r\nContent-Type: image/jpeg\r\nContent-Length: 9999999999999\r\n\r\n".utf8) + jpeg
                + Array("\r\n--b\r\nContent-Type: image/jpeg\r\n\r\n".utf8) + jpeg + Array("\r\n--b--".utf8),
            frames: [jpeg, jpeg]),
        Output(label: "a JPEG cut off by the next", bytes: Array(jpeg.dropLast(3)) + jpeg, frames: [jpeg], broken: 1),
        Output(label: "a JPEG cut off at the end", bytes: jpeg + jpeg.dropLast(), frames: [jpeg], isInFrame: true),
        Output(
            label: "a JPEG with a segment of no length", bytes: [0xFF, 0xD8, 0xFF, 0xE0, 0, 0] + jpeg, frames: [jpeg],
            broken: 1),
        Output(
            label: "a JPEG without pixels",
            bytes: [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 0, 1, 1, 0x11, 0, 0xFF, 0xD9] + jpeg, frames: [jpeg],
            broken: 1),
        Output(label: "a JPEG without a size", bytes: [0xFF, 0xD8, 0xFF, 0xD9] + jpeg, frames: [jpeg], broken: 1),
        Output(label: "zeros", bytes: [UInt8](repeating: 0, count: 70_000), fault: "no frames that can be read"),
        Output(
            label: "text", bytes: Array(repeatElement(Array("no camera\n".utf8), count: 7000).joined()),
            fault: "no frames that can be read"),
        Output(
            label: "raw", bytes: Array("abcdefghijklmnopqr".utf8), raw: "#size=4x2#format=GREY",
            frames: [Array("abcdefgh".utf8), Array("ijklmnop".utf8)], isInFrame: true),
        Output(
            label: "raw with chroma", bytes: Array("abcdefgh1234ijklmnop5678".utf8), raw: "#size=4x2#format=NV12",
            frames: [Array("abcdefgh".utf8), Array("ijklmnop".utf8)]),
        Output(
            label: "raw with two bytes a pixel", bytes: Array("abcdefghijklmnop".utf8), raw: "#size=4x2#format=YUYV",
            frames: [Array("abcdefghijklmnop".utf8)]),
    ]

    /// Appends bytes in pieces of the given sizes, one after the other.
    static func read(
        _ bytes: [UInt8], into stream: inout FrameStream, pieces: () -> Int
    ) -> (frames: [[UInt8]], fault: String?) {
        var frames: [[UInt8]] = []
        var rest = bytes[...]
        do throws(StreamFault) {
            while !rest.isEmpty {
                let piece = rest.prefix(pieces())
                rest = rest.dropFirst(piece.count)
                piece.withUnsafeBytes { stream.append($0) }
                while let frame = try stream.next() { frames.append(frame.bytes) }
            }
        } catch {
            return (frames, error.message)
        }
        return (frames, nil)
    }

    static func stream(_ raw: String?) throws -> FrameStream {
        FrameStream(raw: try raw.flatMap { try CaptureCommand("exec:true\($0)")?.raw })
    }

    @Test(arguments: outputs, [1, 7, 65_536]) func framesAreSplit(output: Output, piece: Int) throws {
        var stream = try Self.stream(output.raw)
        let (frames, fault) = Self.read(output.bytes, into: &stream) { piece }
        #expect(frames == output.frames)
        if let expected = output.fault {
            #expect(try #require(fault).contains(expected))
        } else {
            #expect(fault == nil)
            #expect(stream.isInFrame == output.isInFrame)
        }
        #expect(stream.broken == output.broken)
    }

    @Test func jpegHasALimit() {
        var stream = FrameStream()
        let begin = Array(Self.jpeg.dropLast(2))
        let endless = begin + [UInt8](repeating: 1, count: FrameStream.maximumJPEGBytes)
        #expect(Self.read(endless, into: &stream) { 1 << 20 }.fault == "writes a JPEG of more than 32 MiB")
    }

    /// Random bytes, and damaged outputs: frames are parts of the output, whatever the pieces are.
    @Test func randomOutputIsReadWithinLimits() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        var count = 0
        for _ in 0..<2000 {
            let output = Self.outputs[Int.random(in: 0..<Self.outputs.count, using: &random)]
            var bytes = Array(
                repeatElement(output.bytes.prefix(2000), count: Int.random(in: 0...4, using: &random)).joined())
            for _ in 0..<Int.random(in: 0...8, using: &random) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0:
                    bytes[index] = [0, 0xFF, 0xD8, 0xD9, 0x0A, .random(in: 0...255, using: &random)].randomElement(
                        using: &random)!
                case 1: bytes.removeSubrange(index..<min(bytes.count, index + .random(in: 0...20, using: &random)))
                default:
                    bytes.insert(contentsOf: (0..<16).map { _ in .random(in: 0...255, using: &random) }, at: index)
                }
            }
            var (whole, pieces) = (try Self.stream(output.raw), try Self.stream(output.raw))
            let expected = Self.read(bytes, into: &whole) { 1 << 20 }
            let found = Self.read(bytes, into: &pieces) { .random(in: 1...40, using: &random) }
            #expect(found == expected, "seed \(seed)")
            #expect(pieces.broken == whole.broken, "seed \(seed)")
            #expect(expected.frames.map(\.count).reduce(0, +) <= bytes.count, "seed \(seed)")
            count += expected.frames.count
        }
        #expect(count > 0, "some frames must still be read, or this tries nothing; seed \(seed)")
    }
}
