internal import BarcodeCore

extension SearchStrategy.Method {
    /// Searches again around matrix and stacked symbols that were located and not read, each in a part of the image as
    /// if it were all of it, and at twice its size.
    ///
    /// In a part the thresholds and the sizes are those of the symbol, and the last resorts run, which are left out in
    /// the whole image once a symbol of it was read; if none was read, they have run there.
    static let unreadParts: Self = Self(
        name: "unreadParts",
        title: "symbols that were located and not read, in parts of the picture, also enlarged",
        symbologies: Set(Symbology.all.filter { $0.traits.family != .linear })
    ) { state, _ throws(DecodeError) in
        guard state.found.count > 0 else { return }
        let places = state.unreadSymbolPlaces().filter { $0.kind != .linear }
        try state.searchParts(
            around: places, times: { _ in [1, 2] },
            by: SearchStrategy.schedule(without: [
                .unreadParts, .cornerAreas, .enlarged, .withMargin, .doubled, .dithered, .speckled, .textured, .qrBent,
            ]))
    }

    /// Searches again the areas full of corners, each as if it were the whole image, and small ones at twice their size.
    ///
    /// In an area the thresholds are those of the symbol, and the searches that are left out beside a symbol run. Beside a
    /// single matrix symbol, or linear ones, there is seldom more than text, so fewer areas are searched, and not for
    /// linear symbols.
    static let cornerAreas: Self = Self(
        name: "cornerAreas", title: "areas full of corners, each by itself, small ones also enlarged",
        symbologies: Set(Symbology.all)
    ) { state, level throws(DecodeError) in
        let image = state.image(atLevel: level)
        let scale = Double(1 << level)
        let matrixSymbols = state.found.symbols.count { $0.symbology.traits.family != .linear }
        let areMoreLikely = state.found.count == 0 || matrixSymbols > 1
        let most = areMoreLikely ? mostAreas.likely : mostAreas.unlikely
        let areas = CornerAreas(
            image, outside: state.found.symbols.map { $0.corners.scaled(by: 1 / scale) }, count: most.count,
            ratio: most.ratio)
        state.trace?(.note("\(areas.boxes.count) areas are full of corners."))
        try state.searchParts(
            around: areas.boxes.map { $0.corners.scaled(by: scale) },
            by: areMoreLikely ? SearchStrategy.ofAreas : SearchStrategy.ofMatrixAreas)
    }

    /// Searches for QR Codes in the middle of QR Codes that were read, where a second one may be printed (as "double QR"):
    /// the error correction of the outer one makes up for the modules that the inner one covers.
    static let qrInside: Self = Self(
        name: "qrInside", title: "QR symbols in the middle of one that was read by much error correction",
        symbologies: [.qrCode]
    ) { state, _ throws(DecodeError) in
        let middles = state.found.symbols
            .filter { $0.symbology == .qrCode && $0.correctionUsed ?? 0 >= correctionAroundOther }
            .map { symbol in
                let diagonal = symbol.corners.topLeft.distance(to: symbol.corners.bottomRight)
                return symbol.corners.enlarged(by: -diagonal / 4)
            }
        state.trace?(.note("Symbols that were read by much error correction: \(middles.count)."))
        try state.searchParts(around: middles, by: [.init(.qr, .fast, .coarseAndSmaller)], mayBeInSymbols: true)
    }

    /// The share of the error correction from which on another symbol may be in the middle: half of what was used around
    /// one on 9 % of the area, since there may be smaller ones.
    private static let correctionAroundOther = 0.3

    /// The largest number of areas, and the largest ratio of their sides, which is that of a stacked symbol of some or of
    /// few rows.
    private static let mostAreas = (unlikely: (count: 4, ratio: 4.0), likely: (count: 32, ratio: 12.0))
}

extension SearchState {
    /// A part of a level of the image.
    private struct Part {
        var level: Int
        var x, y: Range<Int>
        var pixelCount: Int { x.count * y.count }
    }

