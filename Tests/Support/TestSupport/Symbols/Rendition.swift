package import BarcodeCore

/// A rendered picture of one symbol, and the check of the decoded result.
package struct Rendition: Sendable, CustomStringConvertible {
    package var symbol: SampleSymbol
    package var renderer: SymbolRenderer
    /// Indicates whether black and white are exchanged.
    package var isInverted = false
    /// Indicates whether the corners are checked too.
    package var judgesPlace = true

    /// The maximum distance of a corner from its true location, as a share of the symbol's side.
    package static let largestOffset = 0.02

    /// Creates a rendition with `modulePixels` pixels per module; `change` adjusts the renderer.
    package init(
        _ symbol: SampleSymbol, modulePixels: Double, seed: UInt64 = 1,
        _ change: (inout SymbolRenderer) -> Void = { _ in }
    ) {
        self.symbol = symbol
        renderer = SymbolRenderer(symbol.pattern, modulePixels: modulePixels)
        // The quiet zone is four modules for a QR code, and ten for a linear symbol.
        renderer.quietZone = symbol.symbology == .qrCode ? (4, 4) : (10, 8)
        renderer.seed = seed
        change(&renderer)
    }

    /// Renders the picture.
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

    /// Returns the fault of the decoded result; `nil` if exactly this symbol was read at its location.
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

    /// Returns the largest error of a corner, as a share of the longer of two adjacent sides.
    package func offset(of corners: Quadrilateral) -> Double {
        let truth = renderer.corners
        func length(_ one: Point, _ two: Point) -> Double {
            ((one.x - two.x) * (one.x - two.x) + (one.y - two.y) * (one.y - two.y)).squareRoot()
        }
        let across = (length(truth.topLeft, truth.topRight) + length(truth.bottomLeft, truth.bottomRight)) / 2
        let down = (length(truth.topLeft, truth.bottomLeft) + length(truth.topRight, truth.bottomRight)) / 2
        // A mirrored linear symbol is the same symbol, read from the other side.
        var places = [truth]
        if renderer.isMirrored, symbol.symbology != .qrCode {
            places.append(truth.reordered(from: 1, isReversed: true))
        }
        return (places.map { corners.distance(to: $0) }.min() ?? 0) / max(across, down)
    }
}
