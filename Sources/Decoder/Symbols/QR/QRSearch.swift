internal import BarcodeCore

/// Finds and reads the QR symbols of a picture, from its smallest size to its largest.
///
/// A symbol's finder patterns are found best where a module is two to eight pixels; a large symbol is therefore found
/// in a small picture, which costs next to nothing, and is not looked for again in a larger one.
extension SearchStrategy.Method {
    /// QR symbols at places with three finder patterns, straightened and decoded by our own reader.
    static let qr = Self(
        name: "qr", title: "QR symbols by three finder patterns", symbologies: [.qrCode]
    ) { scene, level in
        // Of a sheet first those that are clear, then what is left over.
        let locator = scene.finderPatterns(atLevel: level)
        if !locator.clearCandidates.isEmpty { readQR(&scene, level, locator, locator.clearCandidates) }
        let free = locator.patterns.map { isFree($0, scene, level) }
        readQR(&scene, level, locator, locator.candidates { free[$0] })
    }

    /// QR symbols at places where two finder patterns are seen and a third may be.
    static let qrGuess = Self(
        name: "qrGuess", title: "QR symbols by two finder patterns, the third guessed", symbologies: [.qrCode]
    ) { scene, level in
        let locator = scene.finderPatterns(atLevel: level)
        readQR(&scene, level, locator, locator.guesses())
    }

    /// The same with finder patterns that no symbol has.
    static let qrGuessBeside = Self(
        name: "qrGuessBeside", title: "QR symbols by two finder patterns that are left over beside others",
        symbologies: [.qrCode]
    ) { scene, level in
        let locator = scene.finderPatterns(atLevel: level)
        let free = locator.patterns.map { isFree($0, scene, level) }
        guard free.count(where: \.self) > 1 else { return }
        readQR(&scene, level, locator, locator.guesses { free[$0] })
    }

    /// Places in one size of a picture that are tried in vain before the rest is given up.
    ///
    /// A place that is none is refused in a tenth of a millisecond, mostly. The places are sorted, and a true one
    /// stands among the first.
    private static let maximumFailures = FailureLimit.total(150)
    static let qrReader = QRReader(maximumAttempts: 10)

    /// Indicates that a QR symbol was read at a point; what others make of a finder pattern may be wrong.
    static func isQR(_ found: FoundSymbols, at point: Point) -> Bool { found.hasSymbol(of: .qrCode, at: point) }

    /// A symbol that was read, with its description.
    static func described(_ reading: QRReading) -> PlaceReading {
        let message = reading.message
        return PlaceReading(
            symbol: Symbol(reading),
            sentence: "read: version \(message.version), level \(message.errorCorrectionLevel.rawValue), "
                + "\(message.correctedCodewords) wrong codewords put right")
    }

    /// Whether a finder pattern in a size of a picture is part of no symbol that was read.
    static func isFree(_ pattern: FinderPattern, _ scene: SearchScene, _ level: Int) -> Bool {
        let scale = Double(1 << level)
        return !scene.found.hasSymbol(of: .qrCode, at: Point(x: pattern.center.x * scale, y: pattern.center.y * scale))
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
        scene.readPlaces(
            candidates, atLevel: level, limit: maximumFailures, outline: { ($0.corners, $0.moduleSize) },
            isOpen: { $0.patterns.allSatisfy { free[$0] } && used.isDisjoint(with: $0.patterns) },
            isTaken: isQR,
            read: { image, place, factor throws(MatrixDecodeFailure) in
                let reading = try qrReader.read(
                    image, finderCorners: place.corners.scaled(by: factor), size: place.size,
                    isInverted: place.isInverted)
                used.formUnion(place.patterns)
                return described(reading)
            },
            failed: { scene, failure in
                guard failure.error.cameToModules else { return }
                scene.unreadQR.append(
                    UnreadQR(
                        level: failure.level, corners: failure.place.corners.scaled(by: failure.factor),
                        size: failure.place.size, isInverted: failure.place.isInverted))
            })
    }
}
