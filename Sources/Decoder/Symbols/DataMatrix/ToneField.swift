internal import BarcodeCore

/// Unsafe access to the pixels of a binary image, which its creator keeps alive, to look up single points.
struct ToneField {
    /// The tone of a point outside the picture: neither dark nor light.
    static let outside: UInt8 = 2

    let pixels: UnsafePointer<UInt8>
    let width: Int
    let height: Int

    /// `nil` for a picture without pixels.
    init?(_ pixels: UnsafeBufferPointer<UInt8>, width: Int, height: Int) {
        guard let base = pixels.baseAddress, width > 0, height > 0, pixels.count >= width * height else { return nil }
        self.pixels = base
        self.width = width
        self.height = height
    }

    /// The tone at a point: 1 for dark, 0 for light.
    @inline(__always)
    func tone(_ x: Double, _ y: Double) -> UInt8 {
        // The bounds come before the conversion, which would trap on a value that is not finite.
        guard x >= 0, y >= 0, x < Double(width), y < Double(height) else { return Self.outside }
        return pixels[Int(y) * width + Int(x)]
    }

    /// Passes the tones of points on a line, a step apart, to `body` until it returns false.
    @inline(__always)
    func walk(
        _ x: Double, _ y: Double, stepX: Double, stepY: Double, count: Int, _ body: (UInt8) -> Bool
    ) {
        let last = Double(count - 1)
        let (endX, endY) = (x + last * stepX, y + last * stepY)
        // A pixel from the edges, so that fixed-point steps cannot leave the picture either.
        if min(x, endX) >= 1, min(y, endY) >= 1, max(x, endX) < Double(width - 1), max(y, endY) < Double(height - 1) {
            let one = Double(1 << Self.fraction)
            var (fixedX, fixedY) = (Int(x * one), Int(y * one))
            let (moveX, moveY) = (Int(stepX * one), Int(stepY * one))
            for _ in 0..<count {
                guard body(pixels[(fixedY &>> Self.fraction) &* width &+ fixedX &>> Self.fraction]) else { return }
                fixedX &+= moveX
                fixedY &+= moveY
            }
            return
        }
        var (x, y) = (x, y)
        for _ in 0..<count {
            guard body(tone(x, y)) else { return }
            x += stepX
            y += stepY
        }
    }

    /// The number of fraction bits of the fixed-point coordinates of a walk.
    private static let fraction = 32

    @inline(__always)
    func tone(_ point: Point) -> UInt8 { tone(point.x, point.y) }
}
