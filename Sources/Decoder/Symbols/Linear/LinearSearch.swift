internal import BarcodeCore

extension SearchStrategy.Method {
    /// Regions of parallel bars, straightened and read; what is read already is not read again, but measured.
    static let bars = Self(
        name: "bars", title: "linear symbols by their parallel bars", symbologies: LinearSearch.symbologies
    ) { scene, level in
        for item in LinearSearch(symbologies: scene.symbologies, trace: scene.trace).search(&scene, level) {
            if let known = item.known {
                scene.found.place(known, at: item.reading.corners)
            } else {
                scene.found.addMeasured(
                    Symbol(item.reading, in: scene.image(atLevel: 0)), linkage: item.reading.linkage)
            }
        }
    }
}

/// Finds regions of parallel bars in a picture and reads their straightened strips.
struct LinearSearch {
    /// The symbologies that it can read.
    static let symbologies = LinearReader.supportedSymbologies.union(Symbology.retail).union(LinearForm.symbologies)

    /// A symbol that was read, or one that was known and is now measured; corners in pixels of the full picture.
    struct Found {
        var reading: Reading
        /// The symbol that was known, where its place is all that is new.
        var known: Symbol?

        init(reading: Reading) {
            self.reading = reading
        }

        /// The same in pixels of the full picture, which is so many times as large.
        func scaled(by factor: Double) -> Found {
            var result = self
            result.reading.corners = reading.corners.scaled(by: factor)
            return result
        }

        init(place known: Symbol, corners: Quadrilateral) {
            reading = Reading(symbology: known.symbology, bytes: known.bytes, corners: corners)
            self.known = known
        }
    }

    /// Regions in which nothing is read before the rest is given up, the largest first: texture makes many.
    private static let maximumFailures = 6
    /// Pixels across the bars up to which a larger picture is worth its cost: 1.5 a module of the longest symbols.
    private static let maximumStripLength = 900.0
    /// Pixels by which a region may be larger than its bars: blocks of eight pixels that are smoothed with those beside.
    private static let blockMargin = 12.0
    /// Bands along the bars that vote: each a fifth of the height, so that glare or a bend spoils some only.
    static let bands = 5
    /// Rows of a strip of which one may show a number that is hidden in others.
    static let rows = 24

    /// What zbar reads well and hands out wrong: it drops the FNC4 of Code 128, which turns other letters into ASCII,
    /// and loses its way behind an FNC1 among the letters of a DataBar Expanded.
    private static let doubtful: Set<Symbology> = [.code128, .dataBarExpanded]

    let symbologies: Set<Symbology>
    let linear: LinearReader
    private let trace: SearchTrace?

    init(symbologies: Set<Symbology>, trace: SearchTrace? = nil) {
        self.trace = trace
        self.symbologies = symbologies
        linear = LinearReader(symbologies: LinearForm.read(for: symbologies))
    }

    /// Reads what lies in the regions of one size of the picture.
    ///
    /// What has been read already is not read again where it is settled, but measured.
    func search(_ scene: inout SearchScene, _ level: Int) -> [Found] {
        // Bars that were read row by row are no part of any region.
        let known = scene.found.unseen
        var found: [Found] = []
        let locator = LinearLocator(
            scene.image(atLevel: level),
            excluding: scene.found.seenPlaces.map { $0.scaled(by: 1 / Double(1 << level)) })
        if locator.regions.isEmpty { trace?(.note("No region of parallel bars was seen.")) }
        var failures = 0
        var budget = PartBudget()
        for region in locator.regions where failures < Self.maximumFailures {
            guard scene.isWorthwhile(more: found.count) else { break }
            let place = region.corners.scaled(by: Double(1 << level))
            if known.contains(where: { $0.explains(place, margin: Self.blockMargin * Double(1 << level)) }) {
                trace?(
                    .bars(place, strip: nil, wasRead: true, sentences: ["these are modules of a symbol that was read"]))
                continue
            }
            let inPlace = known.filter { $0.isInSamePlace(as: place) }
            let measurable = inPlace.filter { LinearMeasure.canMeasure($0) && place.contains($0.corners.center) }
            let isSettled = inPlace.contains { $0.isSettled(rows: region.height) }
            let isDoubtful = inPlace.contains { Self.doubtful.contains($0.symbology) }
            if isSettled && measurable.isEmpty && !isDoubtful {
                trace?(.bars(place, strip: nil, wasRead: true, sentences: ["what is here was read before"]))
                continue
            }
            guard let lines = self.place(region, level: level, &scene) else { continue }
            let (strip, scale) = (lines.strip, lines.scale)
            var answers: [Found] = []
            if isSettled {
                if isDoubtful { answers = readAgain(lines) }
            } else {
                answers = readParts(lines, &scene, &budget)
                if answers.isEmpty { answers = read(lines) }
            }
            if let trace { report(trace, place, strip, answers: answers, isSettled: isSettled) }
            found += answers
            if answers.isEmpty {
                failures += 1
                if inPlace.isEmpty {
                    scene.unreadBars[level, default: []].append(
                        Self.unreadBars(region, strip, lines.image))
                }
                for symbol in measurable {
                    // A region may run on into its neighbours: bars above each other, or lines of text.
                    guard let corners = LinearMeasure.corners(of: symbol, in: strip, scale: scale),
                        LinearMeasure.agrees(corners, with: symbol)
                    else { continue }
                    found.append(Found(place: symbol, corners: corners))
                }
            }
        }
        return found
    }

