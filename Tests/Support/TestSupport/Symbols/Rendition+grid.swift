import BarcodeCore
import Symbols

extension Rendition {
    /// The conditions that a decoder must handle, varied one at a time.
    ///
    /// - Parameter step: the angle between renditions, in degrees; beyond 15, large versions are left out.
    package static func grid(step: Int, seed: UInt64) throws -> [Rendition] {
        var all: [Rendition] = []
        let small = [1, 3, 7]
        for version in small + (step <= 15 ? [15, 25, 40] : []) {
            // A large symbol has too many modules for a picture of moderate size, so it gets fewer angles.
            let angles = stride(from: 0, to: 346, by: version > 7 ? step * 4 : step)
            let symbol = try SampleSymbol.qr(version: version, seed: seed)
            for degrees in angles {
                all.append(Rendition(symbol, modulePixels: 3, seed: seed) { $0.degrees = Double(degrees) })
            }
        }
        for version in small {
            let symbol = try SampleSymbol.qr(version: version, level: .low, seed: seed)
            for (tilt, turn) in [(15.0, 0.0), (30, 20), (45, 0), (45, 70), (45, 200)] {
                all.append(
                    Rendition(symbol, modulePixels: 5, seed: seed) { ($0.tilt, $0.degrees) = (tilt, turn) })
            }
            for pixels in [2.0, 2.6, 4.3, 8, 13] {
                all.append(Rendition(symbol, modulePixels: pixels, seed: seed) { $0.degrees = 8 })
            }
            for blur in [0.25, 0.4] {
                all.append(Rendition(symbol, modulePixels: 4, seed: seed) { ($0.blur, $0.degrees) = (blur, 33) })
            }
            all.append(Rendition(symbol, modulePixels: 4, seed: seed) { ($0.noise, $0.degrees) = (60, 50) })
            all.append(
                Rendition(symbol, modulePixels: 4, seed: seed) { ($0.dark, $0.light, $0.gradient) = (10, 100, 140) })
            all.append(Rendition(symbol, modulePixels: 4, seed: seed) { ($0.dark, $0.light) = (110, 140) })
        }
        for level in QRErrorCorrectionLevel.allCases {
            for mode in SampleSymbol.Mode.allCases {
                let symbol = try SampleSymbol.qr(version: 2, level: level, mode: mode, seed: seed)
                var rendition = Rendition(symbol, modulePixels: 3.4, seed: seed) { $0.degrees = 12 }
                rendition.isInverted = level == .low || level == .high
                rendition.renderer.isMirrored = mode == .numeric || level == .high
                all.append(rendition)
            }
        }
        return all + linear(step: step, seed: seed)
    }

    /// Returns renditions with all conditions varied at once, each moderately.
    package static func chances(_ count: Int, seed: UInt64) throws -> [Rendition] {
        var random = SeededGenerator(seed: seed)
        return try (0..<count).map { _ in try byChance(&random) }
    }

    private static func linear(step: Int, seed: UInt64) -> [Rendition] {
        var all: [Rendition] = []
        for (index, symbology) in SampleSymbol.linearSymbologies.enumerated() {
            let symbol = SampleSymbol.linear(symbology, seed: seed &+ UInt64(index))
            for degrees in stride(from: 0, to: 346, by: 2 * step) {
                all.append(
                    Rendition(symbol, modulePixels: 2, seed: seed) {
                        ($0.degrees, $0.background) = (Double(degrees), 125)
                    })
            }
            for pixels in [1.5, 3.1, 6] {
                all.append(Rendition(symbol, modulePixels: pixels, seed: seed) { ($0.degrees, $0.noise) = (5, 6) })
            }
            for tilt in [15.0, 25] {
                var tilted = Rendition(symbol, modulePixels: 3, seed: seed) { ($0.tilt, $0.degrees) = (tilt, 15) }
                // The strip of a linear symbol is a rectangle, so its corners do not match those of a tilted sheet.
                tilted.judgesPlace = false
                all.append(tilted)
            }
            all.append(Rendition(symbol, modulePixels: 3, seed: seed) { ($0.blur, $0.degrees) = (0.4, 10) })
            all.append(
                Rendition(symbol, modulePixels: 3, seed: seed) { ($0.dark, $0.light, $0.gradient) = (30, 100, 120) })
            var inverted = Rendition(symbol, modulePixels: 3, seed: seed)
            inverted.isInverted = true
            all.append(inverted)
        }
        return all
    }

    private static func byChance(_ random: inout SeededGenerator) throws -> Rendition {
        let seed = random.next() >> 32
        let isQR = Bool.random(using: &random)
        let symbol =
            isQR
            ? try SampleSymbol.qr(
                version: [1, 2, 3, 4, 5, 7, 10].randomElement(using: &random) ?? 1,
                level: QRErrorCorrectionLevel.allCases.randomElement(using: &random) ?? .low,
                mode: SampleSymbol.Mode.allCases.randomElement(using: &random) ?? .bytes, seed: seed)
            : SampleSymbol.linear(SampleSymbol.linearSymbologies.randomElement(using: &random) ?? .ean13, seed: seed)
        var result = Rendition(
            symbol, modulePixels: (Double.random(in: 2.5...6, using: &random) * 10).rounded() / 10, seed: seed)
        result.renderer.degrees = Double(Int.random(in: 0..<360, using: &random))
        result.renderer.tilt = Double(Int.random(in: 0...(isQR ? 35 : 4), using: &random))
        result.renderer.blur = (Double.random(in: 0...0.3, using: &random) * 100).rounded() / 100
        result.renderer.noise = Double(Int.random(in: 0...20, using: &random))
        result.renderer.dark = Double(Int.random(in: 10...60, using: &random))
        result.renderer.light = Double(Int.random(in: 150...210, using: &random))
        result.renderer.gradient = Double(Int.random(in: -60...40, using: &random))
        result.isInverted = isQR && Int.random(in: 0..<4, using: &random) == 0
        result.renderer.isMirrored = isQR && Int.random(in: 0..<4, using: &random) == 0
        return result
    }
}
