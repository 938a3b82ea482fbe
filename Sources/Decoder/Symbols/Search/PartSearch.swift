internal import BarcodeCore

extension SearchStrategy.Method {
    /// Searches again around matrix and stacked symbols that were located and not read, each in a part of the image as
    /// if it were all of it, and at twice its size.
    ///
    /// In a part the thresholds and the sizes are those of the symbol, and the last resorts run even if other symbols
    /// of the image were read.
    static let unreadParts: Self = Self(
        name: "unreadParts",
        title: "symbols that were located and not read, in parts of the picture, also enlarged",
        symbologies: Set(Symbology.all.filter { $0.traits.family != .linear })
    ) { state, _ throws(DecodeError) in
        let places = state.unreadSymbolPlaces().filter { $0.kind != .linear }
        try state.searchParts(
            around: places, times: { _ in [1, 2] },
            by: SearchStrategy.schedule(without: [
                .unreadParts, .enlarged, .withMargin, .doubled, .dithered, .speckled, .textured,
            ]))
    }
}

extension SearchState {
    /// Searches parts of the image around places, in the smallest level in which modules are large enough.
    ///
    /// - Parameters:
    ///   - places: the places, in pixels of the full image.
    ///   - times: returns how many times larger the part around a place is searched, one after the other until a symbol
    ///     is found.
    ///   - strategies: the strategies to use.
    ///
    /// If the image has symbols that were read, only symbols at the place are added: the edge of the part may cut off
    /// one of them.
    mutating func searchParts(
        around places: [UnreadPlaces.Place], times: (UnreadPlaces.Place) -> [Int], by strategies: [SearchStrategy]
    ) throws(DecodeError) {
        let full = image(atLevel: 0)
        let last = PyramidLevels(width: full.width, height: full.height).last
        let hasNeighbors = found.count > 0
        var left = SearchStrategy.Method.enlargedPixels.ofAll
        for place in places where isWorthwhile() {
            var level = 0
            while level < last, place.module >= 2 * enoughOfModule * Double(1 << level) { level += 1 }
            let image = image(atLevel: level)
            let corners = place.corners.scaled(by: 1 / Double(1 << level))
            guard let (x, y) = SearchStrategy.Method.partToEnlarge(around: corners, in: image) else { continue }
            left -= x.count * y.count
            guard left >= 0 else { return }
            let part = image.cropped(x: x, y: y)
            let count = found.count
            for times in times(place) where found.count == count {
                try search(
                    times == 1 ? part : part.doubled(), by: strategies, at: hasNeighbors ? place.corners : nil
                ) {
                    $0.scaled(by: 1 / Double(times)).moved(right: Double(x.lowerBound), down: Double(y.lowerBound))
                        .scaled(by: Double(1 << level))
                }
            }
        }
    }
}

/// The module size in pixels that is enough before a part is enlarged.
private let enoughOfModule = 3.0
