package import BarcodeCore
import Glibc

/// A canvas for gray pictures; its values may exceed 0...255 until the picture is created.
package struct GrayCanvas: Sendable {
    package let width: Int
    package let height: Int
    /// The brightness values, row by row.
    package var values: [Float]

    /// Creates a canvas of one brightness.
    package init(width: Int, height: Int, value: Float = 0) {
        self.width = width
        self.height = height
        values = [Float](repeating: value, count: width * height)
    }

    /// Creates a canvas with the brightness `value` of each column and row.
    package init(width: Int, height: Int, _ value: (_ x: Int, _ y: Int) -> Float) {
        self.init(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width { values[y * width + x] = value(x, y) }
        }
    }

    /// Blurs the canvas by a Gaussian, as a lens out of focus and a moving hand do together.
    ///
    /// - Parameter sigma: the standard deviation, in pixels; 0 does nothing.
    package mutating func blur(_ sigma: Double) {
        guard sigma > 0 else { return }
        blur(sigma, lines: height, count: width, lineStep: width, step: 1)
        blur(sigma, lines: width, count: height, lineStep: 1, step: width)
    }

    private mutating func blur(_ sigma: Double, lines: Int, count: Int, lineStep: Int, step: Int) {
        let reach = Int((3 * sigma).rounded(.up))
        var weights = (-reach...reach).map { Float(exp(-Double($0 * $0) / (2 * sigma * sigma))) }
        let sum = weights.reduce(0, +)
        weights = weights.map { $0 / sum }
        // Both ends of a line are extended with their last value.
        var line = [Float](repeating: 0, count: count + 2 * reach)
        values.withUnsafeMutableBufferPointer { values in
            weights.withUnsafeBufferPointer { weights in
                for index in 0..<lines {
                    let start = index * lineStep
                    for place in line.indices {
                        line[place] = values[start + min(max(place - reach, 0), count - 1) * step]
                    }
                    line.withUnsafeBufferPointer { line in
                        for place in 0..<count {
                            var value: Float = 0
                            for offset in weights.indices { value += weights[offset] * line[place + offset] }
                            values[start + place * step] = value
                        }
                    }
                }
            }
        }
    }

    /// Adds uniform noise between `-deviation` and `deviation` to each pixel.
    package mutating func addNoise(_ deviation: Double, using random: inout SeededGenerator) {
        guard deviation > 0 else { return }
        let scale = Float(2 * deviation) / 65536
        values.withUnsafeMutableBufferPointer { values in
            for place in values.indices {
                values[place] += Float(random.next() >> 48) * scale - Float(deviation)
            }
        }
    }

    /// Returns the picture, with values clamped to black and white.
    package func image() -> LumaImage {
        LumaImage(width: width, height: height, pixels: values.map { UInt8(min(255, max(0, $0))) })
    }
}
