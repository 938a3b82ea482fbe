public import BarcodeCore

/// Reads linear symbols, EAN and UPC only where they are clear, out of brightness profiles across their bars: Code 128, Code 93, Code 39,
/// Codabar, Interleaved 2 of 5, Telepen and GS1 DataBar, limited, stacked and expanded too; and by choice some that have
/// little to tell them by.
///
/// Each profile is read on its own, as it is and sharpened in several degrees, in both directions. A symbol with a check
/// character counts once two readings agree on it, one without once several profiles do, and neither where another
/// reading of the place has much the same support.
public struct LinearReader: Sendable {
    /// What was read.
    public struct Answer: Sendable, Hashable {
        /// The symbology.
        public var symbology: Symbology
        /// The message.
        ///
        /// Code 128 may have bytes beyond ASCII, which are ISO 8859-1 by its standard.
        public var bytes: [UInt8]
        /// Where the symbol begins and ends in the profiles.
        public var range: Range<Double>
        /// Whether the symbol runs from the end of the profiles to their beginning.
        public var isReversed: Bool
        /// Whether the message begins with FNC1, which makes it GS1 element strings.
        public var isGS1: Bool
        /// Whether FNC1 stands behind a letter or two digits: an AIM application indicator.
        public var isAIM: Bool
        /// The modifier of the symbology identifier, of a symbology that has several.
        public var modifier: Int?
        /// What the symbol says of a composite component above it; nil where its symbology has no way to.
        package var linkage: CompositeLinkage?
        /// How many readings agreed.
        public var votes: Int
        /// The first and the last of the profiles that show a stacked symbol; `nil` for others.
        public var profiles: ClosedRange<Int>?
    }

    /// The symbologies that are read.
    public static let supportedSymbologies: Set<Symbology> = [
        .code128, .code93, .code39, .codabar, .itf, .dataBar, .dataBarLimited, .dataBarExpanded, .telepen,
        .code11, .msi, .industrial2of5, .iata2of5, .matrix2of5, .dataLogic2of5, .pharmacode,
    ]

    /// The degrees of sharpening, from none to what narrow bars at a blur of a module need.
    static let sharpenings = [
        EdgeFinder.Sharpening(reach: 0, strength: 0), EdgeFinder.Sharpening(reach: 1, strength: 1),
        EdgeFinder.Sharpening(reach: 1.7, strength: 2), EdgeFinder.Sharpening(reach: 3, strength: 2),
    ]
    /// Readings that must agree where a check character stands by them.
    private static let votes = 2
    /// Profiles that must agree where none does.
    private static let profilesWithoutCheck = 3
    /// Readings for each of another message in the same place.
    private static let rivalry = 3

    private let symbologies: Set<Symbology>
    let families: Set<DataBarPart.Family>
    private let twoOfFive: [TwoOfFive]
    let fewestEdges: Int
    let readsRetail: Bool

    /// A reader of some of ``supportedSymbologies``, and of EAN and UPC by ``readClear(_:)``; others are passed over.
    public init(symbologies: Set<Symbology>) {
        self.symbologies = symbologies.intersection(Self.supportedSymbologies)
        readsRetail = !symbologies.isDisjoint(with: Symbology.retail)
        var families: Set<DataBarPart.Family> = []
        if symbologies.contains(.dataBar) { families.insert(.dataBar) }
        if symbologies.contains(.dataBarExpanded) { families.insert(.expanded) }
        self.families = families
        twoOfFive = TwoOfFive.all.filter { symbologies.contains($0.symbology) }
        fewestEdges = symbologies.contains(.pharmacode) ? Pharmacode.fewestEdges : BarElements.fewestEdges
    }

    /// Reads the symbols across some profiles of the same place.
    ///
    /// - Parameter profiles: brightness, a value a pixel: the mean of all bands first, then the bands.
    /// - Returns: what the profiles agree on, in no order.
    public func read(_ profiles: [[Float]]) -> [Answer] {
        var lines = Lines(profiles)
        return read(&lines)
    }

    /// Some profiles of one place, and what has been read of them so far.
    public struct Lines: Sendable {
        private let finders: [EdgeFinder]
        /// Whether the profiles run so that text along them would be read from their end.
        fileprivate let isBackward: Bool
        fileprivate var tally = LineTally()
        fileprivate var parts = DataBarTally()
        fileprivate var sharpenings = LinearReader.sharpenings[...]

