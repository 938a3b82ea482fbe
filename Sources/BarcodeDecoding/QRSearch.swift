internal import BarcodeCore
internal import MatrixReader
internal import SymbolLocator

/// Finds and reads the QR symbols of a picture, from its smallest size to its largest.
///
/// A symbol's finder patterns are found best where a module is two to eight pixels; a large symbol is therefore found
/// in a small picture, which costs next to nothing, and is not looked for again in a larger one.
extension SearchStrategy.Method {
    /// QR symbols at places with three finder patterns, straightened and decoded by our own reader.
    static let qr = Self(name: "qr") { scene, level in
        let locator = scene.finderPatterns(atLevel: level)
        readQR(&scene, level, locator)
    }

    /// QR symbols at places with three finder patterns in pale print, where no two others were seen.
    static let qrPale = Self(name: "qrPale") { scene, level in
        guard !scene.hasFinderPair else { return }
        let locator = scene.paleFinderPatterns(atLevel: level)
        readQR(&scene, level, locator)
    }

    /// QR symbols at places where two finder patterns are seen and a third may be.
    static let qrGuess = Self(name: "qrGuess") { scene, level in
        let locator = scene.finderPatterns(atLevel: level)
        readQR(&scene, level, locator, locator.guesses())
    }

    /// The same beside a QR symbol that was read, with finder patterns that no symbol has: where one is, others are.
    static let qrGuessBeside = Self(name: "qrGuessBeside") { scene, level in
        guard scene.found.symbols.contains(where: { $0.symbology == .qrCode }) else { return }
        let locator = scene.finderPatterns(atLevel: level)
        let free = locator.patterns.map { isFree($0, scene, level) }
        guard free.count(where: \.self) > 1 else { return }
        readQR(&scene, level, locator, locator.guesses { free[$0] })
    }

    /// Places in one size of a picture that are tried in vain before the rest is given up.
    ///
    /// A place that is none is refused in a tenth of a millisecond, mostly. The places are sorted, and a true one
    /// stands among the first.
    private static let failuresPerLevel = 150
    /// Pixels a module below which a symbol is read in the next larger picture, where there is one.
    private static let smallestModule = 3.0
    static let qrReader = QRReader(maximumAttempts: 10)

    /// Adds what was read in a size of the picture, unless a symbol has been read there.
    static func add(_ reading: QRReading, level: Int, to scene: inout SearchScene) {
        var symbol = Symbol(reading)
        symbol.corners = symbol.corners.scaled(by: Double(1 << level))
        scene.trace?(
            .matrixPlace(
                symbol.corners, wasRead: true,
                sentence: "read: version \(reading.message.version), level "
                    + "\(reading.message.errorCorrectionLevel.rawValue), "
                    + "\(reading.message.correctedCodewords) wrong codewords put right"))
        if !scene.found.hasSymbol(of: .qrCode, at: symbol.corners.center) { scene.found.add(symbol) }
    }

    /// Whether a finder pattern in a size of a picture is part of no symbol that was read.
    static func isFree(_ pattern: FinderPattern, _ scene: SearchScene, _ level: Int) -> Bool {
        let scale = Double(1 << level)
        return !scene.found.hasSymbol(of: .qrCode, at: Point(x: pattern.center.x * scale, y: pattern.center.y * scale))
    }

    /// Reads at all places of three finder patterns: of a sheet first those that are clear, then what is left over.
    private static func readQR(_ scene: inout SearchScene, _ level: Int, _ locator: QRLocator) {
        if !locator.clearCandidates.isEmpty { readQR(&scene, level, locator, locator.clearCandidates) }
        let free = locator.patterns.map { isFree($0, scene, level) }
        readQR(&scene, level, locator, locator.candidates { free[$0] })
    }

    static func readQR(
        _ scene: inout SearchScene, _ level: Int, _ locator: QRLocator, _ candidates: [QRLocator.Candidate]
    ) {
        if let trace = scene.trace {
            report(trace, locator, level: level, places: candidates.count)
        }
        // Patterns of symbols that were read in another size make places with those of their neighbors, all of them wrong.
        let free = locator.patterns.map { isFree($0, scene, level) }
        var used: Set<Int> = []
        var failures = 0
        for candidate in candidates where failures < failuresPerLevel {
            guard scene.isWorthwhile() else { return }
            guard candidate.patterns.allSatisfy({ free[$0] }), used.isDisjoint(with: candidate.patterns) else {
                continue
            }
            let place = candidate.corners.scaled(by: Double(1 << level))
            guard !scene.found.hasSymbol(of: .qrCode, at: place.center) else { continue }
            var readingLevel = level
            while readingLevel > 0, candidate.moduleSize * Double(1 << (level - readingLevel)) < smallestModule {
                readingLevel -= 1
            }
            do throws(MatrixDecodeFailure) {
                let reading = try qrReader.read(
                    scene.image(atLevel: readingLevel),
                    finderCorners: candidate.corners.scaled(by: Double(1 << (level - readingLevel))),
                    size: candidate.size, isInverted: candidate.isInverted)
                used.formUnion(candidate.patterns)
                add(reading, level: readingLevel, to: &scene)
            } catch {
                failures += 1
                if error.cameToModules {
                    scene.unreadQR.append(
                        UnreadQR(
                            level: readingLevel,
                            corners: candidate.corners.scaled(by: Double(1 << (level - readingLevel))),
                            size: candidate.size, isInverted: candidate.isInverted))
                }
                scene.trace?(.matrixPlace(place, wasRead: false, sentence: "\(error)"))
            }
        }
    }
}
