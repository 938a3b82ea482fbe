/// The size of a picture or a frame in pixels.
public struct PixelSize: Sendable, Hashable, CustomStringConvertible {
    /// Pixels across.
    public var width: Int
    /// Pixels down.
    public var height: Int

    /// The size of `width` by `height` pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The number of pixels.
    public var pixels: Int { width * height }

    /// Such as `1280x720`.
    public var description: String { "\(width)x\(height)" }
}