    /// Returns the part of a level around an outline in pixels of the full image; `nil` if it is too large.
    private mutating func part(around corners: Quadrilateral, atLevel level: Int) -> Part? {
        let own = corners.scaled(by: 1 / Double(1 << level))
        return SearchStrategy.Method.partToEnlarge(around: own, in: image(atLevel: level)).map {
            Part(level: level, x: $0.x, y: $0.y)
        }
    }

    /// Searches a part of the image.
    ///
    /// - Parameters:
    ///   - part: the part.
    ///   - times: 1, or 2 to search it at twice its size.
    ///   - strategies: the strategies to use.
    ///   - place: the outline in pixels of the full image that the symbols to add touch.
    ///
    /// If the image has symbols that were read before, only symbols at the place are added: the edge of the part may cut
    /// off one of them.
    private mutating func search(
        _ part: Part, times: Int, by strategies: [SearchStrategy], at place: Quadrilateral, hasNeighbors: Bool
    ) throws(DecodeError) {
        let image = image(atLevel: part.level).cropped(x: part.x, y: part.y)
        try search(times == 1 ? image : image.doubled(), by: strategies, at: hasNeighbors ? place : nil) {
            $0.scaled(by: 1 / Double(times)).moved(right: Double(part.x.lowerBound), down: Double(part.y.lowerBound))
                .scaled(by: Double(1 << part.level))
        }
    }

    /// Searches parts of the image around places, in the smallest level in which modules are large enough.
    ///
    /// - Parameters:
    ///   - places: the places, in pixels of the full image.
    ///   - times: returns how many times larger the part around a place is searched, one after the other until a symbol
    ///     is found.
    ///   - strategies: the strategies to use.
    mutating func searchParts(
        around places: [UnreadPlaces.Place], times: (UnreadPlaces.Place) -> [Int], by strategies: [SearchStrategy]
    ) throws(DecodeError) {
        let last = levels.last
        let hasNeighbors = found.count > 0
        var left = SearchStrategy.Method.enlargedPixels.ofAll
        for place in places where isWorthwhile() {
            var level = 0
            while level < last, place.module >= 2 * enoughOfModule * Double(1 << level) { level += 1 }
            guard let part = part(around: place.corners, atLevel: level) else { continue }
            left -= part.pixelCount
            guard left >= 0 else { return }
            let count = found.count
            for times in times(place) where found.count == count {
                try search(part, times: times, by: strategies, at: place.corners, hasNeighbors: hasNeighbors)
            }
        }
    }

    /// Searches parts of the image around areas, in pixels of the full image, in the largest level, from the fine one on,
    /// in which the part is small enough.
    ///
    /// - Parameters:
    ///   - areas: the areas.
    ///   - strategies: the strategies to use.
    ///   - mayBeInSymbols: true to search areas too that touch a symbol that was read.
    fileprivate mutating func searchParts(
        around areas: [Quadrilateral], by strategies: [SearchStrategy], mayBeInSymbols: Bool = false
    ) throws(DecodeError) {
        let levels = levels
        let hasNeighbors = found.count > 0
        var left = SearchStrategy.Method.enlargedPixels.ofAll
        for area in areas where isWorthwhile() {
            // One area may lie within another.
            guard mayBeInSymbols || !found.contains(where: { $0.touches(area) }) else { continue }
            var level = levels.fine
            var part = part(around: area, atLevel: level)
            while part == nil, level < levels.last {
                level += 1
                part = self.part(around: area, atLevel: level)
            }
            guard let part else { continue }
            left -= part.pixelCount
            guard left >= 0 else { return }
            let count = found.count
            try search(part, times: 1, by: strategies, at: area, hasNeighbors: hasNeighbors)
            if found.count == count, part.pixelCount <= mostOfEnlargedArea {
                try search(part, times: 2, by: SearchStrategy.ofEnlargedAreas, at: area, hasNeighbors: hasNeighbors)
            }
        }
    }

    private var levels: PyramidLevels {
        mutating get {
            let full = image(atLevel: 0)
            return PyramidLevels(width: full.width, height: full.height)
        }
    }
}

/// The module size in pixels that is enough before a part is enlarged.
private let enoughOfModule = 3.0
/// The largest part around an area in pixels that is enlarged: that of a symbol of 60 modules of 2 pixels.
private let mostOfEnlargedArea = 40_000
