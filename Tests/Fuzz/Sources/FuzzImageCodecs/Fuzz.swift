import BarcodeCore
import CFuzzer
import Glibc
import ImageCodecs

/// Fuzzes what turns the bytes of a picture file into pixels.
@main
enum Fuzz {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments) { testOneInput($0, $1) })
    }
}

/// Feeds the bytes of a would-be picture to the loader, at full size and reduced.
///
/// An error thrown is a right answer.
private func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    // Small, so that a run is quick: what breaks a decoder seldom needs many pixels.
    let loader = ImageLoader(limits: Limits(maximumPixels: 4_000_000, maximumSide: 65_535, maximumFileBytes: 1 << 20))
    for scale in [1, 4] {
        do {
            let loaded = try loader.load(bytes, scale: scale)
            // Each pixel is read, so that the sanitizer sees memory that is not the picture's.
            let sum = loaded.image.withUnsafePixels { pixels in pixels.reduce(0) { $0 &+ Int($1) } }
            precondition(sum >= 0 && loaded.image.pixelCount <= 4_000_000, "a picture beyond the limits")
        } catch {
            precondition(!error.message.isEmpty, "an error without a message")
        }
    }
    return 0
}
