internal import BarcodeCore
internal import SymbolLocator

/// The search through one picture: walks the strategies, keeps to the budget and gathers what they read.
struct SymbolSearch {
    private let options: DecodeOptions
    private let strategies: [SearchStrategy]
    private let levels: PyramidLevels
    private let trace: SearchTrace?
    private var scene: SearchScene
    /// The reason for which the search ended; `complete` before it runs.
    private(set) var end = SearchEnd.complete

    init(
        image: LumaImage, options: DecodeOptions, strategies: [SearchStrategy]? = nil,
        trace: SearchTrace? = nil, isCancelled: (@Sendable () -> Bool)? = nil
    ) {
        self.options = options
        self.strategies =
            strategies.map { SearchStrategy.chosen($0, for: options.symbologies) }
            ?? SearchStrategy.all(for: options.symbologies)
        self.trace = trace
        levels = PyramidLevels(width: image.width, height: image.height)
        scene = SearchScene(
            image, wanted: options.symbologies, budget: SearchBudget(options, isCancelled: isCancelled), trace: trace)
    }

    /// A search of another picture within the same budget.
    private init(image: LumaImage, symbologies: Set<Symbology>, options: DecodeOptions, budget: SearchBudget) {
        self.options = options
        strategies = SearchStrategy.all(for: symbologies)
        trace = nil
        levels = PyramidLevels(width: image.width, height: image.height)
        scene = SearchScene(image, wanted: symbologies, budget: budget, trace: nil)
    }

    /// What has been read, from top to bottom, and from left to right in a row.
    var symbols: [Symbol] {
        let sorted = scene.found.inReadingOrder
        return Array(sorted.prefix(max(0, options.maximumCount ?? sorted.count)))
    }

    /// One size of the picture that one method has searched.
    private struct Pass: Hashable {
        var method: String
        var level: Int
    }

    mutating func run() throws(DecodeError) {
        let budget = scene.budget
        guard budget.mayEnd else { return try runAll() }
        try SearchTime.limited(by: { budget.isEnded }) { () throws(DecodeError) in try runAll() }
    }

    private mutating func runAll() throws(DecodeError) {
        try runPasses()
        if end == .complete, scene.found.count == 0, options.effort >= .normal { try runWithMargin() }
    }

    /// Pixels of the largest picture that is searched with a margin: of only a symbol, not of a photographed sheet.
    private static let marginPixels = 1_500_000
    /// The symbologies that are read where a symbol fills the picture and has no quiet zone: those of which a part that is
    /// cut off at the edge of a picture cannot be another message.
    private static let marginSymbologies: Set<Symbology> = Set(
        Symbology.standard.filter { $0.traits.family != .linear } + [.dataBar, .dataBarLimited, .dataBarExpanded])

    /// Searches the picture once more with paper around it, if a symbol may fill it.
    private mutating func runWithMargin() throws(DecodeError) {
        let image = scene.image(atLevel: 0)
        let symbologies = options.symbologies.intersection(Self.marginSymbologies)
        guard !symbologies.isEmpty, image.width * image.height <= Self.marginPixels,
            scene.binaryImage(atLevel: 0).hasInkAlongSide
        else { return }
        trace?(.note("A line of ink runs along a side of the picture: it is searched again with paper around it."))
        let margin = min(image.width, image.height) / 4 + 8
        let paper = image.withUnsafePixels { $0.max() ?? 255 }
        var search = SymbolSearch(
            image: image.padded(by: margin, brightness: paper), symbologies: symbologies,
            options: options, budget: scene.budget)
        try search.runPasses()
        end = search.end
        for var symbol in search.scene.found.symbols {
            symbol.corners = symbol.corners.moved(right: Double(-margin), down: Double(-margin))
            scene.found.add(symbol)
        }
    }

    private mutating func runPasses() throws(DecodeError) {
        var done: Set<Pass> = []
        for strategy in strategies where strategy.effort <= options.effort {
            scene.symbologies = strategy.symbologies
            for level in strategy.levels(levels) {
                let pass = Pass(method: strategy.method.name, level: level)
                guard !done.contains(pass) else { continue }
                if strategy.isLastResort, scene.found.hasSymbols(upTo: strategy.effort),
                    !(strategy.findsSmallModules && scene.hasSmallModules(atLevel: level + 1, upTo: strategy.effort))
                {
                    end = .symbolsRead
                    trace?(.leftOut(strategy.title, reason: "symbols had been read, and it seldom reads more"))
                    continue
                }
                guard scene.isWorthwhile() else {
                    end = scene.isOutOfTime ? .timeBudget : .maximumCount
                    trace?(
                        .note(
                            scene.isOutOfTime
                                ? "The search ended here: the time budget was used up."
                                : "The search ended here: as many symbols as were asked for were read."))
                    return
                }
                trace?(.pass(strategy.title, level: level))
                scene.found.effort = strategy.effort
                try strategy.method.search(&scene, level)
                done.insert(pass)
            }
        }
    }
}
