internal import BarcodeCore

/// The state of a search through one image: the pyramid and the detections shared by all strategies, and the symbols
/// found.
struct SearchState {
    /// The symbologies requested from the current strategy.
    var symbologies: Set<Symbology> = []
    /// The rule for the thresholds of the binary images that the current strategy searches.
    var threshold = BinaryImage.Threshold.mean
    let options: DecodeOptions
    /// The symbols found so far.
    var found = FoundSymbols()
    /// The regions of bars that were not decoded, by level and in pixels of that level.
    var unreadBars: [Int: [UnreadBars]] = [:]
    /// The fields of bars that were not decoded, by level.
    var unreadFields: [Int: [BarField]] = [:]
    /// Those that may be a whole symbol, also after they were fitted in vain.
    var unreadSymbolFields: [Int: [BarField]] = [:]
    /// Those fields that show a part of a DataBar, with its symbology.
    var rowsOfStacks: [Int: [(field: BarField, symbology: Symbology)]] = [:]
    /// The levels in which bars about one pixel wide were seen.
    var narrowBars: Set<Int> = []
    /// The composite components that were decoded before their linear symbols.
    var unpairedComponents: [UnpairedComponent] = []
    /// The QR Codes that were sampled but not decoded.
    var unreadQR: [UnreadQR] = []
    /// The places at which the structure of a matrix or stacked symbol was located, read meanwhile or not.
    var unread = UnreadPlaces()
    /// The corners of the EAN and UPC symbols whose add-on has been searched.
    var cornersSearchedForAddOn: Set<Quadrilateral> = []
    let trace: SearchTrace?
    let budget: SearchBudget
    /// The symbologies requested from all strategies.
    var wanted: Set<Symbology> { options.symbologies }
    private var pyramid: ImagePyramid
    private var binaries: [Int: BinaryImage] = [:]
    /// The number of symbols when the binary image was last cleared of them, by level.
    private var cleared: [Int: Int] = [:]
    /// The binary images by other rules than the mean, with no symbols erased.
    private var otherBinaries: [CacheKey: BinaryImage] = [:]
    private var finders: [CacheKey: QRLocator] = [:]
    private var stacked: [CacheKey: PDF417Locator] = [:]
    /// The cache of the tones of the images, by level.
    var tones: [Int: Tones] = [:]
    /// The corners of Data Matrix candidates that were not read, by level.
    var unreadDataMatrix: [Int: [Quadrilateral]] = [:]
    /// The cache of which images may have the edge of a shadow, by level.
    var shadowEdges: [Int: Bool] = [:]

    /// The largest image in pixels in which every row is scanned for finder patterns.
    ///
    /// In a larger one every other row is, which still crosses the middle of a finder pattern of 1.3 pixels a module
    /// twice.
    static let densePixels = 300_000

    /// The largest image in pixels in which every row is scanned for bars: in a small one they may be low.
    private static let smallPixels = 16_384

    /// Returns the distance of the rows that are scanned for bars in an image.
    private static func barStep(_ image: BinaryImage) -> Int {
        let pixels = image.width * image.height
        return pixels > densePixels ? 4 : pixels > smallPixels ? 2 : 1
    }

    /// The key of a binary image in which patterns were searched.
    private struct CacheKey: Hashable {
        var level: Int
        var threshold: BinaryImage.Threshold
    }

    init(_ image: LumaImage, options: DecodeOptions, budget: SearchBudget, trace: SearchTrace?) {
        self.options = options
        pyramid = ImagePyramid(image)
        self.budget = budget
        self.trace = trace
    }

    /// Returns the image at 1/2^`level` of its size.
    mutating func image(atLevel level: Int) -> LumaImage { pyramid.image(atLevel: level) }

    /// Returns the binary image of a level, cached, and with the symbols found so far erased.
    mutating func binaryImage(atLevel level: Int) -> BinaryImage {
        guard threshold == .mean else { return otherBinaryImage(atLevel: level) }
        var binary = binaries.removeValue(forKey: level) ?? BinaryImage(image(atLevel: level))
        if cleared[level, default: 0] != found.count {
            let scale = Double(1 << level)
            for (outline, isInverted) in found.clearedOutlines {
                binary.blank(outline.scaled(by: 1 / scale), isDark: isInverted)
            }
            cleared[level] = found.count
        }
        binaries[level] = binary
        return binary
    }

    private mutating func otherBinaryImage(atLevel level: Int) -> BinaryImage {
        let key = CacheKey(level: level, threshold: threshold)
        if let known = otherBinaries[key] { return known }
        let made = BinaryImage(image(atLevel: level), by: threshold)
        otherBinaries[key] = made
        return made
    }

