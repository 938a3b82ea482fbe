import BarcodeCore
import Glibc
import Testing

@testable import Symbols

/// The measure that distinguishes a finder pattern from textures that resemble one along some lines.
@Suite("Correlation of finder patterns")
struct FinderCorrelationTests {
    private static let side = 120

    /// Pixels per module.
    private static let module = 6.0

    /// Returns the correlation for a picture that is dark where `isDark` is true, in modules from its center.
    private static func correlation(isInverted: Bool = false, _ isDark: (Double, Double) -> Bool) -> Double {
        let middle = Double(side) / 2
        var pixels: [UInt8] = []
        for y in 0..<side {
            for x in 0..<side {
                let dark = isDark((Double(x) + 0.5 - middle) / module, (Double(y) + 0.5 - middle) / module)
                pixels.append(dark != isInverted ? 1 : 0)
            }
        }
        let pattern = FinderPattern(
            center: Point(x: middle, y: middle), width: 7 * module, height: 7 * module, isInverted: isInverted,
            crossings: 1, correlation: 0)
        return pixels.withUnsafeBufferPointer {
            FinderCorrelation.value(of: pattern, in: $0, width: side, height: side)
        }
    }

    private static func isDarkRing(_ distance: Double) -> Bool { distance < 1.5 || (2.5...3.5).contains(distance) }

    @Test(
        "A finder pattern has a high score at every angle", arguments: Array(stride(from: 0.0, to: 90, by: 7.5)),
        [false, true])
    func angles(degrees: Double, isInverted: Bool) {
        let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        // Rows through a rotated square are longer than its side.
        let stretch = 1 / max(cosine, sine)
        let correlation = Self.correlation(isInverted: isInverted) { x, y in
            let (u, v) = (stretch * (x * cosine + y * sine), stretch * (y * cosine - x * sine))
            return Self.isDarkRing(max(abs(u), abs(v)))
        }
        #expect(correlation > 0.65)
    }

    @Test("Lines that cross as in a finder pattern have a low score")
    func crosses() {
        // Rings along the axes and diagonals only, stripes elsewhere.
        let correlation = Self.correlation { x, y in
            let isOnLine = min(abs(x), abs(y)) < 0.4 || abs(abs(x) - abs(y)) < 0.4
            return isOnLine ? Self.isDarkRing(max(abs(x), abs(y))) : Int(x * 2 + 100) % 2 == 0
        }
        #expect(correlation < 0.65)
    }
}
