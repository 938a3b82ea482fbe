package import BarcodeCore

/// The search through one image: runs the strategies within the budget and collects their symbols.
package struct SymbolSearch {
    private let options: DecodeOptions
    private let strategies: [SearchStrategy]
    private let levels: PyramidLevels
    private let trace: SearchTrace?
    private let image: LumaImage
    private var state: SearchState
    /// The reason for the end of the search; `complete` before it runs.
    package private(set) var end = SearchEnd.complete

    package init(
        image: LumaImage, options: DecodeOptions, trace: SearchTrace? = nil, isCancelled: (@Sendable () -> Bool)? = nil
    ) {
        self.init(
            image: image, options: options, budget: SearchBudget(options, isCancelled: isCancelled),
            trace: trace)
    }

    init(
        image: LumaImage, options: DecodeOptions, strategies: [SearchStrategy]? = nil, budget: SearchBudget?,
        trace: SearchTrace? = nil
    ) {
        self.image = image
        self.options = options
        self.strategies =
            strategies.map { SearchStrategy.chosen($0, for: options.symbologies) }
            ?? SearchStrategy.all(for: options.symbologies)
        self.trace = trace
        levels = PyramidLevels(width: image.width, height: image.height)
        state = SearchState(
            image, options: options, budget: budget ?? SearchBudget(options), trace: trace)
    }

    /// The symbols found, from top to bottom, and from left to right in a row; measured when they are asked for.
    package var symbols: [Symbol] {
        let sorted = state.found.inReadingOrder
        return sorted.prefix(max(0, options.maximumCount ?? sorted.count)).map { $0.measured(in: image) }
    }

    /// The symbols that were located but not read, from top to bottom; measured when they are asked for.
    package mutating func unreadSymbols() -> [UnreadSymbol] { state.unreadSymbols() }

    /// A pyramid level that a method has searched.
    private struct Pass: Hashable {
        var method: String
        var level: Int
        var threshold: BinaryImage.Threshold
    }

    package mutating func run() throws(DecodeError) {
        let budget = state.budget
        if budget.mayEnd {
            try SearchTime.limited(by: { budget.isEnded }) { () throws(DecodeError) in
                try runAll()
                state.found.joinParts(in: image)
            }
        } else {
            try runAll()
            state.found.joinParts(in: image)
        }
        removeParts()
    }

    /// Removes the symbols that are only a part of one; those of an ITF are reported as unread.
    private mutating func removeParts() {
        state.found.removeReflections()
        for symbol in state.found.removePartsOfITF(in: image) {
            state.unread.add(
                UnreadPlaces.Place(
                    kind: .linear, corners: symbol.corners, module: ITFDecoder.narrowElement(of: symbol), rank: 0))
            trace?(
                .note(
                    "itf \(symbol.text) is not reported: there are bars beyond its end, so it may be a part of a longer "
                        + "symbol that something covers."))
        }
    }

    private mutating func runAll() throws(DecodeError) {
        var done: Set<Pass> = []
        for strategy in strategies where strategy.effort <= options.effort {
            state.symbologies = strategy.symbologies
            state.threshold = strategy.threshold
            for level in strategy.sizes.levels(levels) {
                let pass = Pass(method: strategy.method.name, level: level, threshold: strategy.threshold)
                guard strategy.method.isRepeated || !done.contains(pass) else { continue }
                if let obstacle = strategy.obstacle(&state, atLevel: level) {
                    if obstacle == .symbolsRead { end = .symbolsRead }
                    trace?(.leftOut(strategy.title, reason: obstacle.rawValue))
                    continue
                }
                guard state.isWorthwhile() else { return noteEnd() }
                let size = PixelSize(width: image.width, height: image.height)
                trace?(.pass(strategy.title, level: level, size: size))
                state.found.effort = strategy.effort
                try strategy.method.search(&state, level)
                done.insert(pass)
            }
        }
        if state.isOutOfTime { noteEnd() }
    }

    private mutating func noteEnd() {
        end = state.isOutOfTime ? .timeBudget : .maximumCount
        trace?(
            .note(
                state.isOutOfTime
                    ? "The search ended here: the time budget ran out."
                    : "The search ended here: the requested number of symbols was read."))
    }
}
