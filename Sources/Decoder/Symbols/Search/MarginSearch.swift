internal import BarcodeCore

extension SearchStrategy.Method {
    /// Searches again with paper around the image, if a symbol may fill it: ink runs along a side of the image.
    ///
    /// No ink runs along a side of the padded image, so the search does not recurse.
    static let withMargin = Self(
        name: "withMargin", title: "symbols that fill the picture, with a margin added", symbologies: marginSymbologies
    ) { state, level throws(DecodeError) in
        let image = state.image(atLevel: level)
        guard image.width * image.height <= marginPixels, state.binaryImage(atLevel: level).hasInkAlongSide else {
            return
        }
        let margin = min(image.width, image.height) / 4 + 8
        let paper = image.withUnsafePixels { $0.max() ?? 255 }
        var options = state.options
        options.symbologies = state.symbologies
        let trace = state.trace.map { trace -> SearchTrace in
            { trace($0.moved(right: Double(-margin), down: Double(-margin))) }
        }
        var search = SymbolSearch(
            image: image.padded(by: margin, brightness: paper), options: options, budget: state.budget, trace: trace)
        try search.run()
        for var symbol in search.symbols {
            symbol.corners = symbol.corners.moved(right: Double(-margin), down: Double(-margin))
            state.found.add(symbol)
        }
    }

    /// The largest image in pixels that is searched with a margin: that of a symbol alone, not of a photographed
    /// sheet.
    private static let marginPixels = 1_500_000
    /// The symbologies that are read if a symbol fills the image and has no quiet zone: those in which a cut-off
    /// part cannot be another message.
    private static let marginSymbologies = Symbology.standard.filter { $0.traits.family != .linear }
        .union([.dataBar, .dataBarLimited, .dataBarExpanded])
}

extension SearchEvent {
    /// Returns the event moved by an offset, in pixels.
    fileprivate func moved(right: Double, down: Double) -> SearchEvent {
        func moved(_ corners: Quadrilateral) -> Quadrilateral { corners.moved(right: right, down: down) }
        return switch self {
        case .finderPatterns(let patterns): .finderPatterns(patterns.map(moved))
        case .matrixCandidate(let corners, let wasRead, let sentence):
            .matrixCandidate(moved(corners), wasRead: wasRead, sentence: sentence)
        case .bars(let corners, let strip, let wasRead, let sentences):
            .bars(moved(corners), strip: strip, wasRead: wasRead, sentences: sentences)
        case .pass, .leftOut, .twoTones, .note: self
        }
    }
}
