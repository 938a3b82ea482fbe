internal import BarcodeCore

extension SearchStrategy.Method {
    /// Fields of bars that recur from line to line, each read row by row.
    static let fields = Self(
        name: "fields", title: "linear symbols by bars that recur from line to line",
        symbologies: FieldSearch.symbologies
    ) { scene, level in
        for item in FieldSearch(symbologies: scene.symbologies, trace: scene.trace).search(&scene, level) {
            scene.found.addSeen(Symbol(item.reading, in: scene.image(atLevel: 0)), linkage: item.reading.linkage)
        }
    }

    /// Stacked DataBar symbols of which a row was seen as a field: last, since most rows are those of a symbol that other
    /// strategies read.
    static let stackedRows = Self(
        name: "stackedRows", title: "stacked DataBar symbols around rows that were seen",
        symbologies: [.dataBar, .dataBarExpanded]
    ) { scene, level in
        for item in FieldSearch(symbologies: scene.symbologies, trace: scene.trace).searchStacks(&scene, level) {
            scene.found.addSeen(Symbol(item.reading, in: scene.image(atLevel: 0)), linkage: item.reading.linkage)
        }
    }

    /// Fields of bars whose rows did not agree on anything: blurred, or faint.
    static let fittedFields = Self(
        name: "fittedFields", title: "linear symbols that are blurred, where bars recur from line to line",
        symbologies: FieldSearch.symbologies
    ) { scene, level in
        for item in FieldSearch(symbologies: scene.symbologies, trace: scene.trace).searchRest(&scene, level) {
            scene.found.add(Symbol(item.reading, in: scene.image(atLevel: 0)))
        }
    }
}

/// Reads the fields of bars of a picture: the first look, before regions are fitted.
struct FieldSearch {
    /// The symbologies that it can read.
    ///
    /// A Pharmacode may be any few bars: its region tells where it ends, lines across noise beside it do not.
    static let symbologies = LinearSearch.symbologies.subtracting([.pharmacode])

    /// Rows of a field that are read, at most: each is the mean of as many rows of pixels as there are for it.
    private static let rows = 24
    /// Pixels a module, of the picture in which a field is read, if there is a larger one.
    private static let wantedModule = 3.0
    /// Fields that are fitted in vain before the rest is given up, those with most bars first.
    ///
    /// Fitting takes twenty times as long as reading rows. Each that is read pays for another.
    private static let maximumFailures = 3
    /// Runs of the longest symbol that is fitted.
    ///
    /// An EAN-13 with an add-on of five digits has fewer than 100. Lines of a screen have more.
    private static let mostRuns = 130
    /// The least height of bars that are fitted, as a part of their length.
    ///
    /// A row of modules of a QR symbol is lower.
    private static let leastHeight = 0.1
    /// Pixels a module up to which a field is read with two columns a pixel.
    private static let narrowModule = 2.4
    /// Runs of an EAN-8, the shortest symbol whose bars are a hint that there are others; texture has seldom as many.
    private static let fewestRuns = 43
    /// Pixels a module from which on others may be too narrow to be seen.
    private static let hardlySeenModule = 1.4
    /// Pixels across a field up to which it is read in a larger picture, however wide its modules are.
    private static let shortLength = 900.0

    /// Rows of stacked DataBar symbols whose other rows are looked for in vain, one after the other, before the rest is left.
    private static let maximumStackFailures = 2
    /// The distance above and below a row up to which the others are looked for, in heights of the row and in its lengths:
    /// of one other row, which is at most 33 modules high in a row of 50, and of up to ten others.
    private static let stackReaches = [(heights: 1.3, lengths: 0.3), (heights: 11, lengths: 0.3)]

    private let bars: LinearSearch
    private let trace: SearchTrace?

    init(symbologies: Set<Symbology>, trace: SearchTrace?) {
        bars = LinearSearch(symbologies: symbologies)
        self.trace = trace
    }

    /// Reads what lies in the fields of one size of the picture, in pixels of the full picture.
    func search(_ scene: inout SearchScene, _ level: Int) -> [LinearSearch.Found] {
        let fields = scene.barFields(atLevel: level)
        if fields.contains(where: Self.isHardlySeen) { scene.narrowBars.insert(level) }
        var found: [LinearSearch.Found] = []
        // Texture may make many fields, such as the lines of a screen: a quarter of the pixels is looked at in vain.
        var pixels = scene.image(atLevel: level).pixelCount / 4
        for field in fields where scene.isWorthwhile(more: found.count) {
            let corners = field.region.corners.scaled(by: Double(1 << level))
            let middle = corners.center
            func isRead(_ symbol: Quadrilateral) -> Bool {
                symbol.contains(middle) || field.isWhole && corners.contains(symbol.center)
            }
            guard !found.contains(where: { isRead($0.reading.corners) }),
                !scene.found.contains(where: { isRead($0.corners) })
            else { continue }
            guard pixels > 0, let place = place(field, level: level, &scene) else { continue }
            let answers = read(place, module: field.region.length / field.modules * Double(1 << level) / place.scale)
            if answers.isEmpty {
                pixels -= place.strip.pixelCount
                scene.unreadFields[level, default: []].append(field)
                if let symbology = bars.symbologyOfPart(place.strip) {
                    scene.rowsOfStacks[level, default: []].append((field, symbology))
                }
            }
            report(corners, place, answers)
            for answer in answers { LinearSearch.add(answer, to: &found) }
        }
        return found
    }

