internal import BarcodeCore
internal import MatrixReader
internal import SymbolLocator

extension SearchStrategy.Method {
    /// MaxiCode symbols around bull's-eyes, straightened and decoded by our own reader.
    static let maxiCode = Self(name: "maxiCode") { scene, level in
        let binary = scene.binaryImage(atLevel: level)
        let locator = BullseyeLocator(binary, rowStep: binary.width * binary.height > densePixels ? 3 : 2)
        var failures = 0
        for bullseye in locator.bullseyes where failures < maximumBullseyeFailures {
            guard scene.isWorthwhile() else { return }
            let place = bullseye.corners.scaled(by: Double(1 << level))
            guard !scene.found.hasMatrixSymbol(at: place.center) else { continue }
            var readingLevel = level
            while readingLevel > 0, bullseye.radius * Double(1 << (level - readingLevel)) < smallestRadius {
                readingLevel -= 1
            }
            do {
                let reading = try reader.read(
                    scene.image(atLevel: readingLevel),
                    bullseye: bullseye.corners.scaled(by: Double(1 << (level - readingLevel))),
                    isInverted: bullseye.isInverted)
                var symbol = Symbol(reading)
                symbol.corners = symbol.corners.scaled(by: Double(1 << readingLevel))
                scene.trace?(
                    .matrixPlace(
                        symbol.corners, wasRead: true,
                        sentence: "read: mode \(reading.message.mode), "
                            + "\(reading.message.correctedCodewords) wrong codewords put right"))
                scene.found.add(symbol)
                failures = 0
            } catch {
                failures += 1
                scene.trace?(.matrixPlace(place, wasRead: false, sentence: "\(error)"))
            }
        }
    }

    /// Pixels of a picture of which every other row is searched for bull's-eyes; in a larger one every third, which still
    /// crosses the center of one of 3.5 pixels a module.
    private static let densePixels = 300_000
    /// Pixels from the center of a bull's-eye to its edge below which a symbol is read in the next larger picture, where
    /// there is one: 4 a module.
    private static let smallestRadius = 18.0
    /// Bull's-eyes that are tried in vain, one after the other, before the rest is given up.
    private static let maximumBullseyeFailures = 32
    private static let reader = MaxiCodeReader()
}
