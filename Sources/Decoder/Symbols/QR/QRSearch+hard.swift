internal import BarcodeCore

/// Strategies for QR Codes that the plain search found but could not read.
extension SearchStrategy.Method {
    /// Reads QR Codes at candidates that were sampled but had wrong codewords, as on sheets that are not flat.
    static let qrBent = Self(
        name: "qrBent", title: "QR symbols on bent sheets", symbologies: [.qrCode], isRepeated: true
    ) { state, _ in readBent(&state) }

    /// Reads QR Codes of which the rings of the finder patterns are damaged or touch what is around the symbol.
    static let qrSquares = Self(
        name: "qrSquares", title: "QR symbols by the squares within their finder patterns", symbologies: [.qrCode]
    ) { state, level in readBySquares(&state, level) }

    /// The same if there are finder patterns outside decoded symbols.
    static let qrSquaresBeside = Self(
        name: "qrSquaresBeside", title: "QR symbols by the squares within unused finder patterns",
        symbologies: [.qrCode]
    ) { state, level in
        if state.hasFreeFinder { readBySquares(&state, level) }
    }

    private static func readBySquares(_ state: inout SearchState, _ level: Int) {
        let binary = state.binaryImage(atLevel: level)
        let rowStep = binary.width * binary.height > SearchState.densePixels ? 2 : 1
        let patterns = FinderSquareScan(binary, rowStep: rowStep).patterns.filter { isFree($0, state, level) }
        let locator = QRLocator(binary, patterns: patterns)
        readQR(&state, level, locator, Array(locator.candidates.prefix(maximumSquareCandidates)))
    }

    /// The largest number of candidates by squares that are tried: the true ones, by timing patterns and outlines, are
    /// among the first.
    private static let maximumSquareCandidates = 40

    /// Reads QR Codes around finder patterns outside decoded symbols, in an image twice as large.
    ///
    /// If one symbol was decoded others are likely, and some of them are smaller or farther away.
    static let qrCloser = Self(
        name: "qrCloser", title: "QR symbols around unused finder patterns, in an enlarged picture",
        symbologies: [.qrCode]
    ) { state, level in
        let image = state.image(atLevel: level)
        var left = maximumPixels
        for place in placesOfFreePatterns(&state, level: level + 1, image.width, image.height) {
            left -= place.x.count * place.y.count
            guard left >= 0 else { return }
            let part = image.cropped(x: place.x, y: place.y)
            let locator = QRLocator(part, rowStep: part.pixelCount > SearchState.densePixels ? 2 : 1)
            let candidates = locator.candidates.map { candidate in
                var candidate = candidate
                candidate.corners = candidate.corners.moved(
                    right: Double(place.x.lowerBound), down: Double(place.y.lowerBound))
                return candidate
            }
            readQR(&state, level, locator, candidates)
        }
    }

    /// The module size in pixels from which on a larger image is no improvement.
    private static let largeModule = 4.0
    /// The number of pixels that are searched a second time: as many as an image of the coarse level has.
    private static let maximumPixels = 1_500_000
    /// The search range on each side of a finder pattern, in its widths: 35 modules, enough for version 4.
    private static let reachAroundPattern = 5.0

    /// Returns the regions around small finder patterns outside decoded symbols, in the next larger image.
    ///
    /// The patterns crossed by most lines come first: texture is seldom crossed twice.
    private static func placesOfFreePatterns(
        _ state: inout SearchState, level: Int, _ width: Int, _ height: Int
    ) -> [(x: Range<Int>, y: Range<Int>)] {
        let free = state.finderPatterns(atLevel: level).pairedPatterns.filter {
            max($0.width, $0.height) < 7 * largeModule && isFree($0, state, level)
        }
        var places: [(x: Range<Int>, y: Range<Int>)] = []
        for pattern in free.sorted(by: { $0.crossings > $1.crossings }) {
            let (x, y) = (Int(2 * pattern.center.x), Int(2 * pattern.center.y))
            guard !places.contains(where: { $0.x.contains(x) && $0.y.contains(y) }) else { continue }
            let reach = Int(2 * reachAroundPattern * max(pattern.width, pattern.height))
            let columns = (x - reach..<x + reach).clamped(to: 0..<width)
            let rows = (y - reach..<y + reach).clamped(to: 0..<height)
            if !columns.isEmpty, !rows.isEmpty { places.append((columns, rows)) }
        }
        return places
    }

    /// The largest number of candidates that are tried: a bent symbol takes as long as many flat ones.
    private static let maximumBentPlaces = 6

    /// The largest number of candidates without timing patterns on straight lines that are tried: most are none.
    private static let maximumUntimedPlaces = 12

    private static func readBent(_ state: inout SearchState) {
        let places =
            state.unreadQR.filter(\.isTimed) + state.unreadQR.filter { !$0.isTimed }.prefix(maximumUntimedPlaces)
        state.unreadQR = []
        var tried: [Quadrilateral] = []
        // Each was found in its own pyramid level.
        for place in places where tried.count < maximumBentPlaces {
            let corners = place.corners.scaled(by: Double(1 << place.level))
            state.readCandidates(
                [place], atLevel: place.level, limit: .total(1), smallestModule: nil, outline: { ($0.corners, 1) },
                isOpen: { _ in !tried.contains(where: corners.isTwin) }, isTaken: isQR
            ) { image, place, _ throws(MatrixDecodeFailure) in
                tried.append(corners)
                return described(
                    try qrReader.readBent(
                        image, finderCorners: place.corners, size: place.size, isInverted: place.isInverted))
            }
        }
    }
}

extension Quadrilateral {
    /// Indicates whether another outline is the same, with the tolerance of a bent sheet.
    fileprivate func isTwin(of other: Quadrilateral) -> Bool {
        let reach = max(boundingBox.width, boundingBox.height) / 20
        return isTwin(of: other, within: reach)
    }
}

extension MatrixDecodeFailure {
    /// Indicates whether the attempt sampled modules that looked like those of a symbol.
    var cameToModules: Bool { [.badSize, .formatUnreadable, .tooManyErrors, .badBitStream].contains(code) }
}