        /// Profiles as ``LinearReader/read(_:)-([[Float]])`` takes them.
        ///
        /// - Parameter isBackward: whether the profiles run from right to left, or from bottom to top, in the picture: what is
        ///   another message when it is turned around is read in the other direction.
        public init(_ profiles: [[Float]], isBackward: Bool = false) {
            finders = profiles.map(EdgeFinder.init)
            self.isBackward = isBackward
        }

        /// Values of a profile: bars that are narrower lose their contrast between two pixels.
        private static let narrowBar: Float = 2.2

        /// Whether the first profile shows bars so narrow that one with more values for each pixel may show more.
        public var hasNarrowBars: Bool {
            guard let line = finders.first?.elements(LinearReader.sharpenings[0]) else { return false }
            return line.widths.sorted()[line.widths.count / 4] < Self.narrowBar
        }

        /// The elements of each profile in the next degree of sharpening.
        fileprivate mutating func sharper(fewestEdges: Int) -> [(profile: Int, line: BarElements)] {
            guard let sharpening = sharpenings.popFirst() else { return [] }
            return finders.enumerated().compactMap { profile, finder in
                finder.elements(sharpening, fewestEdges: fewestEdges).map { (profile, $0) }
            }
        }
    }

    /// Reads on where ``readClear(_:)`` has ended.
    public func read(_ lines: inout Lines) -> [Answer] {
        guard !symbologies.isEmpty else { return [] }
        while true {
            let answers = answers(lines, profilesWithoutCheck: Self.profilesWithoutCheck)
            if !answers.isEmpty || lines.sharpenings.isEmpty { return answers }
            for (profile, line) in lines.sharper(fewestEdges: fewestEdges) { add(line, profile, to: &lines) }
        }
    }

    /// Profiles, of the mean and five bands, that must agree on an EAN or UPC, and on what has no check character.
    private static let clearProfiles = (retail: 3, withoutCheck: 5)

    /// Reads what is clear without any doubt, EAN and UPC too: as it is and hardly sharpened, in a fraction of the time
    /// that fitting takes.
    ///
    /// - Returns: what the profiles agree on; of EAN and UPC the symbologies are ``Symbology/ean13``, which a UPC-A is too,
    ///   ``Symbology/ean8`` and ``Symbology/upcE``, the bytes 13 or 8 digits.
    public func readClear(_ lines: inout Lines) -> [Answer] {
        var retail = LineTally()
        for _ in 0..<2 {
            let sharper = lines.sharper(fewestEdges: fewestEdges)
            if readsRetail {
                for (profile, line) in sharper {
                    for line in [line, line.reversed] {
                        for reading in RetailWidths.read(line) { retail.add(reading, profile: profile) }
                    }
                }
            }
            // A number that some profiles show and too few agree on is not clear, and neither is another symbol then.
            let numbers = retail.isEmpty ? [] : retail.unanimous(profiles: Self.clearProfiles.retail)
            guard numbers.isEmpty else { return numbers }
            for (profile, line) in sharper { add(line, profile, to: &lines) }
            guard retail.isEmpty else { continue }
            let answers = answers(lines, profilesWithoutCheck: Self.clearProfiles.withoutCheck)
            if !answers.isEmpty { return answers }
        }
        return []
    }

    private func add(_ line: BarElements, _ profile: Int, to lines: inout Lines) {
        for line in [line, line.reversed] {
            for reading in readings(line, isForward: line.isReversed == lines.isBackward) {
                lines.tally.add(reading, profile: profile)
            }
        }
        guard !families.isEmpty else { return }
        for part in DataBarPart.readBothWays(line, families: families) { lines.parts.add(part, line: profile) }
    }

    private func answers(_ lines: Lines, profilesWithoutCheck: Int) -> [Answer] {
        let answers = lines.tally.answers(
            votes: Self.votes, profilesWithoutCheck: profilesWithoutCheck, rivalry: Self.rivalry)
        return answers.isEmpty ? lines.parts.answers(votes: Self.votes).map(Answer.init) : answers
    }

