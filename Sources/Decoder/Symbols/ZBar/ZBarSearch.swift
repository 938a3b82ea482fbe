internal import BarcodeCore

extension SearchStrategy.Method {
    /// Runs zbar with few lines, then with more if it finds something, if symbologies are requested that only zbar
    /// reads.
    static let zbarGlance = Self(
        name: "zbarGlance", title: "zbar, quickly, for symbologies that only zbar reads",
        symbologies: ZBarSearch.linearSymbologies
    ) { (state, level) throws(DecodeError) in
        guard !state.symbologies.isDisjoint(with: ZBarSearch.ownSymbologies) else { return }
        try zbar(&state, level, read: ZBarSearch.quick)
    }
    /// Runs zbar for SQ Code.
    static let zbarSquare = zbar("zbarSquare", "zbar, for SQ Code", [.sqCode], ZBarSearch.withoutLines)
    /// Runs zbar for QR Codes around pairs of finder patterns found in any level, on every other line of a large
    /// image.
    static let zbarCareful = Self(
        name: "zbarCareful", title: "zbar, thoroughly, for QR symbols", symbologies: [.qrCode]
    ) { (state, level) throws(DecodeError) in
        // If other symbols were found, there is little left to search.
        try zbarAroundFinders(&state, level, isCareful: state.found.count > 0)
    }
    /// The same on every line.
    static let zbarQR = Self(
        name: "zbarQR", title: "zbar, every line, for QR symbols", symbologies: [.qrCode]
    ) { (state, level) throws(DecodeError) in
        try zbarAroundFinders(&state, level, isCareful: true)
    }
    static let zbarEveryLine = zbar(
        "zbarEveryLine", "zbar, every line, for everything", ZBarSearch.wholeSymbologies, ZBarSearch.everyLine)
    static let zbarEveryLineInverted = zbar(
        "zbarEveryLineInverted", "zbar, every line, for everything, inverted",
        ZBarSearch.wholeSymbologies, isInverted: true, ZBarSearch.everyLine)

    private static func zbarAroundFinders(
        _ state: inout SearchState, _ level: Int, isCareful: Bool
    ) throws(DecodeError) {
        let image = state.image(atLevel: level)
        guard let place = state.regionAroundFinders(atLevel: level, width: image.width, height: image.height) else {
            return
        }
        let part = image.cropped(x: place.x, y: place.y)
        let readings =
            try isCareful
            ? ZBarSearch.everyLine(part, symbologies: state.symbologies)
            : ZBarSearch.careful(part, symbologies: state.symbologies)
        add(
            readings.map { $0.moved(right: place.x.lowerBound, down: place.y.lowerBound) }, image, to: &state, level,
            isInverted: false)
    }

    private static func zbar(
        _ name: String, _ title: String, _ symbologies: Set<Symbology>, isInverted: Bool = false,
        _ read: @escaping @Sendable (LumaImage, Set<Symbology>) throws(DecodeError) -> [Reading]
    ) -> Self {
        Self(name: name, title: title, symbologies: symbologies) { (state, level) throws(DecodeError) in
            try zbar(&state, level, isInverted: isInverted, read: read)
        }
    }

    private static func zbar(
        _ state: inout SearchState, _ level: Int, isInverted: Bool = false,
        read: (LumaImage, Set<Symbology>) throws(DecodeError) -> [Reading]
    ) throws(DecodeError) {
        var image = state.image(atLevel: level)
        if isInverted { image = image.inverted() }
        let readings = try read(image, state.symbologies)
        add(readings, image, to: &state, level, isInverted: isInverted)
    }

    /// Adds the readings of zbar in an image or a part of it.
    static func add(
        _ readings: [Reading], _ image: LumaImage, to state: inout SearchState, _ level: Int, isInverted: Bool
    ) {
        state.trace?(.note(readings.isEmpty ? "zbar read nothing." : "zbar read \(readings.map(described))."))
        for reading in readings.compactMap({ LinearForm.named($0, symbologies: state.wanted) }) {
            var symbol = Symbol(reading, in: image)
            symbol.corners = symbol.corners.scaled(by: Double(1 << level))
            symbol.isInverted = isInverted != symbol.isInverted
            state.found.add(symbol)
        }
    }

    private static func described(_ reading: Reading) -> String {
        "\(reading.symbology.rawValue) \(String(decoding: reading.bytes, as: UTF8.self))"
    }
}

/// Runs zbar on an image: first on few lines, then on more if it found something.
///
/// zbar's time is proportional to its scan lines. A code is crossed by dozens of them, and a first pass needs only
/// one. The weak reading from one line is not returned, but zbar then reads each line around it.
enum ZBarSearch {
    /// The symbologies that no other reader supports.
    static let ownSymbologies: Set<Symbology> = [.ean2, .ean5]
    static let linearSymbologies = ZBarReader.supportedSymbologies.subtracting([.qrCode])
    /// The symbologies that are read in a whole image; not DataBar, because zbar joins the halves of two symbols
    /// anywhere.
    static let wholeSymbologies = ZBarReader.supportedSymbologies.subtracting([.dataBar, .dataBarExpanded])

