internal import BarcodeCore

/// A picture while it is searched: its sizes and what was seen in them, which all strategies share, and what was read.
struct SearchScene {
    /// The symbologies that are wanted of the strategy that runs.
    var symbologies: Set<Symbology> = []
    /// Indicates that the strategy that runs looks for pale print: the pictures in two tones, and the patterns in them, are
    /// made so that print may be hardly darker than its paper.
    var isPale = false
    let options: DecodeOptions
    /// What has been read so far.
    var found = FoundSymbols()
    /// Regions of bars in which nothing was read, by the level and in pixels of the picture in which they were found.
    var unreadBars: [Int: [UnreadBars]] = [:]
    /// Fields of bars in which nothing was read, by the level.
    var unreadFields: [Int: [BarField]] = [:]
    /// Those of them that show a part of a DataBar, and its symbology.
    var rowsOfStacks: [Int: [(field: BarField, symbology: Symbology)]] = [:]
    /// Levels at which bars were seen that are hardly a pixel wide.
    var narrowBars: Set<Int> = []
    /// Composite components that were read by themselves, before the linear symbols that they belong to.
    var lonelyComponents: [LonelyComponent] = []
    /// Places of QR symbols that were found and sampled and could not be decoded.
    var unreadQR: [UnreadQR] = []
    /// The corners of the EAN and UPC symbols beside which an add-on was looked for.
    var placesWithoutAddOn: Set<Quadrilateral> = []
    let trace: SearchTrace?
    let budget: SearchBudget
    /// The symbologies that are wanted of all strategies.
    var wanted: Set<Symbology> { options.symbologies }
    private var pyramid: ImagePyramid
    private var binaries: [Int: BinaryImage] = [:]
    /// How many symbols had been read when the picture in two tones was last cleared of them, by the level.
    private var cleared: [Int: Int] = [:]
    private var paleBinaryImages: [Int: BinaryImage] = [:]
    private var finders: [Seen: QRLocator] = [:]
    private var stacked: [Seen: PDF417Locator] = [:]
    /// Whether there is little contrast, by the level: ``hasLittleContrast(atLevel:)``.
    var littleContrast: [Int: Bool] = [:]

    /// Pixels of a picture of which each row is searched for finder patterns; in a larger one every other row, which
    /// still crosses the middle of a finder pattern of 1.3 pixels a module twice.
    static let densePixels = 300_000

    /// A size of the picture in two tones, in which patterns were looked for.
    private struct Seen: Hashable {
        var level: Int
        var isPale: Bool
    }

    init(_ image: LumaImage, options: DecodeOptions, budget: SearchBudget, trace: SearchTrace?) {
        self.options = options
        pyramid = ImagePyramid(image)
        self.budget = budget
        self.trace = trace
    }

    /// The picture at 1/2^`level` of its size.
    mutating func image(atLevel level: Int) -> LumaImage { pyramid.image(atLevel: level) }

    /// The same in two tones, made once for all that look for symbols in it, without the symbols that were read so far.
    mutating func binaryImage(atLevel level: Int) -> BinaryImage {
        guard !isPale else { return paleBinaryImage(atLevel: level) }
        var binary = binaries.removeValue(forKey: level) ?? BinaryImage(image(atLevel: level))
        if cleared[level, default: 0] != found.count {
            let scale = Double(1 << level)
            for (place, isInverted) in found.clearedPlaces {
                binary.blank(place.scaled(by: 1 / scale), isDark: isInverted)
            }
            cleared[level] = found.count
        }
        binaries[level] = binary
        return binary
    }

    /// The picture at 1/2^`level` of its size in two tones, where print may be hardly darker than paper.
    private mutating func paleBinaryImage(atLevel level: Int) -> BinaryImage {
        if let known = paleBinaryImages[level] { return known }
        let made = BinaryImage(image(atLevel: level), isPale: true)
        paleBinaryImages[level] = made
        return made
    }

    /// The start and stop patterns of PDF417, the left sides of MicroPDF417 symbols and, where they are wanted, the clock
    /// tracks of films and the finder patterns of Han Xin symbols in the picture at 1/2^`level` of its size.
    mutating func stackedPatterns(atLevel level: Int) -> PDF417Locator {
        let seen = Seen(level: level, isPale: isPale)
        if let known = stacked[seen] { return known }
        let binary = binaryImage(atLevel: level)
        let locator = PDF417Locator(
            binary, step: binary.width * binary.height > Self.densePixels ? 4 : 2,
            withClocks: wanted.contains(.filmEdge), withCorners: wanted.contains(.hanXin),
            withFields: !wanted.isDisjoint(with: FieldSearch.symbologies))
        stacked[seen] = locator
        return locator
    }

    /// The fields of bars in the picture at 1/2^`level` of its size.
    mutating func barFields(atLevel level: Int) -> [BarField] {
        // Whoever looked for stacked symbols has walked the lines already.
        if let known = stacked[Seen(level: level, isPale: isPale)] { return known.fields }
        let binary = binaryImage(atLevel: level)
        return BarFieldLocator(binary, step: binary.width * binary.height > Self.densePixels ? 4 : 2).fields
    }

