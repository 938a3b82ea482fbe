import ImageCodecs
import Symbols
import TestSupport

/// Pictures of which a test knows what they hold.
enum Picture {
    /// A PNG of a QR symbol with a text of at most 26 bytes; as large as a version 2 symbol is at three pixels a module.
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

    /// A picture of one pixel, unlike that of any other number.
    static func blank(_ number: Int = 0) -> [UInt8] { Array("P5\n# \(number)\n1 1 255\n ".utf8) }
}
