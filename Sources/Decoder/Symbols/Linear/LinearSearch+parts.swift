internal import BarcodeCore

extension LinearSearch {
    /// A region in the size of the picture in which it is read, its strip, and the profiles of that, made once.
    final class Place {
        let strip: LinearStrip
        let image: LumaImage
        let level: Int
        /// The mean of all rows that show the bars.
        private(set) lazy var whole = strip.profile(from: 0, to: 1)
        private(set) lazy var bands = strip.bands(LinearSearch.bands)
        private(set) lazy var rows = strip.layers(LinearSearch.rows)

        var scale: Double { Double(1 << level) }

        init(_ strip: LinearStrip, _ image: LumaImage, level: Int) {
            (self.strip, self.image, self.level) = (strip, image, level)
        }
    }

    /// What is left of the search for symbols in parts of regions: texture has many parts, none of which is read.
    struct PartBudget {
        /// Parts in which nothing is read before the rest is given up; each that is read pays for another.
        private static let maximumFailures = 3
        /// Parts that are read with all that takes long, in vain, before no more are; each that is read pays for another.
        private static let maximumLongFailures = 1
        /// Pixels of high regions that may be looked at again to tell rows apart: of a page of
        /// 1.5 megapixels it is a quarter.
        var pixels = 400_000
        private var failures = 0
        private var longFailures = 0

        var isSpent: Bool { failures >= Self.maximumFailures }
        var allowsLong: Bool { longFailures < Self.maximumLongFailures }

        mutating func note(wasRead: Bool) { failures += wasRead ? -1 : 1 }
        mutating func noteLong(wasRead: Bool) { longFailures += wasRead ? -1 : 1 }
    }

    /// Parts within parts: a page, a row of it, a symbol.
    private static let deepest = 3
    /// Symbols side by side that are not read as one line: two or three labels are, in a fraction of the time.
    private static let manySymbols = 4

    /// The symbols that lie one above the other in a place, or many side by side, each read by itself; in pixels of the
    /// full picture.
    ///
    /// Of one strip for all only what is in its middle would be read, or nothing.
    func readParts(_ place: Place, _ scene: inout SearchScene, _ budget: inout PartBudget) -> [Found] {
        Self.joined(readParts(place, &scene, &budget, depth: 0))
    }

    private func readParts(
        _ place: Place, _ scene: inout SearchScene, _ budget: inout PartBudget, depth: Int
    ) -> [Found] {
        let (parts, level, isRow) = parts(place, &scene, &budget, isWhole: depth == 0)
        var found: [Found] = []
        // The parts of one row may be those of one symbol, with spaces as wide as a quiet zone in DataBar Expanded.
        if depth == 0, isRow, !parts.isEmpty { found = readClear(place) }
        for var part in parts where !budget.isSpent && scene.isWorthwhile(more: found.count) {
            let middle = part.corners.scaled(by: Double(1 << level)).center
            guard !found.contains(where: { $0.reading.corners.contains(middle) }),
                !scene.found.hasMatrixSymbol(at: middle)
            else { continue }
            // Of a page of labels much is paper; nothing is known of each label.
            part.coverage = 1
            guard let place = self.place(part, level: level, &scene) else { continue }
            if depth < Self.deepest {
                let inside = readParts(place, &scene, &budget, depth: depth + 1)
                guard inside.isEmpty else {
                    found += inside
                    continue
                }
            }
            guard Self.isUniform(place.bands), place.whole.barRange != nil,
                place.whole.edgeCount <= Self.mostEdges
            else {
                budget.note(wasRead: false)
                continue
            }
            var answers = readClear(place)
            // Where there are many, what is blurred or coarse is worth as much as a region by itself.
            if answers.isEmpty, budget.allowsLong, Self.alike(parts) >= Self.manySymbols {
                answers = read(place)
                budget.noteLong(wasRead: !answers.isEmpty)
            }
            budget.note(wasRead: !answers.isEmpty)
            found += answers
        }
        return found
    }

    /// By how much, as a factor, the sizes of labels on a sheet differ from most of them.
    private static let largestDifference = 1.5