    /// The strip of a region, in the largest picture in which it is short enough; nil for one that is no strip at all.
    func place(
        _ region: LinearRegion, level: Int, _ scene: inout SearchScene, maximumLength: Double = maximumStripLength
    ) -> Place? {
        var readingLevel = level
        while readingLevel > 0, region.length * Double(1 << (level - readingLevel)) * 2 <= maximumLength {
            readingLevel -= 1
        }
        let image = scene.image(atLevel: readingLevel)
        let enlarged = region.scaled(by: Double(1 << (level - readingLevel)))
        return LinearStrip(image, region: enlarged).map { Place($0, image, level: readingLevel) }
    }

    /// The least share of the change of brightness that runs across the bars, of a region that looks like a symbol, and
    /// how like each other two neighbouring bands must be: text and texture have less, of 239 regions that were read
    /// three in a hundred, of 15 that zbar read and this did not none.
    private static let likelyConfidence = 0.8
    private static let likelyLikeness: Float = 0.65

    /// The share of a region in which bars were seen, and how like each other two neighboring bands must be, below which what
    /// is not clear is no symbol either; where less of the change of brightness runs across the bars than `sureConfidence`,
    /// the bands must be wholly alike: that of two rows of different bars is less, and that of text.
    ///
    /// Fitting takes twenty times as long as clear symbols do. Of 75 regions that were read so in photos the least had 0.25
    /// and 0.5, and of 40 more that were drawn three had a confidence of 0.68 to 0.75, and a likeness of 0.99.
    private static let leastCoverage = 0.18
    private static let leastLikeness: Float = 0.45
    private static let sureConfidence = 0.75
    private static let leastLikenessOfUnsure: Float = 0.95
    /// Turns of brightness across a region that looks like a symbol: what has fewer are the edges of a few things.
    private static let fewestTurns = 10

    /// Whether a place looks enough like a symbol that what is blurred, coarse or stacked may be read in it.
    private static func isWorthFitting(_ place: Place) -> Bool {
        let region = place.strip.region
        // A picture of few rows is taken as one region whole, of which nothing is known.
        guard region.confidence > 0 else { return true }
        let least = region.confidence >= sureConfidence ? leastLikeness : leastLikenessOfUnsure
        return region.coverage >= leastCoverage
            && zip(place.bands, place.bands.dropFirst()).contains { $0.likeness(to: $1) >= least }
    }

    /// How like each other neighbouring bands are at most in a symbol of several rows.
    static let stackedLikeness: Float = 0.8

    private static func unreadBars(_ region: LinearRegion, _ strip: LinearStrip, _ image: LumaImage) -> UnreadBars {
        let bands = strip.bands(bands)
        let whole = strip.profile(from: 0, to: 1)
        let range = whole.barRange
        // A picture of few rows is taken as one region whole, of which nothing is known.
        let looksLikeSymbol =
            region.confidence == 0
            || region.confidence >= likelyConfidence && region.coverage >= leastCoverage
                && whole.turnCount >= fewestTurns
                && zip(bands, bands.dropFirst()).contains { $0.likeness(to: $1) >= likelyLikeness }
        return UnreadBars(
            region: region, looksLikeSymbol: looksLikeSymbol, hasBars: region.confidence == 0 || range != nil,
            mayBeInverted: looksLikeSymbol && range.map { !isOnPaper(whole.values, bars: $0) } ?? true,
            elements: whole.turnCount,
            isOnPaper: range.map { strip.withPaperOutside(image).showsPaper(beside: $0) } ?? false,
            isOnInk: range.map { strip.withPaperOutside(image).showsPaper(beside: $0, isInverted: true) } ?? false)
    }

