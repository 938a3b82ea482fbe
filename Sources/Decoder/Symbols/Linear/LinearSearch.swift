internal import BarcodeCore

extension SearchStrategy.Method {
    /// Straightens regions of parallel bars and reads them; symbols that are already decoded are only measured.
    static let bars = Self(
        name: "bars", title: "linear symbols by their parallel bars", symbologies: LinearSearch.symbologies
    ) { state, level in
        for item in LinearSearch(symbologies: state.symbologies, trace: state.trace).search(&state, level) {
            if let known = item.known {
                state.found.setCorners(item.reading.corners, of: known)
            } else {
                state.found.addMeasured(
                    Symbol(item.reading, in: state.image(atLevel: 0)), linkage: item.reading.linkage)
            }
        }
    }
}

/// Finds regions of parallel bars in an image and reads their straightened strips.
struct LinearSearch {
    /// The supported symbologies.
    static let symbologies = LinearReader.supportedSymbologies.union(Symbology.retail).union(LinearForm.symbologies)

    /// A newly decoded symbol, or a known one that is now measured; corners are in pixels of the full image.
    struct Found {
        var reading: Reading
        /// The known symbol if only its outline is new; `nil` for a new symbol.
        var known: Symbol?

        init(reading: Reading) {
            self.reading = reading
        }

        /// Returns the result in pixels of the full image, which is `factor` times as large.
        func scaled(by factor: Double) -> Found {
            var result = self
            result.reading.corners = reading.corners.scaled(by: factor)
            return result
        }

        init(measured known: Symbol, corners: Quadrilateral) {
            reading = Reading(symbology: known.symbology, bytes: known.bytes, corners: corners)
            self.known = known
        }
    }

    /// The number of failed regions after which the search ends, largest first: texture makes many.
    private static let maximumFailures = 6
    /// The same for regions that are read as symbols seen obliquely.
    private static let maximumObliqueFailures = 2
    /// The length in pixels up to which a larger image is worth its cost: 1.5 pixels a module of the longest
    /// symbols.
    private static let maximumStripLength = 900.0
    /// The margin in pixels of a region around its bars: blocks are eight pixels wide and smoothed with their
    /// neighbors.
    private static let blockMargin = 12.0
    /// The number of bands along the bars that vote: each a fifth of the height, so that glare or a bend spoils only
    /// some.
    static let bands = 5
    /// The number of rows of a strip; one of them may show a number that is hidden in others.
    static let rows = 24

    /// Symbologies in which zbar finds symbols but may report wrong messages: it drops the FNC4 of Code 128, which
    /// turns other letters into ASCII, and misreads an FNC1 among the letters of a DataBar Expanded.
    private static let doubtful: Set<Symbology> = [.code128, .dataBarExpanded]

    let symbologies: Set<Symbology>
    let linear: LinearReader
    private let trace: SearchTrace?

    init(symbologies: Set<Symbology>, trace: SearchTrace? = nil) {
        self.trace = trace
        self.symbologies = symbologies
        linear = LinearReader(symbologies: LinearForm.read(for: symbologies))
    }

    /// Reads the regions of one pyramid level.
    ///
    /// A symbol that is already settled is not read again, but measured.
    func search(_ state: inout SearchState, _ level: Int) -> [Found] {
        // Symbols that were read row by row are excluded from the regions.
        let known = state.found.unseen
        var found: [Found] = []
        let locator = LinearLocator(
            state.image(atLevel: level),
            excluding: state.found.seenOutlines.map { $0.scaled(by: 1 / Double(1 << level)) })
        if locator.regions.isEmpty { trace?(.note("No region of parallel bars was found.")) }
        var (failures, obliqueFailures) = (0, 0)
        var budget = PartBudget()
        for region in locator.regions where failures < Self.maximumFailures {
            guard state.isWorthwhile(more: found.count) else { break }
            let place = region.corners.scaled(by: Double(1 << level))
            if known.contains(where: { $0.explains(place, margin: Self.blockMargin * Double(1 << level)) }) {
                trace?(
                    .bars(
                        place, strip: nil, wasRead: true, sentences: ["the bars are modules of a symbol that was read"])
                )
                continue
            }
            let inPlace = known.filter { $0.isAtSameLocation(as: place) }
            let measurable = inPlace.filter { LinearMeasure.canMeasure($0) && place.contains($0.corners.center) }
            let isSettled = inPlace.contains { $0.isSettled(rows: region.height) }
            let isDoubtful = inPlace.contains { Self.doubtful.contains($0.symbology) }
            if isSettled && measurable.isEmpty && !isDoubtful {
                trace?(.bars(place, strip: nil, wasRead: true, sentences: ["this symbol was read before"]))
                continue
            }
            guard let lines = self.sampledRegion(region, level: level, &state) else { continue }
            let (strip, scale) = (lines.strip, lines.scale)
            var answers: [Found] = []
            if isSettled {
                if isDoubtful { answers = readAgain(lines) }
            } else {
                answers = readParts(lines, &state, &budget)
                if answers.isEmpty { answers = read(lines) }
                if answers.isEmpty, obliqueFailures < Self.maximumObliqueFailures, Self.mayBeOblique(region) {
                    answers = readOblique(lines)
                    obliqueFailures += answers.isEmpty ? 1 : -1
                }
            }
            if let trace { report(trace, place, strip, answers: answers, isSettled: isSettled) }
            found += answers
            if answers.isEmpty {
                failures += 1
                if inPlace.isEmpty {
                    state.unreadBars[level, default: []].append(
                        Self.unreadBars(region, strip, lines.image))
                }
                for symbol in measurable {
                    // A region may extend into its neighbors: bars above each other, or lines of text.
                    guard let corners = LinearMeasure.corners(of: symbol, in: strip, scale: scale),
                        LinearMeasure.agrees(corners, with: symbol)
                    else { continue }
                    found.append(Found(measured: symbol, corners: corners))
                }
            }
        }
        return found
    }

