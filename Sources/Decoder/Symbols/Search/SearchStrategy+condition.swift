internal import BarcodeCore

extension SearchStrategy {
    /// A condition under which a row of the schedule searches one size of a picture.
    enum Condition: Sendable {
        case always
        /// Rows of the same or less effort have read nothing.
        ///
        /// What rows of greater effort have read does not count: with less effort they would not have run, and what the
        /// row reads would then be missed by looking harder.
        case nothingRead
        /// The same, or what was read has modules that are hardly seen in the next smaller size: where one is so small,
        /// others are that were not seen there.
        case nothingReadOrSmallModules
        /// Nothing was read, and there is little contrast in the picture.
        case nothingReadAndLittleContrast
        /// Nothing was read, and no size of the picture shows two dark finder patterns of QR symbols.
        case nothingReadAndNoFinderPair
        /// A symbol of the row's symbologies was read: where one is, others are.
        case oneWasRead

        /// Indicates a last resort, which is left out once something has been read.
        var isLastResort: Bool {
            switch self {
            case .always, .oneWasRead: false
            case .nothingRead, .nothingReadOrSmallModules, .nothingReadAndLittleContrast, .nothingReadAndNoFinderPair:
                true
            }
        }
    }

    /// A reason for which a row is left out, as a sentence for people who read `--explain`.
    enum Obstacle: String {
        case symbolsRead = "symbols had been read, and it seldom reads more"
        case contrast = "the picture has contrast enough to find dark print"
        case finderPair = "finder patterns were seen in dark print"
        case noneRead = "no symbol of its kind had been read"
    }

    /// The reason for which the row is left out in one size of the picture, or `nil`.
    func obstacle(_ scene: inout SearchScene, atLevel level: Int) -> Obstacle? {
        if condition.isLastResort, scene.found.hasSymbols(upTo: effort),
            condition != .nothingReadOrSmallModules || !scene.hasSmallModules(atLevel: level + 1, upTo: effort)
        {
            return .symbolsRead
        }
        switch condition {
        case .always, .nothingRead, .nothingReadOrSmallModules: return nil
        case .nothingReadAndLittleContrast: return scene.hasLittleContrast(atLevel: level) ? nil : .contrast
        case .nothingReadAndNoFinderPair: return scene.hasFinderPair ? .finderPair : nil
        case .oneWasRead:
            return scene.found.contains { symbologies.contains($0.symbology) } ? nil : .noneRead
        }
    }
}
