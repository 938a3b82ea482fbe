internal import BarcodeCore
internal import Glibc

/// Renders scenes as a camera might see them: symbols on a cluttered, unevenly lit background with sensor noise.
///
/// The rendering is deterministic: equal parameters give equal pictures, so that runs can be compared.
struct SceneRenderer {
    /// A symbol and its pose.
    struct Item {
        /// The symbol, upright and without distortion.
        var symbol: LumaImage
        /// The center, as fractions of the width and height of the scene.
        var center: Point
        /// The width of the symbol, as a fraction of the height of the scene.
        var size: Double
        /// The clockwise rotation, in degrees.
        var angle: Double
    }

    var width: Int
    var height: Int

    /// Renders a scene; `seed` only determines the noise, not the background.
    func render(_ items: [Item], seed: UInt64) -> LumaImage {
        var pixels = [UInt8](repeating: 0, count: width * height)
        paintGround(&pixels)
        for item in items { paint(item, on: &pixels) }
        finish(&pixels, seed: seed)
        return LumaImage(width: width, height: height, pixels: pixels)
    }

    /// Paints boxes and lines like print, in grays of medium contrast, scaled with the scene.
    private func paintGround(_ pixels: inout [UInt8]) {
        var random = SplitMix64(state: 20)
        for index in pixels.indices { pixels[index] = 150 }
        let unit = Double(height) / 480
        for _ in 0..<26 {
            let (x, y) = (random.unit() * Double(width), random.unit() * Double(height))
            let (w, h) = ((20 + random.unit() * 160) * unit, (12 + random.unit() * 90) * unit)
            fill(&pixels, x: x, y: y, width: w, height: h, value: UInt8(90 + random.unit() * 130))
        }
        for _ in 0..<8 {
            var x = random.unit() * Double(width)
            let y = random.unit() * Double(height)
            for _ in 0..<22 {
                let w = (1 + random.unit() * 5) * unit
                fill(&pixels, x: x, y: y, width: w, height: (3 + random.unit() * 5) * unit, value: 60)
                x += w + (1 + random.unit() * 4) * unit
            }
        }
    }

    private func fill(_ pixels: inout [UInt8], x: Double, y: Double, width w: Double, height h: Double, value: UInt8) {
        for row in Int(y)..<max(Int(y), min(height, Int(y + h))) {
            for column in Int(x)..<max(Int(x), min(width, Int(x + w))) { pixels[row * width + column] = value }
        }
    }

    private func paint(_ item: Item, on pixels: inout [UInt8]) {
        let symbol = item.symbol
        let scale = Double(symbol.width) / (item.size * Double(height))
        let turn = item.angle * .pi / 180
        let (sine, cosine) = (sin(turn), cos(turn))
        let (middleX, middleY) = (item.center.x * Double(width), item.center.y * Double(height))
        let reach = Int((Double(symbol.width + symbol.height) / scale).rounded(.up))
        for y in max(0, Int(middleY) - reach)..<min(height, Int(middleY) + reach) {
            for x in max(0, Int(middleX) - reach)..<min(width, Int(middleX) + reach) {
                let (dx, dy) = (Double(x) + 0.5 - middleX, Double(y) + 0.5 - middleY)
                let u = (dx * cosine + dy * sine) * scale + Double(symbol.width) / 2
                let v = (dy * cosine - dx * sine) * scale + Double(symbol.height) / 2
                guard u >= 0, v >= 0, u < Double(symbol.width), v < Double(symbol.height) else { continue }
                pixels[y * width + x] = sample(symbol, x: u - 0.5, y: v - 0.5)
            }
        }
    }

    /// Returns the bilinear interpolation of the brightness; beyond the border, the border's.
    private func sample(_ image: LumaImage, x: Double, y: Double) -> UInt8 {
        let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
        let (fx, fy) = (x - Double(left), y - Double(top))
        func at(_ x: Int, _ y: Int) -> Double {
            Double(image[x: min(max(x, 0), image.width - 1), y: min(max(y, 0), image.height - 1)])
        }
        let upper = at(left, top) * (1 - fx) + at(left + 1, top) * fx
        let lower = at(left, top + 1) * (1 - fx) + at(left + 1, top + 1) * fx
        return UInt8(upper * (1 - fy) + lower * fy)
    }

    /// Applies light that falls off towards the lower right, a contrast below that of print, and noise.
    private func finish(_ pixels: inout [UInt8], seed: UInt64) {
        var random = SplitMix64(state: seed)
        for y in 0..<height {
            for x in 0..<width {
                let light = 1 - 0.35 * (Double(x) / Double(width) + Double(y) / Double(height)) / 2
                let noise = Double(random.next() & 7) - 3.5
                let value = (30 + Double(pixels[y * width + x]) * 0.8) * light + noise
                pixels[y * width + x] = UInt8(min(max(value, 0), 255))
            }
        }
    }
}

/// A random number generator with a seed: Vigna's SplitMix64.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number in 0..<1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