    /// Returns the strip of a region, from the largest image in which it is at most `maximumLength` long; `nil` if
    /// it has no strip.
    func sampledRegion(
        _ region: LinearRegion, level: Int, _ state: inout SearchState, maximumLength: Double = maximumStripLength
    ) -> SampledRegion? {
        var readingLevel = level
        while readingLevel > 0, region.length * Double(1 << (level - readingLevel)) * 2 <= maximumLength {
            readingLevel -= 1
        }
        let image = state.image(atLevel: readingLevel)
        var enlarged = region.scaled(by: Double(1 << (level - readingLevel)))
        if symbologies.contains(.pharmacode) { enlarged.length *= Pharmacode.lengthWithQuietZone }
        return LinearStrip(image, region: enlarged).map {
            SampledRegion($0, image, level: readingLevel, requested: enlarged)
        }
    }

    /// The smallest coherence of a region that looks like a symbol, and the smallest correlation of two neighboring
    /// bands.
    ///
    /// Text and texture have less. Of 239 regions that were read, 3 % have less; of 15 that only zbar read, none.
    private static let likelyConfidence = 0.8
    private static let likelyCorrelation: Float = 0.65
    /// The smallest coherence of a region that is read as a symbol seen obliquely: bars whose directions differ by 20
    /// degrees have 0.98, but text beside them may be in the region.
    private static let obliqueConfidence = 0.65

    /// The smallest coverage of a region that is fitted, and the smallest correlation of two neighboring bands.
    ///
    /// If the coherence is below ``sureConfidence``, the bands must be almost equal: two rows of different bars have
    /// a lower correlation, and so has text.
    ///
    /// Fitting takes twenty times as long as reading clear symbols. Among 75 such regions that were read in photos,
    /// the minima were 0.25 and 0.5. Among 40 more in drawn images, three had a coherence of 0.68 to 0.75, with a
    /// correlation of 0.99.
    private static let leastCoverage = 0.18
    private static let leastCorrelation: Float = 0.45
    private static let sureConfidence = 0.75
    private static let leastCorrelationOfUnsure: Float = 0.95
    /// The smallest number of transitions across a region that looks like a symbol: fewer are the edges of a few
    /// objects.
    private static let fewestTransitions = 10
    /// The same limit for a symbol seen obliquely, which is less likely: an ITF of four digits has 26 edges.
    private static let fewestObliqueTransitions = 26

    /// Indicates whether a region looks enough like a symbol to search it for blurred, coarse or stacked ones.
    private static func isWorthFitting(_ place: SampledRegion) -> Bool {
        let region = place.strip.region
        // An image of few rows is taken as a single region, whose confidence is unknown.
        guard region.confidence > 0 else { return true }
        let least = region.confidence >= sureConfidence ? leastCorrelation : leastCorrelationOfUnsure
        return region.coverage >= leastCoverage
            && zip(place.bands, place.bands.dropFirst()).contains { $0.correlation(with: $1) >= least }
    }

    /// The largest correlation of neighboring bands in a symbol of several rows.
    static let stackedCorrelation: Float = 0.8