    /// The finder patterns of QR symbols in the picture at 1/2^`level` of its size, and the places that they make.
    mutating func finderPatterns(atLevel level: Int) -> QRLocator {
        let seen = Seen(level: level, isPale: isPale)
        if let known = finders[seen] { return known }
        let binary = binaryImage(atLevel: level)
        let locator = QRLocator(binary, rowStep: binary.width * binary.height > Self.densePixels ? 2 : 1)
        finders[seen] = locator
        return locator
    }

    /// Whether two finder patterns that may be of one dark symbol were seen in any size, other than in pale print.
    var hasFinderPair: Bool { finders.contains { !$0.key.isPale && $0.value.hasPair } }

    /// Sides of a finder pattern to which the rest of its symbol reaches: 9 for version 10, of which each side is 57
    /// modules; larger symbols are seldom so damaged that one pattern is all that is seen.
    private static let reachAroundFinders = 9.0

    /// The place of the symbols of all pairs of finder patterns, seen in any size, that no read symbol has, in the
    /// picture at 1/2^`level`.
    ///
    /// `nil` if none was seen. The third may be damaged; a pattern by itself is texture far more often than a symbol.
    func placeAroundFinders(atLevel level: Int, width: Int, height: Int) -> (x: Range<Int>, y: Range<Int>)? {
        var (left, top, right, bottom) = (Double(width), Double(height), 0.0, 0.0)
        for (seen, locator) in finders {
            let scale = Double(1 << seen.level) / Double(1 << level)
            let free = locator.pairedPatterns.filter { SearchStrategy.Method.isFree($0, self, seen.level) }
            // One by itself is more often texture.
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

    /// Pixels a module below which a symbol is hardly seen.
    private static let hardlySeenModule = 2.0

    /// Indicates that symbols were read of which others of the same size would be hardly seen in the picture at 1/2^`level`
    /// of its size, by strategies of no more than an effort, or bars were seen that are hardly seen there.
    func hasSmallModules(atLevel level: Int, upTo effort: DecodeOptions.Effort) -> Bool {
        if narrowBars.contains(level) { return true }
        return found.smallestModule(upTo: effort).map { $0 < Self.hardlySeenModule * Double(1 << level) } ?? false
    }

    /// Whether more symbols are wanted, and there is time to look for them.
    ///
    /// - Parameter more: symbols that were read and are not in ``found`` yet.
    func isWorthwhile(more: Int = 0) -> Bool { budget.allows(found.count + more) }

    /// Whether fewer symbols were found than wanted when the time ended.
    var isOutOfTime: Bool { budget.isOver(found.count) }
}

/// A region of parallel bars in which nothing was read.
struct UnreadBars {
    var region: LinearRegion
    /// Whether it looks like a symbol, so that it is worth a second opinion.
    var looksLikeSymbol: Bool
    /// Whether there is a row of edges in it, without which it is worth none where other symbols were read.
    var hasBars: Bool
    /// Whether it looks like one that may be light on dark.
    var mayBeInverted: Bool
    /// The number of bars and spaces.
    var elements: Int
    /// Indicates whether there is paper on both sides of the bars.
    var isOnPaper: Bool
    /// Indicates whether there is ink on both sides, as beside light bars on a dark ground.
    var isOnInk: Bool

    /// Indicates whether a message is all that the bars say: zbar reads parts of an ITF, what is left of a Code 128, and one
    /// DataBar of the halves of two.
    func isWhole(_ reading: Reading, isInverted: Bool) -> Bool {
        guard let most = reading.symbology.traits.mostElements?(reading.bytes.count) else { return true }
        if reading.symbology == .itf, !(isInverted ? isOnInk : isOnPaper) { return false }
        // Blur hides some elements, and noise adds some.
        return Double(most) >= 0.85 * Double(elements)
    }
}

/// A place of a QR symbol whose modules were sampled and could not be decoded.
struct UnreadQR {
    /// The size of the picture in which it was.
    var level: Int
    /// The corners in pixels of that picture.
    var corners: Quadrilateral
    /// Modules along a side, about.
    var size: Double
    var isInverted: Bool
}

/// When a search may go on.
struct SearchBudget: Sendable {
    private let deadline: ContinuousClock.Instant?
    private let maximumCount: Int?
    private let isCancelled: (@Sendable () -> Bool)?

    init(_ options: DecodeOptions, isCancelled: (@Sendable () -> Bool)? = nil) {
        self.isCancelled = isCancelled
        deadline = options.timeBudget.map { ContinuousClock.now.advanced(by: $0) }
        maximumCount = options.maximumCount
    }

    /// Whether the search goes on with so many symbols read.
    func allows(_ count: Int) -> Bool {
        if let maximumCount, count >= maximumCount { return false }
        return !isEnded
    }

    /// Indicates that the search may end before it is complete, because of its time or a cancellation.
    var mayEnd: Bool { deadline != nil || isCancelled != nil }

    /// Indicates that there is no time left, or that the search was canceled.
    var isEnded: Bool { isTimeOver || isCancelled?() ?? false }

    private var isTimeOver: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }

    /// Whether the time is over, and more than so many symbols are wanted.
    func isOver(_ count: Int) -> Bool {
        if let maximumCount, count >= maximumCount { return false }
        return isTimeOver
    }
}
