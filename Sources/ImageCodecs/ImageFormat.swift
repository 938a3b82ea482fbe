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
}

extension ImageFormat: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
