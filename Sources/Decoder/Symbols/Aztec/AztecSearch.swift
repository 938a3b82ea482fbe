internal import BarcodeCore

extension SearchStrategy.Method {
    /// Finds Aztec symbols by their bull's-eyes.
    static let aztec = Self(
        name: "aztec", title: "Aztec symbols by their bull's-eyes", symbologies: [.aztec]
    ) { state, level in
        let binary = state.binaryImage(atLevel: level)
        let isLarge = binary.width * binary.height > SearchState.densePixels
        state.readCandidates(
            AztecLocator(binary, rowStep: isLarge ? 2 : 1).bullseyes, atLevel: level, limit: .total(50),
            outline: { ($0.outline, $0.moduleSize) }
        ) { image, place, factor throws(MatrixDecodeFailure) in
            let symbol = Symbol(
                try AztecReader().read(
                    image, outline: place.outline.scaled(by: factor), isInverted: place.isInverted))
            return CandidateReading(symbol: symbol, sentence: "read: \(symbol.symbologyIdentifier)")
        }
    }
}