    /// How many of some parts are about as large as most of them.
    private static func alike(_ parts: [LinearRegion]) -> Int {
        guard parts.count > 1 else { return parts.count }
        let sizes = parts.map { $0.length * $0.height }.sorted()
        let typical = sizes[sizes.count / 2]
        return sizes.count { $0 <= largestDifference * typical && typical <= largestDifference * $0 }
    }

    /// Whether all bands of a strip show the same bars.
    private static func isUniform(_ bands: [LinearProfile]) -> Bool {
        zip(bands, bands.dropFirst()).allSatisfy { $0.likeness(to: $1) >= stackedLikeness }
    }

    /// Edges of a part at most: a Code 128 of forty characters has 258, and noise more, which takes longest to read.
    private static let mostEdges = 260
    /// Edges that are not of one symbol: an EAN has 60, a Code 128 of twenty characters 138.
    private static let manyEdges = 140
    /// Pixels along the bars that tell symbols side by side from each other.
    private static let bandHeight = 12.0
    /// Pixels across the bars up to which a row of symbols is looked at in a larger picture, to tell them apart.
    private static let maximumRowLength = 4000.0

    /// The parts of a place, the level in whose pixels they are, and whether they lie side by side.
    private func parts(
        _ place: Place, _ scene: inout SearchScene, _ budget: inout PartBudget, isWhole: Bool
    ) -> ([LinearRegion], level: Int, isRow: Bool) {
        let rows = place.strip.rowParts(place.image, budget: &budget.pixels)
        guard rows.isEmpty else { return (rows, place.level, false) }
        let fewest = isWhole ? Self.manySymbols : 2
        guard Self.isUniform(place.bands) else { return ([], place.level, true) }
        let profile = place.whole
        let columns = place.strip.columnParts(profile)
        // Quiet zones of a few pixels are as narrow as the spaces of bars that can hardly be told.
        var band = place.strip.region
        band.height = min(band.height, Self.bandHeight)
        if place.level > 0, profile.edgeCount >= Self.manyEdges,
            let finer = self.place(band, level: place.level, &scene, maximumLength: Self.maximumRowLength),
            finer.level < place.level
        {
            var columns = finer.strip.columnParts(finer.whole)
            let growth = Double(1 << (place.level - finer.level))
            for index in columns.indices { columns[index].height = place.strip.region.height * growth }
            if Self.alike(columns) >= fewest { return (columns, finer.level, true) }
        }
        return Self.alike(columns) >= fewest ? (columns, place.level, true) : ([], place.level, true)
    }

    /// The share of the higher part's height that may lie between two parts of one symbol, and by how much their ends may
    /// differ.
    private static let widestStripe = 0.15

    /// The same, with a symbol that a stripe of glare or a fold has cut in two as one again.
    private static func joined(_ found: [Found]) -> [Found] {
        var result: [Found] = []
        for item in found { add(item, to: &result) }
        return result
    }

    /// Adds a symbol to others; if it is the rest of one of them, beyond a stripe of glare or a fold, that one grows.
    static func add(_ item: Found, to found: inout [Found]) {
        for index in found.indices {
            let (known, new) = (found[index].reading, item.reading)
            guard known.symbology == new.symbology, known.bytes == new.bytes else { continue }
            let corners = [(known.corners, new.corners), (new.corners, known.corners)]
            if let (one, other) = corners.first(where: { isStripe(between: $0.0, and: $0.1) }) {
                found[index].reading.corners = Quadrilateral(
                    topLeft: one.topLeft, topRight: one.topRight, bottomRight: other.bottomRight,
                    bottomLeft: other.bottomLeft)
                found[index].reading.quality += new.quality
                return
            }
        }
        found.append(item)
    }

    /// Whether the lower edge of one place lies on the upper edge of the other, or nearly.
    private static func isStripe(between upper: Quadrilateral, and lower: Quadrilateral) -> Bool {
        let height = max(
            upper.topLeft.distance(to: upper.bottomLeft), lower.topLeft.distance(to: lower.bottomLeft))
        return upper.bottomLeft.distance(to: lower.topLeft) <= widestStripe * height
            && upper.bottomRight.distance(to: lower.topRight) <= widestStripe * height
    }
}
