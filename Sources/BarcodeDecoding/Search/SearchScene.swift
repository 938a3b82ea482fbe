internal import BarcodeCore
internal import SymbolLocator

/// A picture while it is searched: its sizes and what was seen in them, which all strategies share, and what was read.
struct SearchScene {
    /// The symbologies that are wanted of the strategy that runs.
    var formats: Set<Symbology> = []
    /// What has been read so far.
    var found = FoundSymbols()
    /// Regions of bars in which nothing was read, by the level and in pixels of the picture in which they were found.
    var unreadBars: [Int: [LinearRegion]] = [:]
    let trace: SearchTrace?
    private let budget: SearchBudget
    private var pyramid: ImagePyramid
    private var finders: [Int: QRLocator] = [:]

    /// Pixels of a picture of which each row is searched for finder patterns; in a larger one every other row, which
    /// still crosses the middle of a finder pattern of 1.3 pixels a module twice.
    private static let densePixels = 300_000

    init(_ image: LumaImage, budget: SearchBudget, trace: SearchTrace?) {
        pyramid = ImagePyramid(image)
        self.budget = budget
        self.trace = trace
    }

    /// The picture at 1/2^`level` of its size.
    mutating func image(atLevel level: Int) -> LumaImage { pyramid.image(atLevel: level) }

    /// The finder patterns of QR symbols in the picture at 1/2^`level` of its size, and the places that they make.
    mutating func finderPatterns(atLevel level: Int) -> QRLocator {
        if let known = finders[level] { return known }
        let picture = image(atLevel: level)
        let locator = QRLocator(picture, rowStep: picture.pixelCount > Self.densePixels ? 2 : 1)
        finders[level] = locator
        return locator
    }

    /// Whether a finder pattern was seen in any size; one that is damaged may hide the other two.
    var hasFinderPatterns: Bool { finders.values.contains { !$0.patterns.isEmpty } }

    /// Whether more symbols are wanted, and there is time to look for them.
    ///
    /// - Parameter more: symbols that were read and are not in ``found`` yet.
    func isWorthwhile(more: Int = 0) -> Bool { budget.allows(found.count + more) }
}

/// When a search may go on.
struct SearchBudget: Sendable {
    private let deadline: ContinuousClock.Instant?
    private let maximumCount: Int?

    init(_ options: DecodeOptions) {
        deadline = options.timeBudget.map { ContinuousClock.now.advanced(by: $0) }
        maximumCount = options.maximumCount
    }

    /// Whether the search goes on with so many symbols read.
    func allows(_ count: Int) -> Bool {
        if let maximumCount, count >= maximumCount { return false }
        if let deadline, ContinuousClock.now >= deadline { return false }
        return true
    }
}
