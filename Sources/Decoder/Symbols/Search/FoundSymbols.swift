internal import BarcodeCore

/// The symbols found in an image so far: merges readings of one symbol, and resolves contradictions.
struct FoundSymbols {
    private struct Entry {
        var symbol: Symbol
        /// The effort of the strategy that decoded it.
        var effort: DecodeOptions.Effort
        /// The composite component that the symbol announces; `nil` if unknown.
        var linkage: CompositeLinkage?
        /// True if its bars were read row by row: its outline is known, and no other reading replaces it.
        var isSeen = false

        /// Indicates whether a reading of another strategy may replace the symbol.
        ///
        /// `thorough` continues after `normal` with less reliable readings: it only adds symbols, and replaces none.
        func isOpen(to effort: DecodeOptions.Effort) -> Bool {
            !isSeen && (effort < .thorough || self.effort == .thorough)
        }
    }

    /// The effort of the current strategy.
    var effort = DecodeOptions.Effort.fast
    private var entries: [Entry] = []

    var count: Int { entries.count }
    var symbols: [Symbol] { entries.map(\.symbol) }
    /// The symbols that may have an undecoded composite component, with the component that they announce.
    var incomplete: [(symbol: Symbol, linkage: CompositeLinkage?)] {
        entries.filter { $0.symbol.composite == nil && $0.linkage != CompositeLinkage.none }.map {
            ($0.symbol, $0.linkage)
        }
    }

    /// The outlines of the linear symbols that were read row by row.
    var seenOutlines: [Quadrilateral] { entries.filter(\.isSeen).map(\.symbol.corners) }
    /// The other symbols.
    var unseen: [Symbol] { entries.filter { !$0.isSeen }.map(\.symbol) }

    /// Indicates whether any symbol satisfies a predicate, without a copy of all symbols.
    func contains(where isMeant: (Symbol) -> Bool) -> Bool { entries.contains { isMeant($0.symbol) } }

    /// Indicates whether a symbol of a symbology contains a point of the full image.
    func hasSymbol(of symbology: Symbology, at point: Point) -> Bool {
        contains { $0.symbology == symbology && $0.corners.contains(point) }
    }

    /// Indicates whether a matrix symbol contains a point of the full image.
    func hasMatrixSymbol(at point: Point) -> Bool {
        contains { $0.symbology.traits.family == .matrix && $0.corners.contains(point) }
    }

    /// The outlines that contain no other symbol, and true if their paper is dark: symbols with error correction,
    /// with a margin, and linear symbols read row by row.
    var clearedOutlines: [(outline: Quadrilateral, isDark: Bool)] {
        entries.compactMap { entry in
            let outline = entry.isSeen ? entry.symbol.corners : entry.symbol.clearedOutline
            return outline.map { ($0, entry.symbol.isInverted) }
        }
    }

    /// Indicates whether strategies of at most an effort have found any symbol.
    func hasSymbols(upTo effort: DecodeOptions.Effort) -> Bool { entries.contains { $0.effort <= effort } }

    /// Returns the smallest module size in pixels of the full image, among symbols with a known number of modules
    /// (matrix symbols, EAN and UPC) found with at most an effort.
    func smallestModule(upTo effort: DecodeOptions.Effort) -> Double? {
        entries.filter { $0.effort <= effort }.compactMap { entry in
            let symbol = entry.symbol
            let columns = symbol.modules?.columns ?? symbol.symbology.traits.retailBars?.modules
            return columns.map { symbol.corners.topLeft.distance(to: symbol.corners.topRight) / Double(max(1, $0)) }
        }.min()
    }

    /// Adds a reading: adds its votes to the same symbol, or keeps the better one of two contradicting readings at
    /// one location.
    mutating func add(_ symbol: Symbol) {
        if let index = entries.firstIndex(where: { $0.symbol.isSameSymbol(as: symbol) }) {
            entries[index].symbol.weight += symbol.weight
            entries[index].symbol.modulesAcross = entries[index].symbol.modulesAcross ?? symbol.modulesAcross
        } else if let index = entries.firstIndex(where: { $0.symbol.contradicts(symbol) }) {
            // One location has one number: of two readings with a valid check digit, keep the one with more scan
            // lines.
            if symbol.weight > entries[index].symbol.weight, entries[index].isOpen(to: effort) {
                entries[index].symbol = symbol
            }
        } else if !isRivalOfLesserEffort(symbol) {
            entries.append(Entry(symbol: symbol, effort: effort))
        }
    }

