internal import BarcodeCore

extension SearchStrategy.Method {
    /// Finds Aztec symbols by their bull's-eyes.
    static let aztec = Self(
        name: "aztec", title: "Aztec symbols by their bull's-eyes", symbologies: [.aztec]
    ) { state, level in
        readAztec(&state, level, rowStep: isLarge(state.binaryImage(atLevel: level)) ? 2 : 1)
    }

    /// The same on every row of a large picture: at two pixels a module every other row hits some bull's-eyes only at
    /// their edge.
    static let aztecEveryRow = Self(
        name: "aztecEveryRow", title: "Aztec symbols by their bull's-eyes, on every row", symbologies: [.aztec]
    ) { state, level in
        guard isLarge(state.binaryImage(atLevel: level)) else { return }
        readAztec(&state, level, rowStep: 1)
    }

    private static func isLarge(_ image: BinaryImage) -> Bool {
        image.width * image.height > SearchState.densePixels
    }

    private static func readAztec(_ state: inout SearchState, _ level: Int, rowStep: Int) {
        let binary = state.binaryImage(atLevel: level)
        state.readCandidates(
            AztecLocator(binary, rowStep: rowStep).bullseyes, atLevel: level, limit: .total(50),
            outline: { ($0.outline, $0.moduleSize) }
        ) { image, place, factor throws(MatrixDecodeFailure) in
            let symbol = Symbol(
                try AztecReader().read(
                    image, outline: place.outline.scaled(by: factor), isInverted: place.isInverted))
            return CandidateReading(symbol: symbol, sentence: "read: \(symbol.symbologyIdentifier)")
        }
    }
}
