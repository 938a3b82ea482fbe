internal import BarcodeCore
internal import MatrixReader
internal import SymbolLocator

/// Finds and reads the Aztec symbols of a picture by their bull's-eyes, from its smallest size to its largest.
extension SearchStrategy.Method {
    /// Aztec symbols around bull's-eyes.
    static let aztec = Self(name: "aztec") { scene, level in
        search(&scene, level, scene.binaryImage(atLevel: level))
    }

    /// The same in a picture of little contrast.
    static let aztecPale = Self(name: "aztecPale") { scene, level in
        guard scene.hasLittleContrast(atLevel: level) else { return }
        search(&scene, level, scene.paleBinaryImage(atLevel: level))
    }

    private static func search(_ scene: inout SearchScene, _ level: Int, _ binary: BinaryImage) {
        let isLarge = binary.width * binary.height > SearchScene.densePixels
        var failures = 0
        for bullsEye in AztecLocator(binary, rowStep: isLarge ? 2 : 1).bullsEyes where failures < failuresPerLevel {
            guard scene.isWorthwhile() else { return }
            let place = bullsEye.outline.scaled(by: Double(1 << level))
            guard !scene.found.hasMatrixSymbol(at: place.center) else { continue }
            do {
                let symbol = try read(&scene, level, bullsEye)
                scene.trace?(
                    .matrixPlace(symbol.corners, wasRead: true, sentence: "read: \(symbol.symbologyIdentifier)"))
                scene.found.add(symbol)
            } catch {
                failures += 1
                scene.trace?(.matrixPlace(place, wasRead: false, sentence: "\(error)"))
            }
        }
    }

    /// Bull's-eyes in one size of a picture that are read in vain before the rest is given up.
    private static let failuresPerLevel = 50
    /// Pixels a module below which a symbol is read in the next larger picture, where there is one.
    private static let smallestModule = 3.0

    private static func read(
        _ scene: inout SearchScene, _ level: Int, _ bullsEye: AztecLocator.BullsEye
    ) throws(MatrixDecodeFailure) -> Symbol {
        var readingLevel = level
        while readingLevel > 0, bullsEye.moduleSize * Double(1 << (level - readingLevel)) < smallestModule {
            readingLevel -= 1
        }
        let reading = try AztecReader().read(
            scene.image(atLevel: readingLevel),
            outline: bullsEye.outline.scaled(by: Double(1 << (level - readingLevel))), isInverted: bullsEye.isInverted)
        var symbol = Symbol(reading)
        symbol.corners = symbol.corners.scaled(by: Double(1 << readingLevel))
        return symbol
    }
}
