import BarcodeCore
import CFuzzer
import Glibc
import Symbols

/// Fuzzes zbar and its wrapper with pixels.
@main
enum Fuzz {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments) { testOneInput($0, $1) })
    }
}

/// Decodes a small gray picture.
///
/// Its width and height are the first two bytes, each plus one; the rest are pixels.
///
/// Missing pixels are white, so that a short input is a picture too.
private func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count >= 2, let start else { return 0 }
    let width = Int(start[0]) + 1
    let height = Int(start[1]) + 1
    let image = LumaImage(width: width, height: height) { pixels in
        for index in 0..<(width * height) {
            pixels[index] = index + 2 < count ? start[index + 2] : 255
        }
    }
    do {
        // A new scanner each time: one that keeps state would make a finding depend on earlier inputs.
        var reader = try ZBarReader()
        for reading in try reader.read(image, symbologies: Set(Symbology.all)) {
            precondition(Symbology.all.contains(reading.symbology), "an unknown symbology")
        }
    } catch {
        precondition(!error.message.isEmpty, "an error without a message")
    }
    return 0
}
