internal import BarcodeCore
internal import MatrixReader
internal import SymbolLocator

/// Finds and reads the Data Matrix symbols of a picture, from its smallest size to its largest.
extension SearchStrategy.Method {
    /// Data Matrix symbols by two solid sides that meet and two dotted ones.
    static let dataMatrix = Self(name: "dataMatrix") { scene, level in
        readDataMatrix(&scene, level)
    }

    /// The same where such a symbol was read in a smaller size: where one is, others are.
    static let dataMatrixBeside = Self(name: "dataMatrixBeside") { scene, level in
        guard scene.found.symbols.contains(where: { $0.symbology == .dataMatrix }) else { return }
        readDataMatrix(&scene, level)
    }

    /// The same in a small picture at twice its size, where a module may be one pixel.
    static let dataMatrixDoubled = Self(name: "dataMatrixDoubled") { scene, level in
        let image = scene.image(atLevel: level)
        guard image.width * image.height <= doubledPixels else { return }
        let doubled = image.doubled()
        search(&scene, BinaryImage(doubled), scale: 0.5) { _, _ in (doubled, 0.5) }
    }

    /// The same in a picture of little contrast, where the blank paper around it takes the edges of pale print along.
    static let dataMatrixPale = Self(name: "dataMatrixPale") { scene, level in
        guard scene.hasLittleContrast(atLevel: level) else { return }
        search(&scene, scene.paleBinaryImage(atLevel: level), scale: Double(1 << level)) { scene, _ in
            (scene.image(atLevel: level), Double(1 << level))
        }
    }

    /// Symbols of separate dots, as they are peened or sprayed: where modules are a few pixels, dots that are wider by one
    /// on each side touch.
    static let dataMatrixDots = Self(name: "dataMatrixDots") { scene, level in
        for isDark in [true, false] {
            let widened = scene.image(atLevel: level).widened(isDark: isDark)
            let scale = Double(1 << level)
            search(&scene, BinaryImage(widened), scale: scale) { _, _ in (widened, scale) }
        }
    }

    /// Places in one size of a picture that are tried in vain, one after the other, before the rest is given up.
    private static let failuresInARow = 60
    /// Places of these that are tried once more as symbols whose modules stand unevenly.
    private static let unevenPerLevel = 8
    /// Pixels a module below which a symbol is read in the next larger picture, where there is one.
    private static let smallestModule = 3.0
    /// Pixels of a picture up to which it is searched at twice its size too.
    private static let doubledPixels = 65_536
    /// Pixels by which the corners of a symbol that was read may be off.
    private static let edgeMargin = 3.0
    private static let reader = DataMatrixReader(maximumAttempts: 24)

    private static func readDataMatrix(_ scene: inout SearchScene, _ level: Int) {
        search(&scene, scene.binaryImage(atLevel: level), scale: Double(1 << level)) { scene, moduleSize in
            var readingLevel = level
            while readingLevel > 0, moduleSize * Double(1 << (level - readingLevel)) < smallestModule {
                readingLevel -= 1
            }
            return (scene.image(atLevel: readingLevel), Double(1 << readingLevel))
        }
    }

    /// Finds symbols in a picture in two tones and reads them.
    ///
    /// - Parameters:
    ///   - scale: pixels of the full picture that one of `binary` takes.
    ///   - image: the picture in which modules of so many pixels are read, and its own scale.
    private static func search(
        _ scene: inout SearchScene, _ binary: BinaryImage, scale: Double,
        image: (inout SearchScene, _ moduleSize: Double) -> (LumaImage, scale: Double)
    ) {
        // The outer edges of a symbol belong to it too.
        let taken = scene.found.symbols.map { $0.corners.scaled(by: 1 / scale).enlarged(by: edgeMargin) }
        let locator = DataMatrixLocator(binary, taken: taken)
        if let trace = scene.trace {
            let count = locator.candidates.count
            trace(
                .note(
                    count == 0
                        ? "No Data Matrix was seen: two solid sides that meet, and opposite to them dots that alternate."
                        : "\(count) place\(count == 1 ? "" : "s") to try, with two solid sides and two dotted ones."))
        }
        var failed: [DataMatrixLocator.Candidate] = []
        // As a last resort, what was read in vain may have modules that stand unevenly.
        for isUneven in [false, true] {
            var failures = 0
            for candidate in isUneven ? Array(failed.prefix(unevenPerLevel)) : locator.candidates
            where failures < failuresInARow {
                guard scene.isWorthwhile() else { return }
                let place = candidate.corners.scaled(by: scale)
                guard !scene.found.hasMatrixSymbol(at: place.center) else { continue }
                let (image, imageScale) = image(&scene, candidate.moduleSize)
                do {
                    let reading = try reader.read(
                        image, solidCorners: candidate.corners.scaled(by: scale / imageScale),
                        columns: candidate.columns, rows: candidate.rows, isInverted: candidate.isInverted,
                        isUneven: isUneven)
                    var symbol = Symbol(reading)
                    symbol.corners = symbol.corners.scaled(by: imageScale)
                    scene.trace?(
                        .matrixPlace(
                            symbol.corners, wasRead: true,
                            sentence: "read: \(reading.message.size.columns) by \(reading.message.size.rows) modules, "
                                + "\(reading.message.correctedCodewords) wrong codewords put right"))
                    if !scene.found.hasMatrixSymbol(at: symbol.corners.center) { scene.found.add(symbol) }
                    failures = 0
                } catch {
                    failures += 1
                    if !isUneven { failed.append(candidate) }
                    scene.trace?(.matrixPlace(place, wasRead: false, sentence: "\(error)"))
                }
            }
        }
    }
}
