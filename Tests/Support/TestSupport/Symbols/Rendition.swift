package import BarcodeCore

/// One picture of one symbol, and the judgement on what was read of it.
package struct Rendition: Sendable, CustomStringConvertible {
    package var symbol: SampleSymbol
    package var renderer: SymbolRenderer
    /// Whether black and white are exchanged.
    package var isInverted = false
    /// Whether the corners are judged too.
    package var judgesPlace = true

    /// The largest distance of a corner from its place, as a part of the symbol's side.
    package static let largestOffset = 0.02

    /// A symbol of so many pixels a module, to be changed as the test wants.
    package init(
        _ symbol: SampleSymbol, modulePixels: Double, seed: UInt64 = 1,
        _ change: (inout SymbolRenderer) -> Void = { _ in }
    ) {
        self.symbol = symbol
        renderer = SymbolRenderer(symbol.pattern, modulePixels: modulePixels)
        // The light around a QR symbol is four modules wide, that around a linear one ten.
        renderer.quietZone = symbol.symbology == .qrCode ? (4, 4) : (10, 8)
        renderer.seed = seed
        change(&renderer)
    }

    /// The picture.
    package func image() -> LumaImage {
        let image = renderer.image()
        return isInverted ? image.inverted() : image
    }

    package var description: String {
        let noted: [(String, Double, Double)] = [
            ("turned", renderer.degrees, 0), ("tilted", renderer.tilt, 0), ("blur", renderer.blur, 0),
            ("noise", renderer.noise, 0), ("gradient", renderer.gradient, 0), ("bend", renderer.bend, 0),
            ("dark", renderer.dark, 20), ("light", renderer.light, 230),
        ]
        let changes = noted.filter { $0.1 != $0.2 }.map { "\($0.0) \($0.1)" }
        let flags = [(isInverted, "inverted"), (renderer.isMirrored, "mirrored")].filter(\.0).map(\.1)
        return ([symbol.label, "\(renderer.modulePixels) px a module"] + changes + flags + ["seed \(renderer.seed)"])
            .joined(separator: ", ")
    }

    /// What is wrong with what was read; nil where the one symbol was read in its place.
    package func problem(_ found: [Symbol]) -> String? {
        guard found.count == 1, let only = found.first else {
            return found.isEmpty ? "nothing was read" : "\(found.count) symbols were read: \(found.map(\.text))"
        }
        guard only.symbology == symbol.symbology, only.text == symbol.text else {
            return "\(only.symbology.rawValue) \(only.text) was read"
        }
        let distance = offset(of: only.corners)
        guard !judgesPlace || distance <= Self.largestOffset else {
            return "a corner is off by \((distance * 1000).rounded() / 10) % of the side"
        }
        return nil
    }

    /// How far the worst corner is from its place, as a part of the longer of two neighbouring sides.
    package func offset(of corners: Quadrilateral) -> Double {
        let truth = renderer.corners
        func length(_ one: Point, _ two: Point) -> Double {
            ((one.x - two.x) * (one.x - two.x) + (one.y - two.y) * (one.y - two.y)).squareRoot()
        }
        let across = (length(truth.topLeft, truth.topRight) + length(truth.bottomLeft, truth.bottomRight)) / 2
        let down = (length(truth.topLeft, truth.bottomLeft) + length(truth.topRight, truth.bottomRight)) / 2
        // A mirrored linear symbol is the same symbol read from the other side.
        var places = [truth]
        if renderer.isMirrored, symbol.symbology != .qrCode {
            places.append(truth.reordered(from: 1, isReversed: true))
        }
        return (places.map { corners.distance(to: $0) }.min() ?? 0) / max(across, down)
    }
}
