internal import BarcodeCore

extension LinearSearch {
    /// A region at the size at which it is read, with its strip and the profiles, which are computed once.
    final class SampledRegion {
        let strip: LinearStrip
        let image: LumaImage
        let level: Int
        /// The region from which the strip was made, in pixels of the image.
        let requested: LinearRegion
        /// The mean of all rows that show the bars.
        private(set) lazy var whole = strip.profile(from: 0, to: 1)
        private(set) lazy var bands = strip.bands(LinearSearch.bands)
        private(set) lazy var rows = strip.layers(LinearSearch.rows)

        var scale: Double { Double(1 << level) }

        init(_ strip: LinearStrip, _ image: LumaImage, level: Int, requested: LinearRegion? = nil) {
            (self.strip, self.image, self.level) = (strip, image, level)
            self.requested = requested ?? strip.region
        }

        /// The region with rows parallel to the ends of the bars; `nil` if they seem to be.
        var sheared: SampledRegion? { strip.sheared(image).map { SampledRegion($0, image, level: level) } }

        /// The region of a symbol that is seen obliquely, made a rectangle; `nil` if it seems to be one already.
        var straightened: SampledRegion? {
            strip.straightened(image).map { SampledRegion($0, image, level: level) }
        }
    }

    /// The remaining effort for the search in parts of regions: texture has many parts, none of which is a symbol.
    struct PartBudget {
        /// The number of failures after which the search ends; each success allows one more.
        private static let maximumFailures = 3
        /// The number of failed slow attempts after which no more are made; each success allows one more.
        private static let maximumLongFailures = 1
        /// The number of pixels of high regions that may be searched again for separate rows: a quarter of a page of
        /// 1.5 megapixels.
        var pixels = 400_000
        private var failures = 0
        private var longFailures = 0

        var isSpent: Bool { failures >= Self.maximumFailures }
        var allowsLong: Bool { longFailures < Self.maximumLongFailures }

        mutating func note(wasRead: Bool) { failures += wasRead ? -1 : 1 }
        mutating func noteLong(wasRead: Bool) { longFailures += wasRead ? -1 : 1 }
    }

    /// The depth of nested parts: a page, a row of it, a symbol.
    private static let deepest = 3
    /// The number of symbols side by side from which on each is read by itself.
    ///
    /// Two or three labels are read as one line, in a fraction of the time.
    private static let manySymbols = 4

    /// Reads symbols that lie above each other in a region, or many side by side, one by one; in pixels of the full
    /// image.
    ///
    /// A single strip for all would give only the symbol in its middle, or none.
    func readParts(_ place: SampledRegion, _ state: inout SearchState, _ budget: inout PartBudget) -> [Found] {
        Self.joined(readParts(place, &state, &budget, depth: 0))
    }

