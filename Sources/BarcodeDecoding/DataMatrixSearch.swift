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

    /// Places in one size of a picture that are tried in vain before the rest is given up.
    private static let failuresPerLevel = 60
    /// Pixels a module below which a symbol is read in the next larger picture, where there is one.
    private static let smallestModule = 3.0
    /// Pixels by which the corners of a symbol that was read may be off.
    private static let edgeMargin = 3.0
    private static let reader = DataMatrixReader(maximumAttempts: 24)

    private static func readDataMatrix(_ scene: inout SearchScene, _ level: Int) {
        let scale = Double(1 << level)
        // The outer edges of a symbol belong to it too.
        let taken = scene.found.symbols.map { $0.corners.scaled(by: 1 / scale).enlarged(by: edgeMargin) }
        let locator = DataMatrixLocator(scene.binaryImage(atLevel: level), taken: taken)
        if let trace = scene.trace {
            let count = locator.candidates.count
            trace(
                .note(
                    count == 0
                        ? "No Data Matrix was seen: two solid sides that meet, and opposite to them dots that alternate."
                        : "\(count) place\(count == 1 ? "" : "s") to try, with two solid sides and two dotted ones."))
        }
        var failures = 0
        for candidate in locator.candidates where failures < failuresPerLevel {
            guard scene.isWorthwhile() else { return }
            let place = candidate.corners.scaled(by: scale)
            guard !scene.found.hasMatrixSymbol(at: place.center) else { continue }
            var readingLevel = level
            while readingLevel > 0, candidate.moduleSize * Double(1 << (level - readingLevel)) < smallestModule {
                readingLevel -= 1
            }
            do {
                let reading = try reader.read(
                    scene.image(atLevel: readingLevel),
                    solidCorners: candidate.corners.scaled(by: Double(1 << (level - readingLevel))),
                    columns: candidate.columns, rows: candidate.rows, isInverted: candidate.isInverted)
                var symbol = Symbol(reading)
                symbol.corners = symbol.corners.scaled(by: Double(1 << readingLevel))
                scene.trace?(
                    .matrixPlace(
                        symbol.corners, wasRead: true,
                        sentence: "read: \(reading.message.size.columns) by \(reading.message.size.rows) modules, "
                            + "\(reading.message.correctedCodewords) wrong codewords put right"))
                if !scene.found.hasMatrixSymbol(at: symbol.corners.center) { scene.found.add(symbol) }
            } catch {
                failures += 1
                scene.trace?(.matrixPlace(place, wasRead: false, sentence: "\(error)"))
            }
        }
    }
}
