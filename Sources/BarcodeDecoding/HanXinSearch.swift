internal import BarcodeCore
internal import MatrixReader
internal import SymbolLocator

extension SearchStrategy.Method {
    /// Han Xin symbols by the finder patterns in their four corners.
    static let hanXin = Self(name: "hanXin") { scene, level in
        let patterns = scene.stackedPatterns(atLevel: level).cornerPatterns
        let places = HanXinLocator(patterns).candidates
        if let trace = scene.trace { report(trace, patterns, level: level, places: places.count) }
        for place in places {
            guard scene.isWorthwhile() else { return }
            let cores = place.cores.scaled(by: Double(1 << level))
            guard !scene.found.hasMatrixSymbol(at: cores.center) else { continue }
            var readingLevel = level
            while readingLevel > 0, place.moduleSize * Double(1 << (level - readingLevel)) < smallestModule {
                readingLevel -= 1
            }
            do {
                let reading = try reader.read(
                    scene.image(atLevel: readingLevel),
                    cores: place.cores.scaled(by: Double(1 << (level - readingLevel))), size: place.size,
                    isInverted: place.isInverted)
                var symbol = Symbol(reading)
                symbol.corners = symbol.corners.scaled(by: Double(1 << readingLevel))
                scene.trace?(
                    .matrixPlace(
                        symbol.corners, wasRead: true,
                        sentence: "read: version \(reading.message.version), level \(reading.message.level), "
                            + "\(reading.message.correctedCodewords) wrong codewords put right"))
                scene.found.add(symbol)
            } catch {
                scene.trace?(.matrixPlace(cores, wasRead: false, sentence: "\(error)"))
            }
        }
    }

    private static func report(_ trace: SearchTrace, _ patterns: [CornerPattern], level: Int, places: Int) {
        let scale = Double(1 << level)
        trace(
            .finderPatterns(
                patterns.map { pattern in
                    // The core, and what is in the direction of the bows beside it.
                    let (center, reach) = (pattern.center, pattern.width / 2)
                    let (x, y) = (pattern.direction.x * reach, pattern.direction.y * reach)
                    return Quadrilateral(
                        topLeft: Point(x: center.x + 3 * x, y: center.y + 3 * y),
                        topRight: Point(x: center.x - y, y: center.y + x),
                        bottomRight: Point(x: center.x - x, y: center.y - y),
                        bottomLeft: Point(x: center.x + y, y: center.y - x)
                    ).scaled(by: scale)
                }))
        trace(
            .note(
                "\(patterns.count) finder pattern\(patterns.count == 1 ? "" : "s") of Han Xin symbols seen, "
                    + "\(places) place\(places == 1 ? "" : "s") to try."))
    }

    /// Pixels a module below which a symbol is read in the next larger picture, where there is one.
    private static let smallestModule = 3.0
    private static let reader = HanXinReader()
}
