public import BarcodeCore
import Glibc

/// Makes grey pictures of linear symbols: turned, blurred, noisy, coarse.
public struct LinearRenderer {
    /// Dark modules from left to right.
    public var modules: [Bool]
    /// Pixels a module.
    public var modulePixels: Double
    /// Modules along the bars.
    public var height = 40.0
    /// Degrees clockwise.
    public var degrees = 0.0
    /// The standard deviation of the blur, in modules.
    public var blur = 0.0
    /// The largest deviation of a pixel, either way.
    public var noise = 0.0
    /// The brightness of bars.
    public var dark = 40.0
    /// The brightness of paper.
    public var light = 210.0
    /// Modules of light beside the bars, before the dark background begins.
    public var quietZone = 12.0
    /// The seed of the noise.
    public var seed: UInt64 = 1

    /// A symbol of so many pixels a module.
    public init(_ modules: [Bool], modulePixels: Double) {
        self.modules = modules
        self.modulePixels = modulePixels
    }

    /// Pixels along the sides of the picture, which is square.
    public var side: Int {
        let (x, y) = (Double(modules.count) + 2 * 14, height + 20)
        return Int((modulePixels * (x * x + y * y).squareRoot()).rounded(.up)) + 8
    }

    /// The true corners.
    public var corners: Quadrilateral {
        let (x, y) = (Double(modules.count) * modulePixels / 2, height * modulePixels / 2)
        let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        let middle = Double(side) / 2
        func place(_ u: Double, _ v: Double) -> Point {
            Point(x: middle + u * cosine - v * sine, y: middle + u * sine + v * cosine)
        }
        return Quadrilateral(
            topLeft: place(-x, -y), topRight: place(x, -y), bottomRight: place(x, y), bottomLeft: place(-x, y))
    }

    /// The picture: each pixel is the mean of three by three points.
    public func image() -> LumaImage {
        let side = self.side
        let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        let middle = Double(side) / 2
        let half = Double(modules.count) / 2
        var values = [Double](repeating: 0, count: side * side)
        for y in 0..<side {
            for x in 0..<side {
                var sum = 0.0
                for part in 0..<9 {
                    let dx = Double(x) + (Double(part % 3) + 0.5) / 3 - middle
                    let dy = Double(y) + (Double(part / 3) + 0.5) / 3 - middle
                    let u = (dx * cosine + dy * sine) / modulePixels
                    let v = (dy * cosine - dx * sine) / modulePixels
                    let module = (u + half).rounded(.down)
                    let isInside = abs(v) < height / 2 && module >= 0 && module < Double(modules.count)
                    if isInside && modules[Int(module)] {
                        sum += dark
                    } else if abs(u) < half + quietZone && abs(v) < height / 2 + 8 {
                        sum += light
                    } else {
                        sum += (dark + light) / 2
                    }
                }
                values[y * side + x] = sum / 9
            }
        }
        if blur > 0 { values = blurred(blurred(values, side, step: 1), side, step: side) }
        var random = SeededGenerator(seed: seed)
        return LumaImage(
            width: side, height: side,
            pixels: values.map { value in
                let deviation = noise > 0 ? Double.random(in: -noise...noise, using: &random) : 0
                return UInt8(min(255, max(0, value + deviation)))
            })
    }

    /// A Gaussian blur along rows or columns.
    private func blurred(_ values: [Double], _ side: Int, step: Int) -> [Double] {
        let sigma = blur * modulePixels
        let reach = Int((3 * sigma).rounded(.up))
        var weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = weights.reduce(0, +)
        weights = weights.map { $0 / sum }
        var result = values
        for line in 0..<side {
            let start = step == 1 ? line * side : line
            for place in 0..<side {
                var value = 0.0
                for offset in -reach...reach {
                    value += weights[offset + reach] * values[start + min(max(place + offset, 0), side - 1) * step]
                }
                result[start + place * step] = value
            }
        }
        return result
    }
}

/// Numbers that look random and are the same in each run: SplitMix64.
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// The row of numbers of a seed.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

extension Quadrilateral {
    /// The largest distance between corners of the same name.
    public func distance(to other: Quadrilateral) -> Double {
        zip(corners, other.corners).map { one, two in
            ((one.x - two.x) * (one.x - two.x) + (one.y - two.y) * (one.y - two.y)).squareRoot()
        }.max() ?? 0
    }
}
