internal import BarcodeCore
internal import MatrixReader
internal import SymbolLocator

extension SearchStrategy.Method {
    /// Micro QR and rMQR symbols at finder patterns that no symbol has which was read, each with a timing pattern
    /// beside it.
    ///
    /// The finder patterns are those that QR symbols are looked for with.
    static let microQR = Self(name: "microQR") { scene, level in
        readMicroQR(&scene, level, scene.finderPatterns(atLevel: level))
    }

    /// The same in pale print, where QR symbols were looked for in it.
    static let microQRPale = Self(name: "microQRPale") { scene, level in
        guard !scene.hasFinderPair else { return }
        readMicroQR(&scene, level, scene.paleFinderPatterns(atLevel: level))
    }

    private static func readMicroQR(_ scene: inout SearchScene, _ level: Int, _ locator: QRLocator) {
        let reader = MicroQRReader(
            scene.symbologies.count > 1
                ? .both : scene.symbologies.contains(.microQRCode) ? .microQR : .rectangularMicroQR)
        let scale = Double(1 << level)
        var failures = 0
        for (index, pattern) in locator.patterns.enumerated() where failures < failuresPerLevel {
            guard scene.isWorthwhile() else { return }
            let center = Point(x: pattern.center.x * scale, y: pattern.center.y * scale)
            guard !scene.found.hasMatrixSymbol(at: center), let finder = locator.outline(ofPattern: index) else {
                continue
            }
            var readingLevel = level
            while readingLevel > 0,
                min(pattern.width, pattern.height) / 7 * Double(1 << (level - readingLevel)) < smallestModule
            {
                readingLevel -= 1
            }
            do throws(MatrixDecodeFailure) {
                let reading = try reader.read(
                    scene.image(atLevel: readingLevel), finder: finder.scaled(by: Double(1 << (level - readingLevel))),
                    isInverted: pattern.isInverted)
                var symbol = Symbol(reading)
                symbol.corners = symbol.corners.scaled(by: Double(1 << readingLevel))
                scene.trace?(
                    .matrixPlace(
                        symbol.corners, wasRead: true,
                        sentence: "read: \(symbol.symbology.traits.title) of \(reading.message.size), "
                            + "\(reading.message.correctedCodewords) wrong codewords put right"))
                scene.found.add(symbol)
            } catch {
                // Most patterns have no timing pattern beside them, which costs nothing to see.
                guard error.code != .noFinderPattern else { continue }
                failures += 1
                scene.trace?(.matrixPlace(finder.scaled(by: scale), wasRead: false, sentence: "\(error)"))
            }
        }
    }

    /// Finder patterns in one size of a picture that look like those of a symbol and are tried in vain before the rest
    /// is given up.
    private static let failuresPerLevel = 100
    /// Pixels a module below which a symbol is read in the next larger picture, where there is one.
    private static let smallestModule = 3.0
}
