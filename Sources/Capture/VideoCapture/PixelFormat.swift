/// How the pixels of a camera's frame are stored, by the four characters that V4L2 names it with.
public struct PixelFormat: RawRepresentable, Sendable, Hashable {
    /// The four characters as V4L2 packs them: the first in the lowest byte.
    public let rawValue: UInt32

    /// The format of that number; any can be made, ``preferred`` lists those that can be read.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The format of one to four ASCII characters, such as `GREY`; shorter names are filled up with spaces.
    ///
    /// Nil for any other text.
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

    /// One byte of luma a pixel.
    public static let gray = PixelFormat("G", "R", "E", "Y")
    /// A plane of luma, then one of chroma in pairs.
    public static let nv12 = PixelFormat("N", "V", "1", "2")
    /// As ``nv12``, the pairs turned round.
    public static let nv21 = PixelFormat("N", "V", "2", "1")
    /// A plane of luma, then two of chroma.
    public static let yu12 = PixelFormat("Y", "U", "1", "2")
    /// As ``yu12``, the planes of chroma exchanged.
    public static let yv12 = PixelFormat("Y", "V", "1", "2")
    /// Luma and chroma by turns, luma first.
    public static let yuyv = PixelFormat("Y", "U", "Y", "V")
    /// As ``yuyv``, the chroma exchanged.
    public static let yvyu = PixelFormat("Y", "V", "Y", "U")
    /// Luma and chroma by turns, chroma first.
    public static let uyvy = PixelFormat("U", "Y", "V", "Y")
    /// Ten bits of luma in two bytes, the lower byte first.
    public static let y10 = PixelFormat("Y", "1", "0", " ")
    /// Sixteen bits of luma, the lower byte first.
    public static let y16 = PixelFormat("Y", "1", "6", " ")
    /// A JPEG a frame.
    public static let mjpg = PixelFormat("M", "J", "P", "G")
    /// A JPEG a frame, by its other name.
    public static let jpeg = PixelFormat("J", "P", "E", "G")

    /// Every format that can be read, the one that costs least first.
    public static let preferred: [PixelFormat] = [
        .gray, .nv12, .nv21, .yu12, .yv12, .yuyv, .uyvy, .yvyu, .y10, .y16, .mjpg, .jpeg,
    ]

    /// How luma lies in a frame of this format; nil where it cannot be read.
    var luma: LumaLayout? {
        switch self {
        case .gray, .nv12, .nv21, .yu12, .yv12: .plane
        case .yuyv, .yvyu: .interleaved(offset: 0)
        case .uyvy: .interleaved(offset: 1)
        case .y10: .wide(shift: 2)
        case .y16: .wide(shift: 8)
        case .mjpg, .jpeg: .compressed
        default: nil
        }
    }

    /// Bytes a pixel on the wire, about: what a choice by bandwidth goes by.
    var bytesPerPixel: Double {
        switch self {
        case .gray: 1
        case .nv12, .nv21, .yu12, .yv12: 1.5
        case .mjpg, .jpeg: 0.3
        default: 2
        }
    }

    /// The place in ``preferred``, counted from 0.
    var rank: Int { Self.preferred.firstIndex(of: self) ?? Self.preferred.count }
}

extension PixelFormat: CustomStringConvertible {
    /// The four characters, without spaces at the end; what is not printable stands as a question mark.
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

/// How luma lies in a frame.
enum LumaLayout: Sendable, Hashable {
    /// A byte a pixel, whatever follows behind the last row.
    case plane
    /// Every second byte, from `offset`.
    case interleaved(offset: Int)
    /// Two bytes a pixel, the lower one first, of which the bits from `shift` on are taken.
    case wide(shift: Int)
    /// A JPEG.
    case compressed

    /// Bytes from one pixel to the next; 0 where that has no meaning.
    var pixelStride: Int {
        switch self {
        case .plane: 1
        case .interleaved, .wide: 2
        case .compressed: 0
        }
    }
}
