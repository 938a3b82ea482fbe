internal import BarcodeCore

/// The places of an image in which the structure of a symbol was located.
struct UnreadPlaces {
    /// A place, in pixels of the full image.
    struct Place {
        var kind: UnreadSymbol.Kind
        var corners: Quadrilateral
        var module: Double
        /// The stage that decoding reached (see ``MatrixDecodeFailure/rank``); 0 for bars, and -1 for fields of bars.
        var rank: Int
    }

    /// The largest numbers of places that are kept, and of unread symbols that are returned.
    private static let maximumPlaces = 200
    private static let maximumBars = 100
    /// The largest number of places that are compared with the pixels.
    private static let maximumChecks = 60
    private static let maximumSymbols = 16
    /// The smallest module sizes in pixels that are read, and 1.4 for all others: docs/reference/limits.md.
    private static let smallestModules: [UnreadSymbol.Kind: Double] = [
        .init(.qrCode): 1.3, .init(.aztec): 1.6, .init(.pdf417): 1.0,
    ]
    private static let smallestModule = 1.4
    /// The width of edges in modules from which on few symbols are read, and the share that glare may cover.
    private static let blurredEdge = 0.4
    private static let mostGlare = 0.08

    private var places: [Place] = []

    mutating func add(_ place: Place) {
        if places.count < (place.kind == .linear ? Self.maximumBars : Self.maximumPlaces) { places.append(place) }
    }

    /// Returns the places outside read symbols, each once, those where decoding got farthest first.
    ///
    /// - Parameter isMeant: returns true for the places to choose.
    func located(outside read: [Symbol], where isMeant: (Place) -> Bool = { _ in true }) -> [Place] {
        var chosen: [Place] = []
        // Of several attempts at one place, the one that got farthest is kept, or else the one with the largest area.
        let ordered = places.map { (place: $0, area: $0.corners.boundingBox.width * $0.corners.boundingBox.height) }
            .sorted { ($0.place.rank, $0.area) > ($1.place.rank, $1.area) }
        for (place, _) in ordered {
            guard !read.contains(where: { $0.touches(place.corners) }),
                !chosen.contains(where: { $0.corners.touches(place.corners) })
            else { continue }
            if isMeant(place) { chosen.append(place) }
        }
        return chosen
    }

    /// Returns the places outside read symbols that look like one, each once, those where decoding got farthest first.
    func symbols(outside read: [Symbol], in image: LumaImage) -> [Place] {
        var (checks, count) = (0, 0)
        return located(outside: read) { place in
            guard count < Self.maximumSymbols, checks < Self.maximumChecks else { return false }
            checks += 1
            guard place.hasStructure(in: image) else { return false }
            count += 1
            return true
        }
    }

    fileprivate static func reason(_ place: Place, in image: LumaImage) -> UnreadSymbol.Reason {
        if place.module < smallestModules[place.kind] ?? smallestModule { return .small }
        let measure = AreaMeasure(image, place.corners, module: place.module, hasBars: place.kind == .linear)
        if measure.edgeWidth > blurredEdge * place.module { return .blurred }
        return measure.glare > mostGlare ? .glare : .damaged
    }
}

extension Quadrilateral {
    fileprivate func touches(_ other: Quadrilateral) -> Bool { overlaps(other) || other.overlaps(self) }
}

extension Symbol {
    /// Indicates whether an outline overlaps the symbol or what belongs to it.
    func touches(_ outline: Quadrilateral) -> Bool {
        // An add-on stands beside the bars, at most two thirds as wide as these.
        let own = addOn == nil ? corners : corners.enlarged(by: corners.topLeft.distance(to: corners.topRight))
        return own.touches(outline) || composite?.corners.touches(outline) ?? false
    }
}

extension SearchState {
    /// Keeps a place at which a matrix symbol was located, if decoding got as far as its modules.
    mutating func noteUnread(_ corners: Quadrilateral, module: Double, _ failure: MatrixDecodeFailure) {
        // The other methods look for a single pattern that texture imitates, or for several symbologies.
        guard symbologies.count == 1, let symbology = symbologies.first, failure.isAmongModules(of: symbology) else {
            return
        }
        unread.add(
            UnreadPlaces.Place(
                kind: UnreadSymbol.Kind(symbology), corners: corners, module: module, rank: failure.rank))
    }

    /// The unread symbols of the finished search, from top to bottom, with the reason of each.
    mutating func unreadSymbols() -> [UnreadSymbol] {
        let image = image(atLevel: 0)
        return unreadSymbolPlaces()
            .sorted { ($0.corners.center.y, $0.corners.center.x) < ($1.corners.center.y, $1.corners.center.x) }
            .map {
                UnreadSymbol(
                    kind: $0.kind, corners: $0.corners, moduleSize: $0.module,
                    reason: UnreadPlaces.reason($0, in: image))
            }
    }

    /// Returns the places that look like symbols that were not read.
    mutating func unreadSymbolPlaces() -> [UnreadPlaces.Place] {
        places(of: unread, bars: \.isLikely).symbols(outside: found.symbols, in: image(atLevel: 0))
    }

    /// The places of bars that were located and not read.
    var placesOfUnreadBars: UnreadPlaces {
        places(of: UnreadPlaces()) { $0.looksLikeSymbol && $0.hasBars }
    }

    /// The same, and fields of bars that may be a symbol.
    var placesOfUnreadBarsAndFields: UnreadPlaces {
        var places = placesOfUnreadBars
        for (level, fields) in unreadSymbolFields.sorted(by: { $0.key < $1.key }) {
            let scale = Double(1 << level)
            for field in fields {
                places.add(
                    UnreadPlaces.Place(
                        kind: .linear, corners: field.region.corners.scaled(by: scale),
                        module: field.region.length / field.modules * scale, rank: -1))
            }
        }
        return places
    }

    /// Returns places, and with them those of unread bars that meet a condition.
    private func places(of places: UnreadPlaces, bars isMeant: (UnreadBars) -> Bool) -> UnreadPlaces {
        var places = places
        for (level, regions) in unreadBars.sorted(by: { $0.key < $1.key }) {
            for bars in regions where isMeant(bars) {
                let region = bars.region.scaled(by: Double(1 << level))
                places.add(
                    UnreadPlaces.Place(
                        kind: .linear, corners: region.corners,
                        module: region.length / (UnreadBars.modulesOfElement * Double(max(1, bars.elements))), rank: 0))
            }
        }
        return places
    }
}

extension UnreadBars {
    /// The mean number of modules of a bar or space: 1.6 in EAN, 1.8 in Code 128.
    fileprivate static let modulesOfElement = 1.7

    /// True if the region looks like a symbol of bars on paper, and not like text or texture.
    ///
    /// False if that is unknown: an image of few rows is taken as a single region, without a confidence.
    fileprivate var isLikely: Bool { looksLikeSymbol && hasBars && (isOnPaper || isOnInk) && region.confidence > 0 }
}

extension MatrixDecodeFailure {
    /// Indicates whether the patterns of a symbol were found, so that its modules were sampled.
    fileprivate func isAmongModules(of symbology: Symbology) -> Bool {
        switch symbology {
        case .qrCode: [.formatUnreadable, .tooManyErrors, .badBitStream].contains(code)
        // The mode message or the row indicators, which have a check, were read, or the sides fit a size. Texture often
        // imitates a bull's-eye or a start pattern alone.
        case .aztec, .pdf417, .dataMatrix: [.tooManyErrors, .badBitStream].contains(code)
        default: false
        }
    }
}
