internal import BarcodeCore

/// What is tried for QR symbols where the plain search saw something and read nothing.
extension SearchStrategy.Method {
    /// QR symbols at places that were found and sampled and whose codewords were wrong: on sheets that are not flat.
    static let qrBent = Self(
        name: "qrBent", title: "QR symbols on bent sheets", symbologies: [.qrCode], isRepeated: true
    ) { scene, _ in readBent(&scene) }

    /// QR symbols around finder patterns that no symbol has, twice as large as they were seen.
    ///
    /// Where one symbol was read others are likely, and some of them are smaller or farther away.
    static let qrCloser = Self(
        name: "qrCloser", title: "QR symbols around finder patterns that are left over, in a larger picture",
        symbologies: [.qrCode]
    ) { scene, level in
        let image = scene.image(atLevel: level)
        var left = maximumPixels
        for place in placesOfFreePatterns(&scene, level: level + 1, image.width, image.height) {
            left -= place.x.count * place.y.count
            guard left >= 0 else { return }
            let part = image.cropped(x: place.x, y: place.y)
            let locator = QRLocator(part, rowStep: part.pixelCount > SearchScene.densePixels ? 2 : 1)
            let candidates = locator.candidates.map { candidate in
                var candidate = candidate
                candidate.corners = candidate.corners.moved(
                    right: Double(place.x.lowerBound), down: Double(place.y.lowerBound))
                return candidate
            }
            readQR(&scene, level, locator, candidates)
        }
    }

    /// Pixels a module from which on a symbol is read no better in a larger picture.
    private static let largeModule = 4.0
    /// Pixels that are looked at a second time: as many as a picture of the coarse level has.
    private static let maximumPixels = 1_500_000
    /// Widths of a finder pattern to each side of it in which its symbol is looked for: 35 modules, for version 4.
    private static let reachAroundPattern = 5.0

    /// Where the symbols of small finder patterns may be that no symbol has, in the next larger picture.
    ///
    /// The patterns that most lines crossed come first: texture is seldom crossed twice.
    private static func placesOfFreePatterns(
        _ scene: inout SearchScene, level: Int, _ width: Int, _ height: Int
    ) -> [(x: Range<Int>, y: Range<Int>)] {
        let free = scene.finderPatterns(atLevel: level).pairedPatterns.filter {
            max($0.width, $0.height) < 7 * largeModule && isFree($0, scene, level)
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

    /// Places that are tried, the likeliest of a picture: a bent symbol takes the time of many that are flat.
    private static let maximumBentPlaces = 6

    private static func readBent(_ scene: inout SearchScene) {
        let places = scene.unreadQR
        scene.unreadQR = []
        var tried: [Quadrilateral] = []
        // Each was seen in its own size of the picture.
        for place in places where tried.count < maximumBentPlaces {
            let corners = place.corners.scaled(by: Double(1 << place.level))
            scene.readPlaces(
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
    /// Whether another place is the same as this one, as far as a bent sheet is concerned.
    fileprivate func isTwin(of other: Quadrilateral) -> Bool {
        let reach = max(boundingBox.width, boundingBox.height) / 20
        return zip(points, other.points).allSatisfy { abs($0.x - $1.x) < reach && abs($0.y - $1.y) < reach }
    }
}

extension MatrixDecodeFailure {
    /// Whether modules were sampled at the place and looked like those of a symbol.
    var cameToModules: Bool { [.badSize, .formatUnreadable, .tooManyErrors, .badBitStream].contains(code) }
}
