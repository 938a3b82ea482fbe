/// Unusual pictures that no program would save.
enum Pictures {
    /// Returns a gray picture with 8 bits per pixel.
    static func pgm(width: Int, height: Int, _ pixels: [UInt8]) -> [UInt8] {
        Array("P5 \(width) \(height) 255\n".utf8) + pixels
    }

    /// Returns a white picture.
    static func blank(width: Int = 64, height: Int = 64) -> [UInt8] {
        pgm(width: width, height: height, [UInt8](repeating: 255, count: width * height))
    }

    /// Returns a PNG whose header claims a size, with hardly any data.
    static func pngThatClaims(width: UInt32, height: UInt32) -> [UInt8] {
        png(width: width, height: height, depth: 8, data: zlib(zeros: 16))
    }

    /// Returns a valid black PNG with one bit per pixel, 80 times smaller than the memory it needs.
    static func pngBomb(width: Int, height: Int) -> [UInt8] {
        png(
            width: UInt32(width), height: UInt32(height), depth: 1, data: zlib(zeros: ((width + 7) / 8 + 1) * height))
    }

    private static func png(width: UInt32, height: UInt32, depth: UInt8, data: [UInt8]) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", big(width) + big(height) + [depth, 0, 0, 0, 0]) + chunk("IDAT", data) + chunk("IEND", [])
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return big(UInt32(data.count)) + body + big(crc(body))
    }

    private static func big(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~crc
    }

    /// Returns compressed zeros: one literal, then copies of 258 (RFC 1951, 3.2.6: fixed codes).
    private static func zlib(zeros: Int) -> [UInt8] {
        var bytes: [UInt8] = [0x78, 0x01]
        var pending: UInt32 = 0
        var count: UInt32 = 0
        func put(_ bits: String) {
            for bit in bits.utf8 {
                pending |= UInt32(bit - 0x30) << count
                count += 1
                if count == 8 {
                    bytes.append(UInt8(pending))
                    (pending, count) = (0, 0)
                }
            }
        }
        // The last block, with fixed codes; the literal 0.
        put("1" + "10")
        var rest = zeros
        while rest > 0 {
            if rest < zeros, rest >= 258 {
                put("11000101" + "00000")
                rest -= 258
            } else {
                put("00110000")
                rest -= 1
            }
        }
        put("0000000")
        while count != 0 { put("0") }
        // The Adler-32 of zeros: the first sum stays 1.
        return bytes + big(UInt32(zeros % 65521) << 16 | 1)
    }
}
