internal import BarcodeCore

extension SearchStrategy.Method {
    /// Searches again around QR and Data Matrix symbols that were located and not read, in parts of the image at twice
    /// its size; of Aztec and PDF417 only a pattern is located, not how far the symbol reaches.
    ///
    /// At two pixels a module a corner that is half a pixel off is enough to lose a symbol; other outlines are found in
    /// the enlarged part.
    static let enlarged = Self(
        name: "enlarged", title: "located QR and Data Matrix symbols that were not read, in an enlarged picture",
        symbologies: [.qrCode, .dataMatrix]
    ) { state, level throws(DecodeError) in
        let image = state.image(atLevel: level)
        var left = enlargedPixels.ofAll
        for place in state.unread.located(outside: state.found.symbols) {
            let symbology = state.symbologies.first { UnreadSymbol.Kind($0) == place.kind }
            let box = place.corners.boundingBox
            // An outline at the horizon has corners beyond any picture, or none.
            guard let symbology, place.module < enlargedModule, state.isWorthwhile(),
                [box.x, box.y, box.width, box.height].allSatisfy({ abs($0) < 1e9 })
            else { continue }
            let margin = Int(max(box.width, box.height) / 4) + 8
            let x = (Int(box.x) - margin..<Int(box.x + box.width) + margin).clamped(to: 0..<image.width)
            let y = (Int(box.y) - margin..<Int(box.y + box.height) + margin).clamped(to: 0..<image.height)
            guard !x.isEmpty, !y.isEmpty, x.count * y.count <= enlargedPixels.ofOne else { continue }
            left -= x.count * y.count
            guard left >= 0 else { return }
            var options = state.options
            options.symbologies = [symbology]
            var search = SymbolSearch(
                image: image.cropped(x: x, y: y).doubled(), options: options, strategies: enlargedStrategies,
                budget: state.budget)
            try search.run()
            for var symbol in search.symbols {
                symbol.corners = symbol.corners.scaled(by: 0.5)
                    .moved(right: Double(x.lowerBound), down: Double(y.lowerBound))
                guard !state.found.hasMatrixSymbol(at: symbol.corners.center) else { continue }
                state.trace?(
                    .matrixCandidate(symbol.corners, wasRead: true, sentence: "read: \(symbol.symbologyIdentifier)"))
                state.found.add(symbol)
            }
        }
    }

    /// The module size in pixels up to which a symbol is read in an enlarged picture.
    private static let enlargedModule = 4.0
    /// The largest part in pixels that is enlarged, which is a symbol of 144 modules, and the sum of all: as many as an
    /// image of the coarse level has.
    private static let enlargedPixels = (ofOne: 400_000, ofAll: 1_500_000)
    private static let enlargedStrategies: [SearchStrategy] = [
        .init(.qr, .fast, .full), .init(.dataMatrix, .fast, .full),
    ]
}
