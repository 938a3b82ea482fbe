internal import BarcodeCore

extension SearchStrategy.Method {
    /// Reads fields of bars that recur from line to line, row by row.
    static let fields = Self(
        name: "fields", title: "linear symbols by bars that continue from line to line",
        symbologies: FieldSearch.symbologies
    ) { state, level in
        for item in FieldSearch(symbologies: state.symbologies, trace: state.trace).search(&state, level) {
            state.found.addSeen(Symbol(item.reading, in: state.image(atLevel: 0)), linkage: item.reading.linkage)
        }
    }

    /// Reads stacked DataBar symbols of which one row was seen as a field.
    ///
    /// It comes last, because most such rows belong to a symbol that other strategies read.
    static let stackedRows = Self(
        name: "stackedRows", title: "stacked DataBar symbols around rows that were read",
        symbologies: [.dataBar, .dataBarExpanded]
    ) { state, level in
        for item in FieldSearch(symbologies: state.symbologies, trace: state.trace).searchStacks(&state, level) {
            state.found.addSeen(Symbol(item.reading, in: state.image(atLevel: 0)), linkage: item.reading.linkage)
        }
    }

    /// Reads fields of bars whose rows did not agree on a message because they are blurred or faint.
    static let fittedFields = Self(
        name: "fittedFields", title: "blurred linear symbols, by bars that continue from line to line",
        symbologies: FieldSearch.symbologies
    ) { state, level in
        for item in FieldSearch(symbologies: state.symbologies, trace: state.trace).searchRest(&state, level) {
            state.found.add(Symbol(item.reading, in: state.image(atLevel: 0)))
        }
    }
}

/// Reads the fields of bars of an image, before regions are fitted.
struct FieldSearch {
    /// The supported symbologies.
    ///
    /// Pharmacode is not among them because any few bars match it. Its ends are clear in a region, but not on single
    /// lines with noise beside it.
    static let symbologies = LinearSearch.symbologies.subtracting([.pharmacode])

    /// The largest number of rows that are read of a field; each is the mean of an equal share of the rows of
    /// pixels.
    private static let rows = 24
    /// The module size in pixels at which a field is read, if a larger image exists.
    private static let wantedModule = 3.0
    /// The number of failed fits after which the search ends; fields with the most bars come first.
    ///
    /// Fitting takes twenty times as long as reading rows. Each success allows one more failure.
    private static let maximumFailures = 3
    /// The largest number of runs of a field that is fitted.
    ///
    /// An EAN-13 with an add-on of five digits has fewer than 100. The lines of a screen have more.
    private static let mostRuns = 130
    /// The smallest height of a field that is fitted, as a share of its length.
    ///
    /// Of a lower field, only the means of its rows are read.
    private static let leastHeight = 0.1
    /// The smallest height of a field that is read by its means, in modules: a row of modules of a QR Code has one, and
    /// two rows are seldom the same.
    private static let leastModules = 3.0
    /// The module size in pixels below which a field is read with two samples a pixel.
    private static let narrowModule = 2.4
    /// The number of runs of an EAN-8, the shortest symbol that suggests there are others; texture seldom has as
    /// many.
    private static let fewestRuns = 43
    /// The module size in pixels below which other symbols may be too narrow to be seen.
    private static let hardlySeenModule = 1.4
    /// The width in pixels up to which a field is read in a larger image, regardless of its module size.
    private static let shortLength = 900.0

    /// The number of consecutive failures after which the search for stacked DataBar symbols ends.
    private static let maximumStackFailures = 2
    /// The same for pairs of finder patterns, of which other linear symbols and text have a few.
    private static let maximumPairFailures = 3
    /// The search distances above and below a row, in heights and in lengths of the row: first for one other row (at
    /// most 33 modules high in a row of 50), then for up to ten others.
    private static let stackReaches = [(heights: 1.3, lengths: 0.3), (heights: 11, lengths: 0.3)]

