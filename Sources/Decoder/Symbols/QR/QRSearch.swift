internal import BarcodeCore

/// Finds and reads the QR Codes of an image, from the smallest pyramid level to the largest.
///
/// Finder patterns are found best at two to eight pixels a module. A large symbol is therefore found in a small
/// image, at almost no cost, and is not searched again in a larger one.
extension SearchStrategy.Method {
    /// Reads QR Codes at candidates with three finder patterns, with the built-in reader.
    static let qr = Self(
        name: "qr", title: "QR symbols by three finder patterns", symbologies: [.qrCode]
    ) { state, level in
        // On a sheet first the clear candidates, then the rest.
        let locator = state.finderPatterns(atLevel: level)
        if !locator.clearCandidates.isEmpty { readQR(&state, level, locator, locator.clearCandidates) }
        let free = locator.patterns.map { isFree($0, state, level) }
        readQR(&state, level, locator, locator.candidates { free[$0] })
    }

    /// The same if there are finder patterns outside decoded symbols; by thresholds for shadows only where there may be
    /// one.
    static let qrBeside = Self(
        name: "qrBeside", title: "QR symbols by three unused finder patterns", symbologies: [.qrCode]
    ) { state, level throws(DecodeError) in
        if state.hasFreeFinder, state.threshold != .shadow || state.hasShadowEdge(atLevel: level) {
            try qr.search(&state, level)
        }
    }

    /// Reads QR Codes from two finder patterns, with the third guessed.
    static let qrGuess = Self(
        name: "qrGuess", title: "QR symbols by two finder patterns, the third guessed", symbologies: [.qrCode]
    ) { state, level in
        let locator = state.finderPatterns(atLevel: level)
        readQR(&state, level, locator, locator.guesses())
    }

    /// The same for finder patterns outside decoded symbols.
    static let qrGuessBeside = Self(
        name: "qrGuessBeside", title: "QR symbols by two unused finder patterns",
        symbologies: [.qrCode]
    ) { state, level in
        let locator = state.finderPatterns(atLevel: level)
        let free = locator.patterns.map { isFree($0, state, level) }
        guard free.count(where: \.self) > 1 else { return }
        readQR(&state, level, locator, locator.guesses { free[$0] })
    }

    /// The number of failed candidates in one pyramid level after which the search ends.
    ///
    /// Most wrong candidates are rejected in a tenth of a millisecond. The candidates are sorted, and a true one is
    /// among the first.
    private static let maximumFailures = FailureLimit.total(150)
    static let qrReader = QRReader(maximumAttempts: 10)

    /// Indicates whether a QR Code was decoded at a point; a finder pattern in another symbol may be wrong.
    static func isQR(_ found: FoundSymbols, at point: Point) -> Bool { found.hasSymbol(of: .qrCode, at: point) }

    /// Returns the decoded symbol with its description.
    static func described(_ reading: QRReading) -> CandidateReading {
        let message = reading.message
        return CandidateReading(
            symbol: Symbol(reading),
            sentence: "read: version \(message.version), level \(message.errorCorrectionLevel.rawValue), "
                + "\(message.correctedCodewords) codewords corrected")
    }

    /// Indicates whether a finder pattern in a pyramid level is outside all decoded symbols.
    static func isFree(_ pattern: FinderPattern, _ state: SearchState, _ level: Int) -> Bool {
        let scale = Double(1 << level)
        return !state.found.hasSymbol(of: .qrCode, at: Point(x: pattern.center.x * scale, y: pattern.center.y * scale))
    }

    static func readQR(
        _ state: inout SearchState, _ level: Int, _ locator: QRLocator, _ candidates: [QRLocator.Candidate]
    ) {
        if let trace = state.trace {
            report(trace, locator, level: level, places: candidates.count)
        }
        // Patterns of symbols decoded in another level form wrong candidates with those of their neighbors.
        let free = locator.patterns.map { isFree($0, state, level) }
        var used: Set<Int> = []
        state.readCandidates(
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
            failed: { state, failure in
                guard failure.error.cameToModules || failure.error.code == .badPattern else { return }
                state.unreadQR.append(
                    UnreadQR(
                        level: failure.level, corners: failure.candidate.corners.scaled(by: failure.factor),
                        size: failure.candidate.size, isInverted: failure.candidate.isInverted,
                        isTimed: failure.error.code != .badPattern))
            })
    }
}
