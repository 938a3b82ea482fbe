internal import BarcodeCore

extension SearchStrategy.Method {
    /// Searches a small image again at twice its size: a module may be one pixel.
    static let doubled = Self(
        name: "doubled", title: "symbols in a small picture at twice its size",
        symbologies: Set(Symbology.all.filter { $0.traits.family != .linear })
            .union([.dataBar, .dataBarLimited, .dataBarExpanded])
    ) { state, level throws(DecodeError) in
        let image = state.image(atLevel: level)
        guard image.pixelCount <= doubledPixels else { return }
        try state.search(image.doubled(), by: SearchStrategy.basic + SearchStrategy.ofRows) { $0.scaled(by: 0.5) }
    }

    /// The maximum number of pixels of a picture that is searched at twice its size too.
    static let doubledPixels = 131_072

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
            guard let symbology, place.module < enlargedModule, state.isWorthwhile(),
                let (x, y) = partToEnlarge(around: place.corners, in: image)
            else { continue }
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

    /// Returns the columns and rows around an outline in pixels of an image, with a margin; `nil` if there are none, or
    /// too many to be enlarged.
    static func partToEnlarge(around corners: Quadrilateral, in image: LumaImage) -> (x: Range<Int>, y: Range<Int>)? {
        let box = corners.boundingBox
        // An outline at the horizon has corners beyond any picture, or none.
        guard [box.x, box.y, box.width, box.height].allSatisfy({ abs($0) < 1e9 }) else { return nil }
        let margin = Int(max(box.width, box.height) / 4) + 8
        let x = (Int(box.x) - margin..<Int(box.x + box.width) + margin).clamped(to: 0..<image.width)
        let y = (Int(box.y) - margin..<Int(box.y + box.height) + margin).clamped(to: 0..<image.height)
        return x.isEmpty || y.isEmpty || x.count * y.count > enlargedPixels.ofOne ? nil : (x, y)
    }

    /// The module size in pixels up to which a symbol is read in an enlarged picture.
    private static let enlargedModule = 4.0
    /// The largest part in pixels that is enlarged, which is a symbol of 144 modules, and the sum of all: as many as an
    /// image of the coarse level has.
    static let enlargedPixels = (ofOne: 400_000, ofAll: 1_500_000)
    private static let enlargedStrategies: [SearchStrategy] = [
        .init(.qr, .fast, .full), .init(.dataMatrix, .fast, .full),
    ]
}