    private let bars: LinearSearch
    private let trace: SearchTrace?

    init(symbologies: Set<Symbology>, trace: SearchTrace?) {
        bars = LinearSearch(symbologies: symbologies)
        self.trace = trace
    }

    /// Reads the fields of one pyramid level; the results are in pixels of the full image.
    func search(_ state: inout SearchState, _ level: Int) -> [LinearSearch.Found] {
        let fields = state.barFields(atLevel: level)
        if fields.contains(where: Self.isHardlySeen) { state.narrowBars.insert(level) }
        var found: [LinearSearch.Found] = []
        // Texture may make many fields, such as the lines of a screen: failures may cost at most a quarter of the
        // pixels.
        var pixels = state.image(atLevel: level).pixelCount / 4
        var isStack = false
        var rest = fields
        while !rest.isEmpty, state.isWorthwhile(more: found.count) {
            let field = rest.removeFirst()
            let corners = field.region.corners.scaled(by: Double(1 << level))
            let middle = corners.center
            func isRead(_ symbol: Quadrilateral) -> Bool {
                symbol.contains(middle) || field.isWhole && corners.contains(symbol.center)
            }
            guard !found.contains(where: { isRead($0.reading.corners) }),
                !state.found.contains(where: { isRead($0.corners) })
            else { continue }
            guard pixels > 0, let place = sampledRegion(field, level: level, &state) else { continue }
            var answers = read(field, place, level: level)
            let part = answers.isEmpty ? bars.symbologyOfPart(place.strip) : nil
            // A low symbol seen obliquely is a parallelogram. The spread of its bars needs no correction, because rows
            // are read one by one.
            if answers.isEmpty, part == nil, let sheared = place.sheared {
                answers = read(field, sheared, level: level)
            }
            if answers.isEmpty {
                state.unreadFields[level, default: []].append(field)
                if Self.mayBeSymbol(field) { state.unreadSymbolFields[level, default: []].append(field) }
                if let part { state.rowsOfStacks[level, default: []].append((field, part)) }
                // A wide bar of a finder pattern ends a field: the other parts are in the one that joins both, which is
                // read next. The part alone does not count as a failure. If the joined field has no message, the rows
                // are those of a stack.
                if part != nil, field.isWhole { isStack = true }
                if part != nil, !isStack, let joined = Self.index(ofFieldThatJoins: field, in: rest) {
                    rest.insert(rest.remove(at: joined), at: 0)
                } else {
                    pixels -= place.strip.pixelCount
                }
            }
            for answer in answers { LinearSearch.add(answer, to: &found) }
        }
        return found
    }

    /// Reads the stacked DataBar symbols of which rows were seen in one pyramid level; in pixels of the full image.
    func searchStacks(_ state: inout SearchState, _ level: Int) -> [LinearSearch.Found] {
        var found: [LinearSearch.Found] = []
        var failures = 0
        for row in state.rowsOfStacks.removeValue(forKey: level) ?? []
        where failures < Self.maximumStackFailures && state.isWorthwhile(more: found.count) {
            guard let answers = readStack(around: row.field, row.symbology, level: level, &state, known: found) else {
                continue
            }
            failures = answers.isEmpty ? failures + 1 : 0
            found += answers
        }
        return found + readPairs(level, &state, known: found)
    }

