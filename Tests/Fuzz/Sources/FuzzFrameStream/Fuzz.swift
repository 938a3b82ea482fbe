import CFuzzer
import Glibc

@testable import VideoCapture

/// Fuzzes the stream of frames that a camera program writes: Y4M, JPEG after JPEG, or raw frames.
@main
enum Fuzz {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments) { testOneInput($0, $1) })
    }

    /// The formats to read; `nil` is detected.
    static let formats: [CaptureFormat?] = [
        nil,
        CaptureFormat(pixelFormat: .gray, width: 4, height: 3, bytesPerLine: 5, imageBytes: 15),
        CaptureFormat(pixelFormat: .yuyv, width: 4, height: 3, bytesPerLine: 8, imageBytes: 24),
    ]
}

/// Reads the input at once and in pieces; the first byte chooses the format, the second the length of the pieces.
private func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count >= 2, let start else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 2, count: count - 2))
    let format = Fuzz.formats[Int(start[0]) % Fuzz.formats.count]
    let whole = Reading(bytes, raw: format, piece: max(1, bytes.count))
    let pieces = Reading(bytes, raw: format, piece: 1 + Int(start[1]) * 7)
    precondition(whole == pieces, "the same output in other pieces gives other frames")
    return 0
}

/// What was read of an output: the frames, and whether it ended with a fault.
private struct Reading: Equatable {
    var frames: [[UInt8]] = []
    var isFaulty = false

    init(_ bytes: [UInt8], raw format: CaptureFormat?, piece: Int) {
        var stream = FrameStream(raw: format)
        do {
            for start in stride(from: 0, to: bytes.count, by: piece) {
                bytes[start..<min(start + piece, bytes.count)].withUnsafeBytes { stream.append($0) }
                while let frame = try stream.next() {
                    precondition(frame.format.width > 0 && frame.format.height > 0, "a frame without pixels")
                    let isJPEG = frame.format.pixelFormat == .mjpg
                    precondition(
                        frame.bytes.count
                            == (isJPEG ? frame.format.imageBytes : frame.format.bytesPerLine * frame.format.height),
                        "a frame of another size than it says")
                    frames.append(frame.bytes)
                }
            }
        } catch {
            isFaulty = true
        }
    }
}
