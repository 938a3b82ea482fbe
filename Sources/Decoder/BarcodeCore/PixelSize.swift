/// The size of an image or a frame in pixels.
public struct PixelSize: Sendable, Hashable, CustomStringConvertible {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    /// Creates a size.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The number of pixels.
    public var pixels: Int { width * height }

    /// A description such as `1280x720`.
    public var description: String { "\(width)x\(height)" }
}
