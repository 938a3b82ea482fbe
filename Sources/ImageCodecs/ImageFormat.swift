/// A format of pictures that can be read.
public struct ImageFormat: RawRepresentable, Sendable, Hashable {
    /// A short name in lower case, such as `jpeg`.
    public let rawValue: String

    /// The format of that name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// JPEG: baseline, progressive or arithmetic, 8 bits a sample.
    public static let jpeg = ImageFormat(rawValue: "jpeg")
    /// PNG of every colour type and depth; of an animated one the first frame.
    public static let png = ImageFormat(rawValue: "png")
    /// WebP, lossy or lossless; of an animated one the first frame.
    public static let webp = ImageFormat(rawValue: "webp")
    /// The portable bitmap, greymap and pixmap of Netpbm, plain or raw: P1 to P6.
    public static let pnm = ImageFormat(rawValue: "pnm")

    /// The format that the first bytes of a file are the mark of, nil where it is none that can be read.
    ///
    /// Twelve bytes are enough. A file's name plays no part.
    public static func detect(in bytes: UnsafeRawBufferPointer) -> ImageFormat? {
        if bytes.hasBytes([0xFF, 0xD8, 0xFF]) { return .jpeg }
        if bytes.hasBytes([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if bytes.hasText("RIFF"), bytes.hasText("WEBP", at: 8) { return .webp }
        if bytes.count > 2, bytes[0] == UInt8(ascii: "P"), (UInt8(ascii: "1")...UInt8(ascii: "6")).contains(bytes[1]),
            PNMHeader.isSpace(bytes[2]) || bytes[2] == UInt8(ascii: "#")
        {
            return .pnm
        }
        return nil
    }

    /// The format that the first bytes of a file are the mark of, nil where it is none that can be read.
    public static func detect(in bytes: [UInt8]) -> ImageFormat? {
        bytes.withUnsafeBytes { detect(in: $0) }
    }
}

extension ImageFormat: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