    /// Reads the stacked DataBar symbols of which rows were seen in one size of the picture, in pixels of the full picture.
    func searchStacks(_ scene: inout SearchScene, _ level: Int) -> [LinearSearch.Found] {
        var found: [LinearSearch.Found] = []
        var failures = 0
        for row in scene.rowsOfStacks.removeValue(forKey: level) ?? []
        where failures < Self.maximumStackFailures && scene.isWorthwhile(more: found.count) {
            guard let answers = readStack(around: row.field, row.symbology, level: level, &scene, known: found) else {
                continue
            }
            failures = answers.isEmpty ? failures + 1 : 0
            found += answers
        }
        return found
    }

    /// Reads a stacked DataBar of which one row is known, in pixels of the full picture; `nil` if the row is that of a symbol
    /// that was read.
    ///
    /// - Parameter known: symbols that were read in the same pass.
    private func readStack(
        around row: BarField, _ symbology: Symbology, level: Int, _ scene: inout SearchScene,
        known: [LinearSearch.Found]
    ) -> [LinearSearch.Found]? {
        let scale = Double(1 << level)
        for reach in symbology == .dataBar ? Array(Self.stackReaches.prefix(1)) : Self.stackReaches {
            var region = row.region
            region.height += 2 * max(reach.heights * region.height, reach.lengths * region.length)
            let corners = region.corners.scaled(by: scale)
            let middle = row.region.corners.scaled(by: scale).center
            let symbols = scene.found.symbols.map(\.corners) + known.map(\.reading.corners)
            guard !symbols.contains(where: { $0.contains(middle) }),
                let place = bars.place(
                    region, level: level, &scene,
                    maximumLength: max(Self.shortLength, 2 * Self.wantedModule * row.modules))
            else { return nil }
            // A label above or below has parts of its own.
            let answers = bars.readStack(place).filter { $0.reading.corners.contains(middle) }
            report(corners, place, answers)
            if !answers.isEmpty { return answers }
        }
        return []
    }

    /// Reads fields of one size of the picture, of which no rows agreed on anything, by the means of many rows and by
    /// fitting; in pixels of the full picture.
    func searchRest(_ scene: inout SearchScene, _ level: Int) -> [LinearSearch.Found] {
        var found: [LinearSearch.Found] = []
        var failures = 0
        for field in scene.unreadFields.removeValue(forKey: level) ?? []
        where failures < Self.maximumFailures && scene.isWorthwhile(more: found.count) && Self.isFitted(field) {
            let corners = field.region.corners.scaled(by: Double(1 << level))
            // A stripe of a symbol that was read is not another symbol.
            let known = scene.found.symbols.map(\.corners) + found.map(\.reading.corners)
            guard !known.contains(where: { Self.isBeside(corners, $0) }),
                let place = place(field, level: level, &scene)
            else { continue }
            let answers = bars.read(place).filter { Self.isSure($0.reading.symbology) }
            report(corners, place, answers)
            found += answers
            failures += answers.isEmpty ? 1 : -1
        }
        return found
    }

    /// Indicates whether a field may be a symbol of which others are too narrow to be seen.
    private static func isHardlySeen(_ field: BarField) -> Bool {
        field.runs >= fewestRuns && isFitted(field) && field.region.length < hardlySeenModule * field.modules
    }

    /// Indicates whether the bars of a field may be one symbol by their number and height.
    private static func isFitted(_ field: BarField) -> Bool {
        field.runs <= mostRuns && field.region.height >= leastHeight * field.region.length
    }

    /// Indicates whether bars may be a part of a symbol: they lie in it or go on above or below it.
    private static func isBeside(_ bars: Quadrilateral, _ symbol: Quadrilateral) -> Bool {
        let (across, along) = (symbol.topRight - symbol.topLeft, symbol.bottomLeft - symbol.topLeft)
        let (length, height) = (max(1, across.length), max(1, along.length))
        let growth = max(height, length / 4) / height
        let whole = Quadrilateral(
            topLeft: symbol.topLeft - along * growth, topRight: symbol.topRight - along * growth,
            bottomRight: symbol.bottomRight + along * growth, bottomLeft: symbol.bottomLeft + along * growth)
        return whole.contains(bars.center) || bars.contains(symbol.center)
    }

    /// Indicates whether bars of a symbology cannot be fitted to a part of a longer symbol.
    private static func isSure(_ symbology: Symbology) -> Bool {
        Symbology.retail.contains(symbology)
            ? symbology != .ean8 && symbology != .upcE : symbology.traits.check == .checksum
    }

    private func place(_ field: BarField, level: Int, _ scene: inout SearchScene) -> LinearSearch.Place? {
        bars.place(
            field.region, level: level, &scene,
            maximumLength: max(Self.shortLength, 2 * Self.wantedModule * field.modules))
    }

    /// Reads a place row by row.
    ///
    /// - Parameter module: pixels a module, about.
    private func read(_ place: LinearSearch.Place, module: Double) -> [LinearSearch.Found] {
        // Bars that are narrower lose their contrast between two pixels.
        let strip = module < Self.narrowModule ? place.strip.finer(place.image) : place.strip
        let found = bars.readRows(strip, in: place.image, count: Self.rows)
        return found.map { $0.scaled(by: place.scale) }
    }

    private func report(_ corners: Quadrilateral, _ place: LinearSearch.Place, _ answers: [LinearSearch.Found]) {
        guard let trace else { return }
        let sentences = answers.map {
            "read: \($0.reading.symbology.rawValue) \(String(decoding: $0.reading.bytes, as: UTF8.self)), in "
                + "\($0.reading.quality) rows"
        }
        trace(
            .bars(
                corners, strip: place.whole.drawn(rows: 40), wasRead: !answers.isEmpty,
                sentences: answers.isEmpty
                    ? ["the same bars on several lines, but too few rows agree on a message"] : sentences))
    }
}