    /// Reads the stacked DataBar symbols of which both finder patterns were seen, in pixels of the full image.
    ///
    /// - Parameter known: the symbols decoded in the same pass.
    private func readPairs(_ level: Int, _ state: inout SearchState, known: [LinearSearch.Found])
        -> [LinearSearch.Found]
    {
        guard state.symbologies.contains(.dataBar) else { return [] }
        var found: [LinearSearch.Found] = []
        var failures = 0
        for (region, module) in state.dataBarStacks(atLevel: level).places
        where failures < Self.maximumPairFailures && state.isWorthwhile(more: found.count) {
            let corners = region.corners.scaled(by: Double(1 << level))
            let symbols = state.found.symbols.map(\.corners) + (known + found).map(\.reading.corners)
            guard !symbols.contains(where: { $0.contains(corners.center) }),
                let place = bars.sampledRegion(
                    region, level: level, &state, maximumLength: Self.wantedModule * region.length / module)
            else { continue }
            let answers = bars.readStack(place).filter { $0.reading.corners.contains(corners.center) }
            report(corners, place, answers)
            failures = answers.isEmpty ? failures + 1 : 0
            found += answers
        }
        return found
    }

    /// Reads a stacked DataBar of which one row is known, in pixels of the full image; `nil` if the row belongs to a
    /// decoded symbol.
    ///
    /// - Parameter known: the symbols decoded in the same pass.
    private func readStack(
        around row: BarField, _ symbology: Symbology, level: Int, _ state: inout SearchState,
        known: [LinearSearch.Found]
    ) -> [LinearSearch.Found]? {
        let scale = Double(1 << level)
        for reach in symbology == .dataBar ? Array(Self.stackReaches.prefix(1)) : Self.stackReaches {
            var region = row.region
            region.height += 2 * max(reach.heights * region.height, reach.lengths * region.length)
            let corners = region.corners.scaled(by: scale)
            let middle = row.region.corners.scaled(by: scale).center
            let symbols = state.found.symbols.map(\.corners) + known.map(\.reading.corners)
            guard !symbols.contains(where: { $0.contains(middle) }),
                let place = bars.sampledRegion(
                    region, level: level, &state,
                    maximumLength: max(Self.shortLength, 2 * Self.wantedModule * row.modules))
            else { return nil }
            // A label above or below may yield symbols of its own.
            let answers = bars.readStack(place).filter { $0.reading.corners.contains(middle) }
            report(corners, place, answers)
            if !answers.isEmpty { return answers }
        }
        return []
    }

    /// Reads the fields of one pyramid level whose rows did not agree on a message, by averaging many rows and by
    /// fitting; the results are in pixels of the full image.
    func searchRest(_ state: inout SearchState, _ level: Int) -> [LinearSearch.Found] {
        var found: [LinearSearch.Found] = []
        var (failures, lowFailures) = (0, 0)
        for field in state.unreadFields.removeValue(forKey: level) ?? []
        where state.isWorthwhile(more: found.count) {
            let isLow = Self.isLow(field)
            guard isLow ? Self.isHigherThanModules(field) : Self.isFitted(field),
                (isLow ? lowFailures : failures) < Self.maximumFailures
            else { continue }
            let corners = field.region.corners.scaled(by: Double(1 << level))
            // A stripe of a decoded symbol is not another symbol.
            let known = state.found.symbols.map(\.corners) + found.map(\.reading.corners)
            guard !known.contains(where: { Self.isBeside(corners, $0) }),
                let place = sampledRegion(field, level: level, &state)
            else { continue }
            var answers: [LinearSearch.Found]
            if isLow {
                answers = bars.readClear(place)
                lowFailures += answers.isEmpty ? 1 : -1
            } else {
                answers = bars.read(place).filter { Self.isSure($0.reading.symbology) }
                if answers.isEmpty {
                    answers = bars.readOblique(place).filter { Self.isSure($0.reading.symbology) }
                }
                failures += answers.isEmpty ? 1 : -1
            }
            report(corners, place, answers)
            found += answers
        }
        return found
    }

    /// Returns the index of the field that joins a field with others in the same line of bars; `nil` if none does.
    private static func index(ofFieldThatJoins field: BarField, in others: [BarField]) -> Int? {
        others.firstIndex { $0.isWhole && $0.region.corners.contains(field.region.center) }
    }

