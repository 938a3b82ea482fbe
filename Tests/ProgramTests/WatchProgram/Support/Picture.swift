import ImageCodecs
import Symbols
import TestSupport

/// Pictures with known content.
enum Picture {
    /// Returns a PNG of a QR code with at most 26 bytes of text, in version 2 with three pixels per module.
    static func qr(_ text: String) throws -> [UInt8] {
        let grid = try QREncoder.encode([.bytes(Array(text.utf8))], version: 2, level: .medium)
        let (margin, scale) = (4, 3)
        let side = (grid.size + 2 * margin) * scale
        var gray = [UInt8](repeating: 255, count: side * side)
        for y in 0..<grid.size * scale {
            for x in 0..<grid.size * scale where grid.modules[y / scale * grid.size + x / scale] == 1 {
                gray[(y + margin * scale) * side + x + margin * scale] = 0
            }
        }
        return try PNGWriter.encode(gray: gray, width: side, height: side)
    }

    /// Returns a picture of one pixel, different for each number.
    static func blank(_ number: Int = 0) -> [UInt8] { Array("P5\n# \(number)\n1 1 255\n ".utf8) }
}
