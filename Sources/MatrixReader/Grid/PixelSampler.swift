import BarcodeCore

/// Looks up brightness between the pixels of a picture, whose memory its maker keeps alive.
struct PixelSampler {
    private let pixels: UnsafePointer<UInt8>
    private let stride: Int
    private let lastX: Int
    private let lastY: Int

    /// Nil for a picture without pixels.
    init?(_ pixels: UnsafeBufferPointer<UInt8>, of image: LumaImage) {
        guard let base = pixels.baseAddress, image.width > 0, image.height > 0 else { return nil }
        self.pixels = base
        stride = image.bytesPerRow
        lastX = image.width - 1
        lastY = image.height - 1
    }

    /// The brightness at a point, bilinear between the centres of four pixels; outside, that of the nearest pixel.
    @inline(__always)
    func brightness(_ point: Point) -> Float {
        // The bounds come before the conversion, which would trap on what is not finite.
        let x = min(max(point.x - 0.5, 0), Double(lastX))
        let y = min(max(point.y - 0.5, 0), Double(lastY))
        guard x.isFinite, y.isFinite else { return 128 }
        let left = Int(x)
        let top = Int(y)
        let fractionX = Float(x - Double(left))
        let fractionY = Float(y - Double(top))
        let upper = pixels + top * stride
        let lower = top < lastY ? upper + stride : upper
        let right = left < lastX ? left + 1 : left
        let a = Float(upper[left]) + (Float(upper[right]) - Float(upper[left])) * fractionX
        let b = Float(lower[left]) + (Float(lower[right]) - Float(lower[left])) * fractionX
        return a + (b - a) * fractionY
    }

    /// Whether a point lies in the picture.
    @inline(__always)
    func contains(_ point: Point) -> Bool {
        point.x >= 0 && point.y >= 0 && point.x <= Double(lastX + 1) && point.y <= Double(lastY + 1)
    }
}