    /// The distance of the scan lines of the first pass, in rows and columns.
    ///
    /// The lowest bars worth reading are three times as high.
    private static let glance = 4
    /// The margin in pixels around a reading of the first pass, for bars that its lines did not cross.
    private static let margin = 2 * glance

    /// The largest image in pixels of which each line is read; in a larger one every other line still crosses all
    /// bars.
    private static let densePixels = 60_000

    /// Reads the whole image; every line of a small one, every other line of a larger one.
    static func careful(_ image: LumaImage, symbologies: Set<Symbology>) throws(DecodeError) -> [Reading] {
        try read(image, symbologies: symbologies, density: image.pixelCount > densePixels ? 2 : 1)
    }

    /// Reads SQ Code, which zbar finds without scan lines.
    static func withoutLines(_ image: LumaImage, symbologies: Set<Symbology>) throws(DecodeError) -> [Reading] {
        guard ZBarReader.maySeeSQCode(in: image) else { return [] }
        return try ZBarReader(scansRows: false, scansColumns: false).read(image, symbologies: symbologies)
    }

    /// Reads a part of an image along rows, columns or both, every `density`th of them.
    static func place(
        _ image: LumaImage, x: Range<Int>, y: Range<Int>, rows: Bool, columns: Bool, density: Int,
        isInverted: Bool = false,
        symbologies: Set<Symbology>
    ) throws(DecodeError) -> [Reading] {
        var part = image.cropped(x: x, y: y)
        if isInverted { part = part.inverted() }
        return try ZBarReader(density: density, scansRows: rows, scansColumns: columns).read(
            part, symbologies: symbologies
        )
        .filter { Plausibility.accepts($0, density: density) }
        .map { $0.moved(right: x.lowerBound, down: y.lowerBound) }
    }

    /// Reads each line of the whole image: zbar finds damaged QR Codes by the lines that cross finder patterns.
    ///
    /// In a large image it reads as many lines as in one of ``PyramidLevels/coarsePixels``: bars twice as high are
    /// crossed by the same number.
    static func everyLine(_ image: LumaImage, symbologies: Set<Symbology>) throws(DecodeError) -> [Reading] {
        try read(
            image, symbologies: symbologies, density: max(1, image.pixelCount / PyramidLevels.coarsePixels))
    }

    private static func read(
        _ image: LumaImage, symbologies: Set<Symbology>, density: Int
    ) throws(DecodeError) -> [Reading] {
        // Any part of an ITF is a valid ITF, and zbar requires no quiet zone if a line ends at the edge of the
        // image.
        try ZBarReader(density: density).read(image, symbologies: symbologies.subtracting([.itf])).filter {
            Plausibility.accepts($0, density: density)
        }
    }

    /// Reads each line of the regions in which a pass over every fourth line finds a symbol.
    static func quick(_ image: LumaImage, symbologies: Set<Symbology>) throws(DecodeError) -> [Reading] {
        let seen = try ZBarReader(density: glance).read(image, symbologies: symbologies)
        var bands: [Band] = []
        for reading in seen { Band(around: reading, of: image, margin: margin).join(&bands) }
        var found: [Reading] = []
        for band in bands {
            found += try careful(image.cropped(x: band.x, y: band.y), symbologies: symbologies).map {
                $0.moved(right: band.x.lowerBound, down: band.y.lowerBound)
            }
        }
        return found
    }

    /// A band of rows or columns of an image, from edge to edge.
    ///
    /// zbar reports only the ends of its lines, so a symbol may extend from there to either edge.
    private struct Band {
        var x: Range<Int>
        var y: Range<Int>

        init(around reading: Reading, of image: LumaImage, margin: Int) {
            let box = reading.corners.boundingBox
            func range(_ start: Double, _ length: Double, _ limit: Int) -> Range<Int> {
                let first = min(max(0, Int(start) - margin), limit)
                return first..<max(first, min(limit, Int(start + length) + margin))
            }
            (x, y) = (0..<image.width, 0..<image.height)
            switch reading.orientation {
            case 0, 180: y = range(box.y, box.height, image.height)
            case 90, 270: x = range(box.x, box.width, image.width)
            default: break
            }
        }

        /// Adds the band to others, joined with those that it overlaps.
        func join(_ bands: inout [Band]) {
            var joined = self
            while let index = bands.firstIndex(where: { $0.x.overlaps(joined.x) && $0.y.overlaps(joined.y) }) {
                let other = bands.remove(at: index)
                joined.x = min(joined.x.lowerBound, other.x.lowerBound)..<max(joined.x.upperBound, other.x.upperBound)
                joined.y = min(joined.y.lowerBound, other.y.lowerBound)..<max(joined.y.upperBound, other.y.upperBound)
            }
            bands.append(joined)
        }
    }
}

extension Reading {
    /// Returns the reading moved by an offset, in pixels.
    fileprivate func moved(right: Int, down: Int) -> Reading {
        var result = self
        result.corners = corners.moved(right: Double(right), down: Double(down))
        return result
    }
}
