internal import BarcodeCore

extension SearchStrategy {
    /// A condition for a row of the schedule to search a pyramid level.
    enum Condition: Sendable {
        case always
        /// True if rows of the same or less effort have found no symbol.
        ///
        /// Symbols found by rows of greater effort do not count: with less effort these rows would not have run, and
        /// a greater effort would miss the symbols of this row.
        case nothingRead
        /// The same, or a symbol has modules that are hardly visible in the next smaller level; others of its size
        /// may be missed there.
        case nothingReadOrSmallModules
        /// True if a symbol has modules that are hardly visible in the next smaller level, because others of its size
        /// may be missed there.
        case smallModules
        /// True if no symbol was found and the image has low contrast.
        case nothingReadAndLittleContrast
        /// True if no symbol was found and the image may have shaded paper beside lit paper.
        case nothingReadAndShadow
        /// True if a symbol of the row's symbologies was found, and the image may have shaded paper beside lit paper.
        case oneWasReadAndShadow
        /// True if no symbol was found and no level has two dark finder patterns of QR Codes.
        case nothingReadAndNoFinderPair
        /// True if a symbol of the row's symbologies was found, because there may be others.
        case oneWasRead
        /// The same, and it is light on dark.
        case oneLightWasRead
        /// True if a symbol of the row's symbologies was found, or any symbol and two finder patterns that may belong to
        /// one QR Code.
        case oneWasReadOrFinderPair

        /// True for a last resort, which is skipped once a symbol is found.
        var isLastResort: Bool {
            switch self {
            case .always, .oneWasRead, .oneWasReadAndShadow, .oneLightWasRead, .oneWasReadOrFinderPair, .smallModules:
                false
            case .nothingRead, .nothingReadOrSmallModules, .nothingReadAndLittleContrast,
                .nothingReadAndShadow, .nothingReadAndNoFinderPair:
                true
            }
        }
    }

    /// A reason to skip a row, as a sentence for readers of `--explain`.
    enum Obstacle: String {
        case symbolsRead = "symbols were read before, and this pass seldom reads more"
        case contrast = "the picture has enough contrast to find dark print"
        case finderPair = "finder patterns were found in dark print"
        case noShadow = "no part of the picture looks like paper at the edge of a shadow"
        case noneRead = "no symbol of this kind was read before"
        case noneOrNoPair = "no symbol of this kind was read before, and no pair of its finder patterns found"
        case noneLight = "no light symbol of this kind was read before"
        case largeModules = "no symbol that was read has modules too small for a smaller size"
    }

    private func wasOneRead(_ state: SearchState, where isMeant: (Symbol) -> Bool = { _ in true }) -> Bool {
        state.found.contains { symbologies.contains($0.symbology) && isMeant($0) }
    }

    /// Returns the reason to skip the row in a pyramid level; `nil` if there is none.
    func obstacle(_ state: inout SearchState, atLevel level: Int) -> Obstacle? {
        if condition.isLastResort, state.found.hasSymbols(upTo: effort),
            condition != .nothingReadOrSmallModules || !state.hasSmallModules(atLevel: level + 1, upTo: effort)
        {
            return .symbolsRead
        }
        switch condition {
        case .always, .nothingRead, .nothingReadOrSmallModules: return nil
        case .smallModules: return state.hasSmallModules(atLevel: level + 1, upTo: effort) ? nil : .largeModules
        case .nothingReadAndLittleContrast: return state.hasLittleContrast(atLevel: level) ? nil : .contrast
        case .nothingReadAndNoFinderPair: return state.hasFinderPair ? .finderPair : nil
        case .nothingReadAndShadow: return state.hasShadowEdge(atLevel: level) ? nil : .noShadow
        case .oneWasRead: return wasOneRead(state) ? nil : .noneRead
        case .oneWasReadOrFinderPair:
            return wasOneRead(state) || state.found.count > 0 && state.hasFreeFinderPair ? nil : .noneOrNoPair
        case .oneLightWasRead: return wasOneRead(state, where: \.isInverted) ? nil : .noneLight
        case .oneWasReadAndShadow:
            return wasOneRead(state) ? state.hasShadowEdge(atLevel: level) ? nil : .noShadow : .noneRead
        }
    }
}