    private func readParts(
        _ place: SampledRegion, _ state: inout SearchState, _ budget: inout PartBudget, depth: Int
    ) -> [Found] {
        let (parts, level, isRow) = parts(place, &state, &budget, isWhole: depth == 0)
        var found: [Found] = []
        // The parts of one row may belong to one symbol: DataBar Expanded has spaces as wide as a quiet zone.
        if depth == 0, isRow, !parts.isEmpty { found = readClear(place) }
        for var part in parts where !budget.isSpent && state.isWorthwhile(more: found.count) {
            let middle = part.corners.scaled(by: Double(1 << level)).center
            guard !found.contains(where: { $0.reading.corners.contains(middle) }),
                !state.found.hasMatrixSymbol(at: middle)
            else { continue }
            // The coverage of the whole page is low because of the paper; that of a single label is unknown.
            part.coverage = 1
            guard let place = self.sampledRegion(part, level: level, &state) else { continue }
            if depth < Self.deepest {
                let inside = readParts(place, &state, &budget, depth: depth + 1)
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
            // If there are many labels, blurred or coarse ones are worth the same effort as a separate region.
            if answers.isEmpty, budget.allowsLong, Self.alike(parts) >= Self.manySymbols {
                answers = read(place)
                budget.noteLong(wasRead: !answers.isEmpty)
            }
            budget.note(wasRead: !answers.isEmpty)
            found += answers
        }
        return found
    }

    /// The largest ratio of the area of a label on a sheet to the median, or the inverse.
    private static let largestDifference = 1.5

    /// Returns the number of parts with about the median area.
    private static func alike(_ parts: [LinearRegion]) -> Int {
        guard parts.count > 1 else { return parts.count }
        let sizes = parts.map { $0.length * $0.height }.sorted()
        let typical = sizes[sizes.count / 2]
        return sizes.count { $0 <= largestDifference * typical && typical <= largestDifference * $0 }
    }

    /// Indicates whether all bands of a strip show the same bars.
    private static func isUniform(_ bands: [LinearProfile]) -> Bool {
        zip(bands, bands.dropFirst()).allSatisfy { $0.correlation(with: $1) >= stackedCorrelation }
    }

    /// The largest number of edges of a part: a Code 128 of forty characters has 258.
    ///
    /// Noise has more, and takes longest to read.
    private static let mostEdges = 260
    /// The number of edges from which on a strip has several symbols: an EAN has 60, a Code 128 of twenty characters
    /// 138.
    private static let manyEdges = 140
    /// The height in pixels of the band in which symbols side by side are separated.
    private static let bandHeight = 12.0
    /// The length in pixels of a row of symbols up to which a larger image is used to separate them.
    private static let maximumRowLength = 4000.0

    /// Returns the parts of a region, the pyramid level in whose pixels they are, and true if they lie side by side.
    private func parts(
        _ place: SampledRegion, _ state: inout SearchState, _ budget: inout PartBudget, isWhole: Bool
    ) -> ([LinearRegion], level: Int, isRow: Bool) {
        let rows = place.strip.rowParts(place.image, budget: &budget.pixels)
        guard rows.isEmpty else { return (rows, place.level, false) }
        let fewest = isWhole ? Self.manySymbols : 2
        guard Self.isUniform(place.bands) else { return ([], place.level, true) }
        let profile = place.whole
        let columns = place.strip.columnParts(profile)
        // At a few pixels, quiet zones are as narrow as the spaces of bars that can hardly be resolved.
        var band = place.strip.region
        band.height = min(band.height, Self.bandHeight)
        if place.level > 0, profile.edgeCount >= Self.manyEdges,
            let finer = self.sampledRegion(band, level: place.level, &state, maximumLength: Self.maximumRowLength),
            finer.level < place.level
        {
            var columns = finer.strip.columnParts(finer.whole)
            let growth = Double(1 << (place.level - finer.level))
            for index in columns.indices { columns[index].height = place.strip.region.height * growth }
            if Self.alike(columns) >= fewest { return (columns, finer.level, true) }
        }
        return Self.alike(columns) >= fewest ? (columns, place.level, true) : ([], place.level, true)
    }

    /// The largest gap between two parts of one symbol, and the largest difference of their ends, as a share of the
    /// height of the higher part.
    private static let widestStripe = 0.15

    /// Joins the two halves of a symbol that are separated by a stripe of glare or a fold.
    private static func joined(_ found: [Found]) -> [Found] {
        var result: [Found] = []
        for item in found { add(item, to: &result) }
        return result
    }

    /// Adds a symbol to others; if it is the other half of one of them, beyond a stripe of glare or a fold, extends
    /// that one.
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

    /// Indicates whether the lower edge of one outline lies on or near the upper edge of the other.
    private static func isStripe(between upper: Quadrilateral, and lower: Quadrilateral) -> Bool {
        let height = max(
            upper.topLeft.distance(to: upper.bottomLeft), lower.topLeft.distance(to: lower.bottomLeft))
        return upper.bottomLeft.distance(to: lower.topLeft) <= widestStripe * height
            && upper.bottomRight.distance(to: lower.topRight) <= widestStripe * height
    }
}