    /// Returns the start and stop patterns of PDF417 and the left sides of MicroPDF417 symbols at 1/2^`level` of the
    /// image size.
    ///
    /// If requested, also the clock tracks of films, the finder patterns of Han Xin symbols, the fields of bars and
    /// the finder patterns of DataBar.
    mutating func stackedPatterns(atLevel level: Int) -> PDF417Locator {
        let key = CacheKey(level: level, threshold: threshold)
        if let known = stacked[key] { return known }
        let binary = binaryImage(atLevel: level)
        let locator = PDF417Locator(
            binary, step: Self.barStep(binary),
            withClocks: wanted.contains(.filmEdge), withCorners: wanted.contains(.hanXin),
            withFields: !wanted.isDisjoint(with: FieldSearch.symbologies), withDataBar: wanted.contains(.dataBar))
        stacked[key] = locator
        return locator
    }

    /// Returns the fields of bars at 1/2^`level` of the image size.
    mutating func barFields(atLevel level: Int) -> [BarField] {
        // The search for stacked symbols has scanned the lines already.
        if let known = stacked[CacheKey(level: level, threshold: threshold)] { return known.fields }
        let binary = binaryImage(atLevel: level)
        return BarFieldLocator(binary, step: Self.barStep(binary)).fields
    }

    /// Returns the places of stacked DataBar symbols at 1/2^`level` of the image size.
    mutating func dataBarStacks(atLevel level: Int) -> DataBarStackLocator {
        let binary = binaryImage(atLevel: level)
        return DataBarStackLocator(
            binary, step: binary.width * binary.height > Self.densePixels ? 2 : 1,
            // The search for PDF417 has scanned the columns already.
            columns: stacked[CacheKey(level: level, threshold: threshold)]?.dataBarColumns)
    }

    /// Returns the finder patterns of QR Codes at 1/2^`level` of the image size, with the candidates formed by them.
    mutating func finderPatterns(atLevel level: Int) -> QRLocator {
        let key = CacheKey(level: level, threshold: threshold)
        if let known = finders[key] { return known }
        let binary = binaryImage(atLevel: level)
        let locator = QRLocator(binary, rowStep: binary.width * binary.height > Self.densePixels ? 2 : 1)
        finders[key] = locator
        return locator
    }

    /// True if any level has two finder patterns that may belong to one dark QR Code, not counting pale print.
    var hasFinderPair: Bool { finders.contains { $0.key.threshold != .pale && $0.value.hasPair } }

    /// True if any level has a finder pattern of a QR Code outside all decoded symbols, which is seldom texture.
    var hasFreeFinder: Bool {
        finders.contains { seen, locator in
            locator.patterns.contains {
                $0.correlation >= QRLocator.leastPairCorrelation
                    && SearchStrategy.Method.isFree($0, self, seen.level)
            }
        }
    }

    /// True if any level has two finder patterns outside decoded QR Codes that may belong to one.
    var hasFreeFinderPair: Bool {
        finders.contains { seen, locator in
            locator.pairedPatterns.count { SearchStrategy.Method.isFree($0, self, seen.level) } > 1
        }
    }

    /// The search range around a finder pattern, in its widths: 9 suffices for version 10, whose side is 57 modules.
    ///
    /// Larger symbols are seldom so damaged that only one pattern is visible.
    private static let reachAroundFinders = 9.0

    /// Returns the region around all pairs of finder patterns outside decoded symbols, found in any level, in pixels
    /// of the given level.
    ///
    /// `nil` if there are none. The third pattern may be damaged; a single pattern is far more often texture than a
    /// symbol.
    func regionAroundFinders(atLevel level: Int, width: Int, height: Int) -> (x: Range<Int>, y: Range<Int>)? {
        var (left, top, right, bottom) = (Double(width), Double(height), 0.0, 0.0)
        for (seen, locator) in finders {
            let scale = Double(1 << seen.level) / Double(1 << level)
            let free = locator.pairedPatterns.filter { SearchStrategy.Method.isFree($0, self, seen.level) }
            // A single one is more often texture.
            guard free.count > 1 else { continue }
            for pattern in free {
                let reach = Self.reachAroundFinders * max(pattern.width, pattern.height) * scale
                let (x, y) = (pattern.center.x * scale, pattern.center.y * scale)
                (left, right) = (min(left, x - reach), max(right, x + reach))
                (top, bottom) = (min(top, y - reach), max(bottom, y + reach))
            }
        }
        guard left < right, top < bottom else { return nil }
        return (
            Int(max(0, left))..<Int(min(Double(width), right.rounded(.up))),
            Int(max(0, top))..<Int(min(Double(height), bottom.rounded(.up)))
        )
    }

    /// The module size in pixels below which a symbol is hardly visible.
    private static let hardlySeenModule = 2.0

    /// Indicates whether the level has hardly visible bars, or symbols found with at most an effort are so small
    /// that others of their size would be hardly visible in the level.
    func hasSmallModules(atLevel level: Int, upTo effort: DecodeOptions.Effort) -> Bool {
        if narrowBars.contains(level) { return true }
        return found.smallestModule(upTo: effort).map { $0 < Self.hardlySeenModule * Double(1 << level) } ?? false
    }