    /// Indicates whether a field may be a symbol beside which others are too narrow to be seen.
    private static func isHardlySeen(_ field: BarField) -> Bool {
        mayBeSymbol(field) && field.region.length < hardlySeenModule * field.modules
    }

    /// Indicates whether a field has as many bars as a symbol, and is as high.
    private static func mayBeSymbol(_ field: BarField) -> Bool { field.runs >= fewestRuns && isFitted(field) }

    /// Indicates whether a field may be a single symbol by the number and height of its bars.
    private static func isFitted(_ field: BarField) -> Bool { !isLow(field) && field.runs <= mostRuns }

    /// Indicates whether a field is higher than a row of modules of a matrix symbol.
    private static func isHigherThanModules(_ field: BarField) -> Bool {
        field.region.height * field.modules >= leastModules * field.region.length
    }

    /// Indicates whether a field is too low to be fitted.
    private static func isLow(_ field: BarField) -> Bool { field.region.height < leastHeight * field.region.length }

    /// Indicates whether bars may be part of a symbol: they lie in it, or above or below it, and not beyond its ends.
    private static func isBeside(_ bars: Quadrilateral, _ symbol: Quadrilateral) -> Bool {
        let (across, along) = (symbol.topRight - symbol.topLeft, symbol.bottomLeft - symbol.topLeft)
        let (length, height) = (max(1, across.length), max(1, along.length))
        let growth = max(height, length / 4) / height
        let whole = Quadrilateral(
            topLeft: symbol.topLeft - along * growth, topRight: symbol.topRight - along * growth,
            bottomRight: symbol.bottomRight + along * growth, bottomLeft: symbol.bottomLeft + along * growth)
        // The ends are a little inside the bars, because those of a stripe are not exact.
        let left = bars.topLeft.between(bars.bottomLeft, 0.5).between(bars.center, 0.1)
        let right = bars.topRight.between(bars.bottomRight, 0.5).between(bars.center, 0.1)
        return whole.contains(left) && whole.contains(right) || bars.contains(symbol.center)
    }

    /// Indicates whether a symbology is safe to fit: it does not match a part of a longer symbol, or, as ITF, has quiet
    /// zones.
    private static func isSure(_ symbology: Symbology) -> Bool {
        Symbology.retail.contains(symbology)
            ? symbology != .ean8 && symbology != .upcE : symbology.traits.check == .checksum || symbology == .itf
    }

    private func sampledRegion(_ field: BarField, level: Int, _ state: inout SearchState) -> LinearSearch.SampledRegion?
    {
        bars.sampledRegion(
            field.region, level: level, &state,
            maximumLength: max(Self.shortLength, 2 * Self.wantedModule * field.modules))
    }

    /// Reads a field row by row; in pixels of the full image.
    private func read(_ field: BarField, _ place: LinearSearch.SampledRegion, level: Int) -> [LinearSearch.Found] {
        let scale = Double(1 << level)
        let module = field.region.length / field.modules * scale / place.scale
        // Narrower bars lose their contrast between two pixels.
        let strip = module < Self.narrowModule ? place.strip.finer(place.image) : place.strip
        let answers = bars.readRows(strip, in: place.image, count: Self.rows).map { $0.scaled(by: place.scale) }
        report(field.region.corners.scaled(by: scale), place, answers)
        return answers
    }

    private func report(_ corners: Quadrilateral, _ place: LinearSearch.SampledRegion, _ answers: [LinearSearch.Found])
    {
        guard let trace else { return }
        let sentences = answers.map {
            "read: \($0.reading.symbology.rawValue) \(String(decoding: $0.reading.bytes, as: UTF8.self)), in "
                + "\($0.reading.quality) rows"
        }
        trace(
            .bars(
                corners, strip: place.whole.drawn(rows: 40), wasRead: !answers.isEmpty,
                sentences: answers.isEmpty
                    ? ["several lines have the same bars, but too few rows agree on a message"] : sentences))
    }
}
