internal import BarcodeCore

extension SearchStrategy.Method {
    /// Finds Micro QR and rMQR symbols by finder patterns with a timing pattern beside them, outside decoded
    /// symbols.
    ///
    /// The finder patterns are the same as for QR Code.
    static let microQR = Self(
        name: "microQR", title: "Micro QR and rMQR symbols by their finder pattern",
        symbologies: [.microQRCode, .rectangularMicroQRCode]
    ) { state, level in
        let locator = state.finderPatterns(atLevel: level)
        let reader = MicroQRReader(
            state.symbologies.count > 1
                ? .both : state.symbologies.contains(.microQRCode) ? .microQR : .rectangularMicroQR)
        let places = locator.patterns.enumerated().lazy.compactMap { index, pattern in
            locator.outline(ofPattern: index).map { (pattern: pattern, outline: $0) }
        }
        state.readCandidates(
            places, atLevel: level, limit: .total(100),
            outline: { ($0.outline, min($0.pattern.width, $0.pattern.height) / 7) },
            read: { image, place, factor throws(MatrixDecodeFailure) in
                let reading = try reader.read(
                    image, finder: place.outline.scaled(by: factor), isInverted: place.pattern.isInverted)
                let symbol = Symbol(reading)
                return CandidateReading(
                    symbol: symbol,
                    sentence: "read: \(symbol.symbology.traits.title) of \(reading.message.size), "
                        + "\(reading.message.correctedCodewords) codewords corrected")
            },
            // Most patterns have no timing pattern beside them; the check is fast.
            failed: { $1.counts = $1.error.code != .noFinderPattern })
    }
}