    /// Reads a stacked DataBar symbol across profiles of its rows.
    ///
    /// - Parameter profiles: brightness, a value a pixel, from top to bottom, each of a band of which three
    ///   or more cover a row of the symbol.
    /// - Parameter isStack: whether a row that shows more than one part of a DataBar is that of another symbol, which has
    ///   both in one row.
    /// - Returns: what the profiles say together.
    public func readStacked(_ profiles: [[Float]], isStack: Bool = false) -> [Answer] {
        guard !families.isEmpty else { return [] }
        func parts(_ finder: EdgeFinder, _ sharpening: EdgeFinder.Sharpening) -> [DataBarPart] {
            finder.elements(sharpening).map { DataBarPart.readBothWays($0, families: families) } ?? []
        }
        // Most places are no DataBar: they show no part of one in every third profile.
        let glance = stride(from: 0, to: profiles.count, by: 3).map { EdgeFinder(profiles[$0]) }
        let isPromising = Self.sharpenings.prefix(2).contains { sharpening in
            glance.contains { !parts($0, sharpening).isEmpty }
        }
        guard isPromising else { return [] }
        let finders = profiles.map(EdgeFinder.init)
        var tally = DataBarTally()
        for sharpening in Self.sharpenings {
            for (line, finder) in finders.enumerated() {
                let parts = parts(finder, sharpening)
                if isStack, parts.count(where: { $0.name.family == .dataBar }) > 1 { continue }
                for part in parts { tally.add(part, line: line) }
            }
            let answers = tally.answers(votes: Self.votes)
            if !answers.isEmpty { return answers.map(Answer.init) }
        }
        return []
    }

    /// The symbology of a DataBar of which several of some rows show a part with both of its characters; `nil` for none.
    public func symbologyOfPart(_ rows: [[Float]]) -> Symbology? {
        guard !families.isEmpty else { return nil }
        var seen: Set<DataBarPart.Name> = []
        for row in rows {
            guard let line = EdgeFinder(row).elements(Self.sharpenings[0]) else { continue }
            for part in DataBarPart.readBothWays(line, families: families)
            where part.outer != nil && part.inner != nil && !seen.insert(part.name).inserted {
                return part.name.family == .dataBar ? .dataBar : .dataBarExpanded
            }
        }
        return nil
    }

    /// What a line says in all symbologies but those of DataBar that may stand in several rows.
    func readings(_ line: BarElements, isForward: Bool) -> [LineReading] {
        var result: [LineReading] = []
        if symbologies.contains(.code128) { result += Code128.read(line) }
        if symbologies.contains(.code93) { result += Code93.read(line) }
        // The bars of a symbol with check characters are those of no other.
        if result.contains(where: { $0.fillsMost(of: line) }) { return result }
        if symbologies.contains(.code39) { result += Code39.read(line) }
        if symbologies.contains(.codabar) { result += Codabar.read(line) }
        if symbologies.contains(.itf) { result += ITFDecoder.read(line) }
        if symbologies.contains(.dataBarLimited) { result += DataBarLimited.read(line) }
        if symbologies.contains(.telepen) { result += Telepen.read(line) }
        if symbologies.contains(.code11) { result += Code11.read(line) }
        if symbologies.contains(.msi) { result += MSI.read(line) }
        if isForward, symbologies.contains(.pharmacode) { result += Pharmacode.read(line) }
        for kind in twoOfFive { result += kind.read(line) }
        return result
    }
}

extension LinearReader.Answer {
    /// The answer that some lines agree on, at the place that most of them name.
    init(_ reading: LineReading, range: Range<Double>, votes: Int) {
        self.init(
            symbology: reading.symbology, bytes: reading.bytes, range: range, isReversed: reading.isReversed,
            isGS1: reading.isGS1, isAIM: reading.isAIM, modifier: reading.modifier, linkage: reading.linkage,
            votes: votes)
    }

    init(_ answer: DataBarTally.Answer) {
        self.init(
            symbology: answer.family == .dataBar ? .dataBar : .dataBarExpanded, bytes: answer.bytes,
            range: answer.range,
            isReversed: answer.isReversed, isGS1: false, isAIM: false, modifier: nil,
            linkage: answer.isLinked ? .micro : CompositeLinkage.none, votes: answer.votes, profiles: answer.lines)
    }
}
