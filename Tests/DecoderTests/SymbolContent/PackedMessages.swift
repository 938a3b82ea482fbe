import SymbolContent

/// Messages whose data is a zlib stream, and how they are damaged.
enum PackedMessages {
    /// Packs data as a zlib stream of one stored block (RFC 1950 and 1951).
    static func packed(_ data: [UInt8]) -> [UInt8] {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in data {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        let size = UInt16(data.count)
        let sizes = [size & 0xFF, size >> 8, ~size & 0xFF, ~size >> 8].map { UInt8($0) }
        return [0x78, 0x01, 0x01] + sizes + data + [high >> 8, high & 0xFF, low >> 8, low & 0xFF].map { UInt8($0) }
    }

    /// Returns the data with up to three bytes changed, left out or put in.
    static func damaged(_ data: [UInt8], using random: inout some RandomNumberGenerator) -> [UInt8] {
        var data = data
        for _ in 0...Int.random(in: 0...2, using: &random) where !data.isEmpty {
            let place = Int.random(in: data.indices, using: &random)
            switch Int.random(in: 0...2, using: &random) {
            case 0: data.remove(at: place)
            case 1: data[place] = UInt8.random(in: 0...255, using: &random)
            default: data.insert(UInt8.random(in: 0...255, using: &random), at: place)
            }
        }
        return data
    }

    static func message(_ bytes: [UInt8]) -> ContentMessage {
        ContentMessage(
            text: String(decoding: bytes, as: UTF8.self), bytes: bytes, isGS1: false, symbology: "qr_code",
            currentYear: 2026)
    }
}