    /// Indicates whether more symbols are requested and time is left.
    ///
    /// - Parameter more: the number of symbols that are not yet in ``found``.
    func isWorthwhile(more: Int = 0) -> Bool { budget.allows(found.count + more) }

    /// True if the time ended before the requested number of symbols was found.
    var isOutOfTime: Bool { budget.isOver(found.count) }

    /// Searches another version of the whole picture, without some methods, and adds its symbols.
    mutating func search(_ image: LumaImage, without left: [SearchStrategy.Method]) throws(DecodeError) {
        try search(image, by: SearchStrategy.schedule(without: left))
    }

    /// Searches another version of the picture and adds its symbols.
    ///
    /// - Parameters:
    ///   - image: the other version.
    ///   - strategies: the strategies to use.
    ///   - place: the outline that the symbols to add touch, in pixels of the full image; `nil` to add all symbols.
    ///   - mapped: returns an outline of the other version in pixels of the full image.
    mutating func search(
        _ image: LumaImage, by strategies: [SearchStrategy], at place: Quadrilateral? = nil,
        mapped: @escaping (Quadrilateral) -> Quadrilateral = { $0 }
    ) throws(DecodeError) {
        var options = options
        options.symbologies = symbologies
        let trace = trace.map { trace -> SearchTrace in { trace($0.mapped(mapped)) } }
        var search = SymbolSearch(
            image: image, options: options, strategies: strategies, budget: budget, trace: trace)
        try search.run()
        for var symbol in search.symbols {
            symbol.corners = mapped(symbol.corners)
            if place.map(symbol.touches) ?? true { found.add(symbol) }
        }
    }
}

/// A region of parallel bars that was not decoded.
struct UnreadBars {
    var region: LinearRegion
    /// True if it looks like a symbol, so that another reader should try it.
    var looksLikeSymbol: Bool
    /// True if it has a row of edges; without one, it is not tried again once other symbols are found.
    var hasBars: Bool
    /// True if it looks like a symbol that may be light on dark.
    var mayBeInverted: Bool
    /// The number of bars and spaces.
    var elements: Int
    /// True if there is paper on both sides of the bars.
    var isOnPaper: Bool
    /// True if there is ink on both sides, as beside light bars on a dark background.
    var isOnInk: Bool

    /// Indicates whether a message accounts for all bars: zbar may read a part of an ITF, the rest of a Code 128, one
    /// DataBar from the halves of two, or a short retail number in the spaces of a longer one that is cut off.
    func isWhole(_ reading: Reading, isInverted: Bool) -> Bool {
        let short = isInverted ? Self.elementsOfShortNumbers[reading.symbology] : nil
        guard let most = short ?? reading.symbology.traits.mostElements?(reading.bytes.count) else { return true }
        if reading.symbology == .itf, !(isInverted ? isOnInk : isOnPaper) { return false }
        // Blur hides some elements, and noise adds some.
        return Double(most) >= 0.85 * Double(elements)
    }

    private static let elementsOfShortNumbers: [Symbology: Int] = [.ean8: 43, .upcE: 33]
}

/// A QR Code whose modules were sampled but not decoded.
struct UnreadQR {
    /// The pyramid level in which it was read.
    var level: Int
    /// The corners, in pixels of that level.
    var corners: Quadrilateral
    /// The approximate number of modules along a side.
    var size: Double
    var isInverted: Bool
    /// True if the timing patterns are on the lines between the finder patterns, as on a sheet that is nearly flat.
    var isTimed: Bool
}

/// The limits of a search: its deadline, number of symbols and cancellation.
struct SearchBudget: Sendable {
    private let deadline: ContinuousClock.Instant?
    private let maximumCount: Int?
    private let isCancelled: (@Sendable () -> Bool)?

    init(_ options: DecodeOptions, isCancelled: (@Sendable () -> Bool)? = nil) {
        self.isCancelled = isCancelled
        deadline = options.timeBudget.map { ContinuousClock.now.advanced(by: $0) }
        maximumCount = options.maximumCount
    }

    /// Indicates whether the search continues after `count` symbols.
    func allows(_ count: Int) -> Bool {
        if let maximumCount, count >= maximumCount { return false }
        return !isEnded
    }

    /// True if the search may end early, because of a time limit or a cancellation.
    var mayEnd: Bool { deadline != nil || isCancelled != nil }

    /// True if the time is over or the search is canceled.
    var isEnded: Bool { isTimeOver || isCancelled?() ?? false }

    private var isTimeOver: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }

    /// Indicates whether the time is over before the requested number of symbols is found.
    func isOver(_ count: Int) -> Bool {
        if let maximumCount, count >= maximumCount { return false }
        return isTimeOver
    }
}
