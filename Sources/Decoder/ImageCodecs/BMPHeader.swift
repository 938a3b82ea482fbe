internal import BarcodeCore

/// The headers of a Windows bitmap, of any version.
///
/// Source: Microsoft, "Bitmap Header Types".
struct BMPHeader {
    enum Compression {
        case none, runLengths, masks
    }

    /// The bits of a color channel in a pixel.
    struct Channel {
        let mask: UInt32

        /// Returns the channel's value, 0 to 255.
        func level(of pixel: UInt32) -> UInt8 {
            guard mask != 0 else { return 0 }
            let shift = UInt32(mask.trailingZeroBitCount)
            let largest = UInt64(mask >> shift)
            return UInt8(truncatingIfNeeded: (UInt64((pixel & mask) >> shift) * 255 + largest / 2) / largest)
        }
    }

    let width, height: Int
    /// The bits per pixel: 1, 2, 4, 8, 16, 24 or 32.
    let bits: Int
    let compression: Compression
    let isBottomUp: Bool
    /// The offset of the pixels in bytes.
    let start: Int
    /// The brightness of each of `1 << bits` indices, black beyond the file's table; empty above 8 bits.
    let levels: [UInt8]
    /// The bit masks of red, green and blue in a pixel of 16 or 32 bits.
    let channels: (Channel, Channel, Channel)

    /// Indicates whether the first sixteen bytes are those of a bitmap; the two letters alone may begin a text.
    static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.hasText("BM"), bytes.littleEndian32(at: 6) == 0, let length = bytes.littleEndian16(at: 14) else {
            return false
        }
        return [12, 40, 52, 56, 64, 108, 124].contains(length)
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) {
        guard let start = bytes.littleEndian32(at: 10), let length = bytes.littleEndian32(at: 14),
            bytes.count >= 14 + length
        else { throw .nothingDecoded(cutOff: true) }
        let isFirstVersion = length == 12
        func number(_ offset: Int) -> Int { bytes.littleEndian32(at: offset) ?? 0 }
        func short(_ offset: Int) -> Int { bytes.littleEndian16(at: offset) ?? 0 }
        func signed(_ offset: Int) -> Int { Int(Int32(truncatingIfNeeded: number(offset))) }

        self.start = start
        width = isFirstVersion ? short(18) : signed(18)
        let rows = isFirstVersion ? short(20) : signed(22)
        height = rows.magnitude <= UInt(Int32.max) ? abs(rows) : 0
        isBottomUp = rows > 0
        let bits = isFirstVersion ? short(24) : short(28)
        self.bits = bits
        let method = isFirstVersion ? 0 : number(30)
        switch (method, bits) {
        case (0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (0, 24), (0, 32): compression = .none
        case (1, 8) where rows > 0, (2, 4) where rows > 0: compression = .runLengths
        case (3, 16), (3, 32), (6, 16), (6, 32): compression = .masks
        default:
            throw DecodeError(
                .unsupportedFormat,
                "is a BMP of an unsupported kind (compression \(method), \(bits) bits per pixel)")
        }

        // Since version 2 the masks are a part of the header; in version 1 they follow it.
        let masks = compression == .masks ? [54, 58, 62].map { UInt32(truncatingIfNeeded: number($0)) } : nil
        let usual: [UInt32] = bits == 16 ? [0x7C00, 0x03E0, 0x001F] : [0xFF_0000, 0xFF00, 0xFF]
        let channels = (masks ?? usual).map(Channel.init(mask:))
        self.channels = (channels[0], channels[1], channels[2])
        levels = bits <= 8 ? Self.levels(bytes, at: 14 + length, isFirstVersion ? 3 : 4, bits, number(46)) : []
    }

    private static func levels(
        _ bytes: UnsafeRawBufferPointer, at table: Int, _ entryLength: Int, _ bits: Int, _ stated: Int
    ) -> [UInt8] {
        let most = 1 << bits
        let count = entryLength == 4 && (1..<most).contains(stated) ? stated : most
        return (0..<most).map { index in
            guard index < count, let color = bytes.slice(at: table + index * entryLength, count: 3) else { return 0 }
            return LumaConversion.luma(red: color[2], green: color[1], blue: color[0])
        }
    }
}