    private static func unreadBars(_ region: LinearRegion, _ strip: LinearStrip, _ image: LumaImage) -> UnreadBars {
        let bands = strip.bands(bands)
        let whole = strip.profile(from: 0, to: 1)
        let range = whole.barRange
        // An image of few rows is taken as a single region, whose confidence is unknown.
        let looksLikeSymbol =
            region.confidence == 0
            || region.confidence >= likelyConfidence && region.coverage >= leastCoverage
                && whole.transitionCount >= fewestTransitions
                && zip(bands, bands.dropFirst()).contains { $0.correlation(with: $1) >= likelyCorrelation }
        return UnreadBars(
            region: region, looksLikeSymbol: looksLikeSymbol, hasBars: region.confidence == 0 || range != nil,
            mayBeInverted: looksLikeSymbol && range.map { !isOnPaper(whole.values, bars: $0) } ?? true,
            elements: whole.transitionCount,
            isOnPaper: range.map { strip.withPaperOutside(image).showsPaper(beside: $0) } ?? false,
            isOnInk: range.map { strip.withPaperOutside(image).showsPaper(beside: $0, isInverted: true) } ?? false)
    }

    /// Indicates whether both sides of the bars are light, so that they are not light bars on a dark background.
    private static func isOnPaper(_ values: [Float], bars: Range<Double>) -> Bool {
        let (first, last) = (max(0, Int(bars.lowerBound)), min(values.count, Int(bars.upperBound) + 1))
        guard first < last, let darkest = values[first..<last].min(), let lightest = values[first..<last].max() else {
            return false
        }
        // A sixteenth of the bars is narrower than the quiet zone of any symbol, even of the longest that are read
        // well.
        let width = max(2, (last - first) / 16)
        let middle = (darkest + lightest) / 2
        func isLight(_ part: ArraySlice<Float>) -> Bool {
            part.count > 1 && part.reduce(0, +) > middle * Float(part.count)
        }
        return isLight(values[max(0, first - width)..<first]) && isLight(values[last..<min(values.count, last + width)])
    }

    func report(
        _ trace: SearchTrace, _ place: Quadrilateral, _ strip: LinearStrip, answers: [Found], isSettled: Bool
    ) {
        let whole = strip.profile(from: 0, to: 1)
        let sentences: [String]
        if isSettled && answers.isEmpty {
            sentences = ["this symbol was read before; its outline was measured"]
        } else if !answers.isEmpty {
            sentences = answers.map {
                "read: \($0.reading.symbology.rawValue) \(String(decoding: $0.reading.bytes, as: UTF8.self))"
            }
        } else if whole.barRange == nil {
            sentences = ["the strip has no row of clear edges: it is too blurred or too small, or has no bars"]
        } else {
            sentences =
                EANStripReader.shortcomings([whole] + strip.bands(Self.bands))
                + ["the widths of bars and spaces matched no symbology, or too few lines of the strip agreed"]
        }
        trace(
            .bars(place, strip: whole.drawn(rows: 40), wasRead: isSettled || !answers.isEmpty, sentences: sentences))
    }

    /// Reads a region: first clear symbols, and only if there are none the slow methods; in pixels of the full
    /// image.
    func read(_ place: SampledRegion) -> [Found] {
        readUnscaled(place).map { $0.scaled(by: place.scale) }
    }

    /// Reads a region of a symbol that is seen obliquely, in pixels of the full image.
    ///
    /// The straightened region must show the same bars in all bands but one.
    func readOblique(_ place: SampledRegion) -> [Found] {
        guard place.whole.transitionCount >= Self.fewestTransitions, let straight = place.straightened,
            straight.whole.transitionCount >= Self.fewestObliqueTransitions,
            zip(straight.bands, straight.bands.dropFirst())
                .count(where: { $0.correlation(with: $1) >= Self.likelyCorrelation }) >= Self.bands - 2
        else { return [] }
        return read(straight)
    }

    /// Indicates whether the bars of a region have about one direction.
    private static func mayBeOblique(_ region: LinearRegion) -> Bool {
        (region.confidence == 0 || region.confidence >= obliqueConfidence) && region.coverage >= leastCoverage
    }

    /// Reads the clear symbols in a region, in pixels of the full image.
    func readClear(_ place: SampledRegion) -> [Found] {
        var lines = ClearLines(place)
        return readClear(&lines).map { $0.scaled(by: place.scale) }
    }

    /// A region whose clear symbols are read first, and the readings from it so far.
    private struct ClearLines {
        let region: SampledRegion
        let framed: LinearStrip
        var lines: LinearReader.Lines
        var finer: FinerStrip?

        init(_ place: SampledRegion) {
            region = place
            if place.strip.reachesBeyond(place.image) {
                framed = place.strip.withPaperOutside(place.image)
                lines = LinearSearch.lines(framed)
            } else {
                framed = place.strip
                lines = LinearReader.Lines(([place.whole] + place.bands).map(\.values))
            }
        }
    }

