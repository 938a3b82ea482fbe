/// The pixel format of a camera's frames, by its V4L2 four-character code (FourCC).
public struct PixelFormat: RawRepresentable, Sendable, Hashable {
    /// The four characters as V4L2 packs them: the first in the lowest byte.
    public let rawValue: UInt32

    /// Creates the format with a code; ``preferred`` lists the supported ones.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Creates a format from one to four ASCII characters, such as `GREY`; shorter names are padded with spaces.
    ///
    /// `nil` for any other text.
    public init?(_ name: String) {
        let bytes = Array(name.utf8)
        guard (1...4).contains(bytes.count), bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
        var value: UInt32 = 0
        for index in 0..<4 {
            value |= UInt32(index < bytes.count ? bytes[index] : 0x20) << UInt32(8 * index)
        }
        rawValue = value
    }

    private init(_ a: Unicode.Scalar, _ b: Unicode.Scalar, _ c: Unicode.Scalar, _ d: Unicode.Scalar) {
        rawValue = a.value | b.value << 8 | c.value << 16 | d.value << 24
    }

    /// One byte of luma per pixel.
    public static let gray = PixelFormat("G", "R", "E", "Y")
    /// A plane of luma, then a plane of interleaved chroma (CbCr).
    public static let nv12 = PixelFormat("N", "V", "1", "2")
    /// Like ``nv12``, with the chroma order swapped.
    public static let nv21 = PixelFormat("N", "V", "2", "1")
    /// A plane of luma, then two planes of chroma (Cb, Cr).
    public static let yu12 = PixelFormat("Y", "U", "1", "2")
    /// Like ``yu12``, with the chroma planes swapped.
    public static let yv12 = PixelFormat("Y", "V", "1", "2")
    /// Like ``nv12``, with each plane in a buffer of its own; only that of the luma is read.
    public static let nv12m = PixelFormat("N", "M", "1", "2")
    /// Like ``nv21``, with each plane in a buffer of its own.
    public static let nv21m = PixelFormat("N", "M", "2", "1")
    /// Like ``yu12``, with each plane in a buffer of its own.
    public static let yu12m = PixelFormat("Y", "M", "1", "2")
    /// Like ``yv12``, with each plane in a buffer of its own.
    public static let yv12m = PixelFormat("Y", "M", "2", "1")
    /// Interleaved luma and chroma, luma first.
    public static let yuyv = PixelFormat("Y", "U", "Y", "V")
    /// Like ``yuyv``, with the chroma order swapped.
    public static let yvyu = PixelFormat("Y", "V", "Y", "U")
    /// Interleaved luma and chroma, chroma first.
    public static let uyvy = PixelFormat("U", "Y", "V", "Y")
    /// Ten bits of luma in two bytes, lower byte first.
    public static let y10 = PixelFormat("Y", "1", "0", " ")
    /// Twelve bits of luma in two bytes, lower byte first.
    public static let y12 = PixelFormat("Y", "1", "2", " ")
    /// Sixteen bits of luma, lower byte first.
    public static let y16 = PixelFormat("Y", "1", "6", " ")
    /// A JPEG per frame.
    public static let mjpg = PixelFormat("M", "J", "P", "G")
    /// A JPEG per frame, by its other name.
    public static let jpeg = PixelFormat("J", "P", "E", "G")

    /// The supported formats, cheapest to process first.
    public static let preferred: [PixelFormat] =
        [
            .gray, .nv12, .nv21, .yu12, .yv12, .nv12m, .nv21m, .yu12m, .yv12m, .yuyv, .uyvy, .yvyu, .y10, .y12, .y16,
        ] + bayer8 + bayer10 + bayer12 + [.mjpg, .jpeg]

    /// Sensors behind a Bayer filter, with 8 bits in a byte: BGGR, GBRG, GRBG, RGGB.
    private static let bayer8 = [
        PixelFormat("B", "A", "8", "1"), PixelFormat("G", "B", "R", "G"), PixelFormat("G", "R", "B", "G"),
        PixelFormat("R", "G", "G", "B"),
    ]
    /// The same with 10 bits in two bytes, lower byte first.
    private static let bayer10 = [
        PixelFormat("B", "G", "1", "0"), PixelFormat("G", "B", "1", "0"), PixelFormat("B", "A", "1", "0"),
        PixelFormat("R", "G", "1", "0"),
    ]
    /// The same with 12 bits in two bytes, lower byte first.
    private static let bayer12 = [
        PixelFormat("B", "G", "1", "2"), PixelFormat("G", "B", "1", "2"), PixelFormat("B", "A", "1", "2"),
        PixelFormat("R", "G", "1", "2"),
    ]

    /// The layout of luma in a frame of this format; `nil` if it is not supported.
    var luma: LumaLayout? {
        switch self {
        case .gray, .nv12, .nv21, .yu12, .yv12, .nv12m, .nv21m, .yu12m, .yv12m: .plane
        case .yuyv, .yvyu: .interleaved(offset: 0)
        case .uyvy: .interleaved(offset: 1)
        case .y10: .wide(shift: 2)
        case .y12: .wide(shift: 4)
        case .y16: .wide(shift: 8)
        case .mjpg, .jpeg: .compressed
        case _ where Self.bayer8.contains(self): .bayer(bytes: 1, shift: 0)
        case _ where Self.bayer10.contains(self): .bayer(bytes: 2, shift: 2)
        case _ where Self.bayer12.contains(self): .bayer(bytes: 2, shift: 4)
        default: nil
        }
    }

    /// The approximate bytes per pixel on the bus, for estimates of bandwidth.
    var bytesPerPixel: Double {
        switch self {
        case .gray: 1
        case .nv12, .nv21, .yu12, .yv12, .nv12m, .nv21m, .yu12m, .yv12m: 1.5
        case _ where Self.bayer8.contains(self): 1
        case .mjpg, .jpeg: 0.3
        default: 2
        }
    }

    /// Indicates whether each plane of a frame is in a buffer of its own, which only a device has.
    var hasSeparatePlanes: Bool { [.nv12m, .nv21m, .yu12m, .yv12m].contains(self) }

    /// The rank in ``preferred``, counted from 0.
    var rank: Int { Self.preferred.firstIndex(of: self) ?? Self.preferred.count }
}

extension PixelFormat: CustomStringConvertible {
    /// The four characters without trailing spaces; unprintable bytes appear as question marks.
    public var description: String {
        var text = ""
        for shift in [UInt32(0), 8, 16, 24] {
            let byte = UInt8(truncatingIfNeeded: rawValue >> shift)
            text.append((0x20..<0x7F).contains(byte) ? Character(Unicode.Scalar(byte)) : "?")
        }
        while text.last == " " { text.removeLast() }
        return text
    }
}

/// The layout of luma in a frame.
enum LumaLayout: Sendable, Hashable {
    /// One byte per pixel; other planes may follow the last row.
    case plane
    /// Every second byte, from `offset` on.
    case interleaved(offset: Int)
    /// Two bytes per pixel, lower byte first; eight bits from bit `shift` on are used.
    case wide(shift: Int)
    /// The colors of a Bayer filter, a pixel each, in one or two bytes as with ``wide(shift:)``.
    case bayer(bytes: Int, shift: Int)
    /// A JPEG.
    case compressed

    /// The bytes from one pixel to the next; 0 for a JPEG.
    var pixelStride: Int {
        switch self {
        case .plane: 1
        case .interleaved, .wide: 2
        case .bayer(let bytes, _): bytes
        case .compressed: 0
        }
    }
}