    /// Adds a reading from all rows of the bars, which outweighs readings from some scan lines at the same location.
    ///
    /// - Parameter linkage: the composite component that it announces; `nil` if unknown.
    mutating func addMeasured(_ symbol: Symbol, linkage: CompositeLinkage? = nil) {
        if let index = entries.firstIndex(where: { $0.symbol.isSameSymbol(as: symbol) }) {
            entries[index].symbol.corners = symbol.corners
            entries[index].symbol.orientation = symbol.orientation
        }
        let effort = effort
        entries.removeAll { entry in
            // A slanted scan line may read part of an ITF, which has no distinct ends.
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
    /// - Parameter linkage: the composite component that it announces; `nil` if unknown.
    mutating func addSeen(_ symbol: Symbol, linkage: CompositeLinkage? = nil) {
        addMeasured(symbol, linkage: linkage)
        if let index = entries.firstIndex(where: { $0.symbol.isSameSymbol(as: symbol) }) {
            entries[index].isSeen = true
        }
    }

    /// Adds the digits of an add-on to a known EAN or UPC symbol.
    mutating func extend(_ known: Symbol, byAddOn digits: String) {
        guard let index = entries.firstIndex(where: { $0.symbol == known }) else { return }
        entries[index].symbol = known.extended(byAddOn: digits)
    }

    /// Adds a composite component to a known symbol.
    mutating func extend(_ known: Symbol, by component: CompositeComponent) {
        guard let index = entries.firstIndex(where: { $0.symbol == known }) else { return }
        entries[index].symbol.composite = component
    }

    /// Sets the measured corners of a known symbol.
    mutating func setCorners(_ corners: Quadrilateral, of known: Symbol) {
        guard let index = entries.firstIndex(where: { $0.symbol == known }) else { return }
        entries[index].symbol.corners = corners
        entries[index].symbol.orientation = corners.orientation
    }

    /// Indicates whether a less reliable reading differs from an earlier one at its location.
    private func isRivalOfLesserEffort(_ symbol: Symbol) -> Bool {
        entries.contains {
            (effort == .thorough || $0.isSeen)
                && ($0.symbol.isOtherMessage(than: symbol) || symbol.isPart(of: $0.symbol))
        }
    }

    /// Joins readings of one linear symbol that were made above and below rows that cannot be read, as long as there is
    /// time.
    mutating func joinParts(in image: LumaImage) {
        var index = 0
        while index < entries.count, !SearchTime.isOver {
            let symbol = entries[index].symbol
            var corners: Quadrilateral?
            let other = entries[(index + 1)...].firstIndex { entry in
                guard symbol.symbology.traits.family == .linear, symbol.symbology == entry.symbol.symbology,
                    symbol.bytes == entry.symbol.bytes, !SearchTime.isOver
                else { return false }
                corners = ContinuousBars.joined(symbol.corners, entry.symbol.corners, in: image)
                return corners != nil
            }
            guard let other, let corners else {
                index += 1
                continue
            }
            let part = entries.remove(at: other).symbol
            entries[index].symbol.weight += part.weight
            entries[index].symbol.corners = corners
            entries[index].symbol.orientation = corners.orientation
            entries[index].symbol.composite = symbol.composite ?? part.composite
        }
    }

    /// Removes the ITF symbols beyond whose ends there are bars of no other symbol, and returns them.
    ///
    /// Something covers a part of them, or another symbol beside them was not read. Only the finished search knows
    /// all symbols.
    mutating func removePartsOfITF(in image: LumaImage) -> [Symbol] {
        var removed: [Symbol] = []
        for symbol in symbols where symbol.symbology == .itf {
            let narrow = ITFDecoder.narrowElement(of: symbol)
            let bars = BarsBeyond.places(symbol.corners, narrow: narrow, isInverted: symbol.isInverted, in: image)
            let isPart = bars.contains { points in
                !contains { other in
                    let outline = other.corners.enlarged(by: 2 * narrow)
                    return other != symbol && points.contains { outline.contains($0) }
                }
            }
            if isPart { removed.append(symbol) }
        }
        entries.removeAll { removed.contains($0.symbol) }
        return removed
    }

    /// Removes light bars that belong to a dark symbol: on metal, a reflection makes a part of the bars light.
    mutating func removeReflections() {
        let dark = symbols.filter { !$0.isInverted && $0.symbology.traits.family == .linear }
        entries.removeAll { entry in
            let light = entry.symbol
            guard light.isInverted else { return false }
            return dark.contains { dark in
                light.symbology == dark.symbology && dark.bytes.starts(with: light.bytes)
                    && light.corners.center.distance(to: dark.corners.center)
                        < dark.corners.topLeft.distance(to: dark.corners.topRight)
            }
        }
    }

    /// The symbols from top to bottom, and from left to right in a row.
    var inReadingOrder: [Symbol] {
        var rows: [[Symbol]] = []
        for symbol in symbols.sorted(by: { $0.corners.center.y < $1.corners.center.y }) {
            // In the same row if the center is not below the lower quarter of the first symbol.
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