    /// Whether there is light on both sides of some bars, so that they are no light ones on dark.
    private static func isOnPaper(_ values: [Float], bars: Range<Double>) -> Bool {
        let (first, last) = (max(0, Int(bars.lowerBound)), min(values.count, Int(bars.upperBound) + 1))
        guard first < last, let darkest = values[first..<last].min(), let lightest = values[first..<last].max() else {
            return false
        }
        // The quiet zone of any symbol is wider, whatever its module: a sixteenth of the longest that are read well.
        let width = max(2, (last - first) / 16)
        let middle = (darkest + lightest) / 2
        func isLight(_ part: ArraySlice<Float>) -> Bool {
            part.count > 1 && part.reduce(0, +) > middle * Float(part.count)
        }
        return isLight(values[max(0, first - width)..<first]) && isLight(values[last..<min(values.count, last + width)])
    }

    private func report(
        _ trace: SearchTrace, _ place: Quadrilateral, _ strip: LinearStrip, answers: [Found], isSettled: Bool
    ) {
        let whole = strip.profile(from: 0, to: 1)
        let sentences: [String]
        if isSettled && answers.isEmpty {
            sentences = ["what is here was read before, and is measured"]
        } else if !answers.isEmpty {
            sentences = answers.map {
                "read: \($0.reading.symbology.rawValue) \(String(decoding: $0.reading.bytes, as: UTF8.self))"
            }
        } else if whole.barRange == nil {
            sentences = ["the strip has no row of clear edges: blurred too much, too small, or no bars at all"]
        } else {
            sentences =
                EANStripReader.shortcomings([whole] + strip.bands(Self.bands))
                + ["the widths of bars and spaces were those of no symbol, or too few lines of the strip agreed"]
        }
        trace(
            .bars(place, strip: whole.drawn(rows: 40), wasRead: isSettled || !answers.isEmpty, sentences: sentences))
    }

    /// What is in a place: what is clear at once, and only where nothing is, what takes long; in pixels of the full
    /// picture.
    func read(_ place: Place) -> [Found] {
        readUnscaled(place).map { $0.scaled(by: place.scale) }
    }

    /// What is clear in a place, in pixels of the full picture.
    func readClear(_ place: Place) -> [Found] {
        var lines = ClearLines(place)
        return readClear(&lines).map { $0.scaled(by: place.scale) }
    }

    /// A place whose clear symbols are read first, and what has been read of it so far.
    private struct ClearLines {
        let place: Place
        let framed: LinearStrip
        var lines: LinearReader.Lines
        var finer: FinerStrip?

        init(_ place: Place) {
            self.place = place
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
        // Bars that are hardly a pixel wide are clear only with more columns; all else takes ten times as long.
        guard lines.lines.hasNarrowBars else { return [] }
        var narrow = FinerStrip(lines.place.image, lines.place.strip)
        let found = readClear(narrow.strip, &narrow.lines)
        lines.finer = narrow
        return found
    }

    private func readUnscaled(_ place: Place) -> [Found] {
        let (strip, whole) = (place.strip, place.whole)
        // What has no row of edges is no symbol; that is said before anything is fitted to it.
        guard whole.barRange != nil else { return [] }
        var lines = ClearLines(place)
        let clear = readClear(&lines)
        guard clear.isEmpty else { return clear }
        let framed = lines.framed
        let bands = place.bands
        guard Self.isWorthFitting(place) else { return [] }
        let isStacked = zip(bands, bands.dropFirst()).contains { $0.likeness(to: $1) < Self.stackedLikeness }
        if isStacked {
            let stacked = readStacked(framed)
            guard stacked.isEmpty else { return stacked }
        }
        if let answer = EANStripReader.read([whole] + bands, symbologies: symbologies) {
            let corners = strip.corners(answer.range, isReversed: answer.isReversed)
            var reading = answer.reading
            reading.corners = corners
            reading.orientation = corners.orientation
            return [Found(reading: reading)]
        }
        let found = readLinear(framed, &lines.lines)
        guard found.isEmpty else { return found }
        let stacked = isStacked ? [] : readStacked(framed)
        return stacked.isEmpty ? readFiner(&lines.finer) : stacked
    }

    /// What our own linear reader makes of a place that something else was read in, in pixels of the full picture.
    private func readAgain(_ place: Place) -> [Found] {
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
        let strip: LinearStrip
        var lines: LinearReader.Lines

        init(_ image: LumaImage, _ strip: LinearStrip) {
            self.strip = strip.finer(image).withPaperOutside(image)
            lines = LinearSearch.lines(self.strip)
        }
    }

    /// What is not clear in a strip with more columns.
    private func readFiner(_ finer: inout FinerStrip?) -> [Found] {
        guard var narrow = finer else { return [] }
        let found = readLinear(narrow.strip, &narrow.lines)
        finer = narrow
        return found.isEmpty ? readStacked(narrow.strip) : found
    }
}

extension LinearStrip {
    /// The corners of a symbol in the strip, in pixels of the picture that it was made of.
    ///
    /// - Parameter rows: those that the symbol fills; nil for those that show the bars.
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