    private func readClear(_ lines: inout ClearLines) -> [Found] {
        let clear = readClear(lines.framed, &lines.lines)
        guard clear.isEmpty else { return clear }
        // Bars about a pixel wide are clear only with more columns; everything else takes ten times as long.
        guard lines.lines.hasNarrowBars else { return [] }
        var narrow = FinerStrip(lines.region.image, lines.region.strip)
        let found = readClear(narrow.strip, &narrow.lines)
        lines.finer = narrow
        return found
    }

    private func readUnscaled(_ place: SampledRegion) -> [Found] {
        let (strip, whole) = (place.strip, place.whole)
        // Without a row of edges there is no symbol. This check comes before any fit.
        guard whole.barRange != nil else { return [] }
        var lines = ClearLines(place)
        let clear = readClear(&lines)
        guard clear.isEmpty else { return clear }
        let framed = lines.framed
        let bands = place.bands
        guard Self.isWorthFitting(place) else { return [] }
        let isStacked = zip(bands, bands.dropFirst()).contains { $0.correlation(with: $1) < Self.stackedCorrelation }
        if isStacked {
            let stacked = readStacked(framed)
            guard stacked.isEmpty else { return stacked }
        }
        if let found = readRetail(strip, whole, bands) { return [found] }
        // Between two pixels a narrow bar loses its contrast, and its digit looks hidden.
        if let finer = lines.finer?.unframed {
            let whole = finer.profile(from: 0, to: 1)
            if let found = readRetail(finer, whole, finer.bands(Self.bands)) { return [found] }
        }
        let found = readLinear(framed, &lines.lines)
        guard found.isEmpty else { return found }
        let stacked = isStacked ? [] : readStacked(framed)
        return stacked.isEmpty ? readFiner(&lines.finer) : stacked
    }

    /// Fits EAN and UPC symbols to the gray levels of a strip, in pixels of its image.
    private func readRetail(_ strip: LinearStrip, _ whole: LinearProfile, _ bands: [LinearProfile]) -> Found? {
        guard let answer = EANStripReader.read([whole] + bands, symbologies: symbologies) else { return nil }
        let corners = strip.corners(answer.range, isReversed: answer.isReversed)
        var reading = answer.reading
        reading.corners = corners
        reading.orientation = corners.orientation
        return Found(reading: reading)
    }

    /// Reads a region again in which another reader found a symbol, in pixels of the full image.
    private func readAgain(_ place: SampledRegion) -> [Found] {
        let (image, strip) = (place.image, place.strip)
        let framed = strip.withPaperOutside(image)
        var lines = Self.lines(framed)
        for found in [readLinear(framed, &lines), readStacked(framed)] where !found.isEmpty {
            return found.map { $0.scaled(by: place.scale) }
        }
        var finer = lines.hasNarrowBars ? FinerStrip(image, strip) : nil
        return readFiner(&finer).map { $0.scaled(by: place.scale) }
    }

    /// A strip with more columns, for narrow bars.
    private struct FinerStrip {
        /// The strip without paper beside the image.
        let unframed: LinearStrip
        let strip: LinearStrip
        var lines: LinearReader.Lines

        init(_ image: LumaImage, _ strip: LinearStrip) {
            unframed = strip.finer(image)
            self.strip = unframed.withPaperOutside(image)
            lines = LinearSearch.lines(self.strip)
        }
    }

    /// Reads symbols that are not clear in a strip with more columns.
    private func readFiner(_ finer: inout FinerStrip?) -> [Found] {
        guard var narrow = finer else { return [] }
        let found = readLinear(narrow.strip, &narrow.lines)
        finer = narrow
        return found.isEmpty ? readStacked(narrow.strip) : found
    }
}

extension LinearStrip {
    /// Returns the corners of a symbol in the strip, in pixels of the strip's image.
    ///
    /// - Parameter rows: the rows that the symbol fills; `nil` for the rows that show the bars.
    func corners(_ range: Range<Double>, isReversed: Bool, rows: Range<Int>? = nil) -> Quadrilateral {
        let rows = rows ?? rowRange
        let (top, bottom) = (Double(rows.lowerBound), Double(rows.upperBound))
        let points = [
            point(column: range.lowerBound, row: top), point(column: range.upperBound, row: top),
            point(column: range.upperBound, row: bottom), point(column: range.lowerBound, row: bottom),
        ]
        let first = isReversed ? 2 : 0
        return Quadrilateral(
            topLeft: points[first], topRight: points[(first + 1) % 4], bottomRight: points[(first + 2) % 4],
            bottomLeft: points[(first + 3) % 4])
    }
}
