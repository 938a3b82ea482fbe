internal import BarcodeCore

/// The symbols of a picture as they are read: merges readings of one symbol, and decides between rivals.
struct FoundSymbols {
    private struct Entry {
        var symbol: Symbol
        /// The effort of the strategy that read it.
        var effort: DecodeOptions.Effort
        /// What the symbol says of a composite component above it; nil where that is unknown.
        var linkage: CompositeLinkage?
        /// Indicates whether its bars were read row by row, so that its outline is known and nothing else outweighs it.
        var isSeen = false

        /// Whether the symbol may give way to what is read with an effort.
        ///
        /// `thorough` searches on where `normal` has ended, with readings that are less sure: it adds, and replaces
        /// nothing.
        func isOpen(to effort: DecodeOptions.Effort) -> Bool {
            !isSeen && (effort < .thorough || self.effort == .thorough)
        }
    }

    /// The effort of the strategy that reads now.
    var effort = DecodeOptions.Effort.fast
    private var entries: [Entry] = []

    var count: Int { entries.count }
    var symbols: [Symbol] { entries.map(\.symbol) }
    /// The symbols above which a composite component may stand that was not read, with what they say of it.
    var incomplete: [(symbol: Symbol, linkage: CompositeLinkage?)] {
        entries.filter { $0.symbol.composite == nil && $0.linkage != CompositeLinkage.none }.map {
            ($0.symbol, $0.linkage)
        }
    }

    /// The places of the linear symbols that were read row by row.
    var seenPlaces: [Quadrilateral] { entries.filter(\.isSeen).map(\.symbol.corners) }
    /// The other symbols.
    var unseen: [Symbol] { entries.filter { !$0.isSeen }.map(\.symbol) }

    /// Whether any symbol is as asked, without a copy of all.
    func contains(where isMeant: (Symbol) -> Bool) -> Bool { entries.contains { isMeant($0.symbol) } }

    /// Whether a symbol of a symbology has been read where a point of the full picture lies.
    func hasSymbol(of symbology: Symbology, at point: Point) -> Bool {
        contains { $0.symbology == symbology && $0.corners.contains(point) }
    }

    /// Whether a matrix symbol has been read where a point of the full picture lies.
    func hasMatrixSymbol(at point: Point) -> Bool {
        contains { $0.symbology.traits.family == .matrix && $0.corners.contains(point) }
    }

    /// The places in which there is nothing else, and whether the paper there is dark: of symbols with error correction, a
    /// module wider on each side, and of linear symbols whose bars were read row by row.
    var clearedPlaces: [(place: Quadrilateral, isDark: Bool)] {
        entries.compactMap { entry in
            let place = entry.isSeen ? entry.symbol.corners : entry.symbol.clearedPlace
            return place.map { ($0, entry.symbol.isInverted) }
        }
    }

    /// Whether strategies of no more than an effort have read anything.
    func hasSymbols(upTo effort: DecodeOptions.Effort) -> Bool { entries.contains { $0.effort <= effort } }

    /// Pixels a module of the smallest symbol that strategies of no more than an effort have read, in the full picture, of
    /// symbols whose modules are counted: matrix symbols, EAN and UPC.
    func smallestModule(upTo effort: DecodeOptions.Effort) -> Double? {
        entries.filter { $0.effort <= effort }.compactMap { entry in
            let symbol = entry.symbol
            let columns = symbol.modules?.columns ?? symbol.symbology.traits.retailBars?.modules
            return columns.map { symbol.corners.topLeft.distance(to: symbol.corners.topRight) / Double(max(1, $0)) }
        }.min()
    }

    /// Adds a reading: the same symbol gains its agreement, a rival in the same place gives way to the better one.
    mutating func add(_ symbol: Symbol) {
        if let index = entries.firstIndex(where: { $0.symbol.isSameSymbol(as: symbol) }) {
            entries[index].symbol.weight += symbol.weight
        } else if let index = entries.firstIndex(where: { $0.symbol.contradicts(symbol) }) {
            // One place holds one number: of two readings that both pass their check digit, the one that more scan
            // lines agree on.
            if symbol.weight > entries[index].symbol.weight, entries[index].isOpen(to: effort) {
                entries[index].symbol = symbol
            }
        } else if !isRivalOfLesserEffort(symbol) {
            entries.append(Entry(symbol: symbol, effort: effort))
        }
    }

    /// Adds what was read from all the rows of its bars, which outweighs what some scan lines made of the same place.
    ///
    /// - Parameter linkage: what it says of a composite component; nil where that is unknown.
    mutating func addMeasured(_ symbol: Symbol, linkage: CompositeLinkage? = nil) {
        if let index = entries.firstIndex(where: { $0.symbol.isSameSymbol(as: symbol) }) {
            entries[index].symbol.corners = symbol.corners
            entries[index].symbol.orientation = symbol.orientation
        }
        let effort = effort
        entries.removeAll { entry in
            // A slanted scan line reads a part of an ITF, which has no mark of its ends.
            entry.isOpen(to: effort)
                && (entry.symbol.isPart(of: symbol) || entry.symbol.contradicts(symbol)
                    || entry.symbol.isOtherMessage(than: symbol))
        }
        add(symbol)
        if let linkage, let index = entries.firstIndex(where: { $0.symbol.isSameSymbol(as: symbol) }) {
            entries[index].linkage = linkage
        }
    }

    /// Adds a symbol whose bars were read row by row.
    ///
    /// - Parameter linkage: what it says of a composite component; nil where that is unknown.
    mutating func addSeen(_ symbol: Symbol, linkage: CompositeLinkage? = nil) {
        addMeasured(symbol, linkage: linkage)
        if let index = entries.firstIndex(where: { $0.symbol.isSameSymbol(as: symbol) }) {
            entries[index].isSeen = true
        }
    }

    /// Gives a known EAN or UPC symbol the digits of the add-on that stands beside it.
    mutating func extend(_ known: Symbol, byAddOn digits: String) {
        guard let index = entries.firstIndex(where: { $0.symbol == known }) else { return }
        entries[index].symbol = known.extended(byAddOn: digits)
    }

    /// Gives a known symbol the composite component that stands above it.
    mutating func extend(_ known: Symbol, by component: CompositeComponent) {
        guard let index = entries.firstIndex(where: { $0.symbol == known }) else { return }
        entries[index].symbol.composite = component
    }

    /// Gives a known symbol the corners that were measured for it.
    mutating func place(_ known: Symbol, at corners: Quadrilateral) {
        guard let index = entries.firstIndex(where: { $0.symbol == known }) else { return }
        entries[index].symbol.corners = corners
        entries[index].symbol.orientation = corners.orientation
    }

    /// Whether a less sure reading differs from what was read in its place before.
    private func isRivalOfLesserEffort(_ symbol: Symbol) -> Bool {
        entries.contains {
            (effort == .thorough || $0.isSeen)
                && ($0.symbol.isOtherMessage(than: symbol) || symbol.isPart(of: $0.symbol))
        }
    }

    /// The symbols from top to bottom, and from left to right in a row.
    var inReadingOrder: [Symbol] {
        var rows: [[Symbol]] = []
        for symbol in symbols.sorted(by: { $0.corners.center.y < $1.corners.center.y }) {
            // Side by side: the centre is not below the first one's lower quarter.
            if let first = rows.last?.first,
                symbol.corners.center.y < first.corners.center.y + first.corners.boundingBox.height / 4
            {
                rows[rows.count - 1].append(symbol)
            } else {
                rows.append([symbol])
            }
        }
        return rows.flatMap { $0.sorted { $0.corners.center.x < $1.corners.center.x } }
    }
}
