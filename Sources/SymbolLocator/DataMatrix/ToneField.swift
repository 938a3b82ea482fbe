internal import BarcodeCore

/// The memory of a picture in two tones, whose maker keeps it alive, for looks at single places.
struct ToneField {
    /// What a place outside of the picture has: neither dark nor light.
    static let outside: UInt8 = 2

    let pixels: UnsafePointer<UInt8>
    let width: Int
    let height: Int

    /// Nil for a picture without pixels.
    init?(_ pixels: UnsafeBufferPointer<UInt8>, width: Int, height: Int) {
        guard let base = pixels.baseAddress, width > 0, height > 0, pixels.count >= width * height else { return nil }
        self.pixels = base
        self.width = width
        self.height = height
    }

    /// 1 for dark, 0 for light.
    @inline(__always)
    func tone(_ x: Double, _ y: Double) -> UInt8 {
        // The bounds come before the conversion, which would trap on what is not finite.
        guard x >= 0, y >= 0, x < Double(width), y < Double(height) else { return Self.outside }
        return pixels[Int(y) * width + Int(x)]
    }

    @inline(__always)
    func tone(_ point: Point) -> UInt8 { tone(point.x, point.y) }
}
