import BarcodeCore
import CFuzzer
import Glibc
import ImageCodecs

/// Fuzzes the decoders of picture files.
@main
enum Fuzz {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments) { testOneInput($0, $1) })
    }
}

/// Passes the input to the loader as a picture file, at full size and reduced.
///
/// A thrown error is a correct result.
private func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    // Small limits keep a run fast; most bugs of a decoder do not need many pixels.
    let loader = ImageLoader(limits: Limits(maximumPixels: 4_000_000, maximumSide: 65_535, maximumFileBytes: 1 << 20))
    for scale in [1, 4] {
        do {
            let loaded = try loader.load(bytes, scale: scale)
            // Every pixel is read, so that the sanitizer detects memory outside of the picture.
            let sum = loaded.image.withUnsafePixels { pixels in pixels.reduce(0) { $0 &+ Int($1) } }
            precondition(sum >= 0 && loaded.image.pixelCount <= 4_000_000, "a picture beyond the limits")
        } catch {
            precondition(!error.message.isEmpty, "an error without a message")
        }
    }
    return 0
}
