public import BarcodeCore

/// Reads linear symbols from brightness profiles across their bars: Code 128, Code 93, Code 39, Codabar, Interleaved
/// 2 of 5, Telepen, GS1 DataBar (also limited, stacked and expanded), clear EAN and UPC, and, only if requested
/// explicitly, some symbologies with few distinguishing features.
///
/// Each profile is read separately, as it is and with several degrees of sharpening, in both directions. A symbol
/// with a check character is accepted if two readings agree, one without if several profiles agree, and neither if
/// another reading at the same location has similar support.
public struct LinearReader: Sendable {
    /// A decoded symbol.
    public struct Answer: Sendable, Hashable {
        /// The symbology.
        public var symbology: Symbology
        /// The message.
        ///
        /// Code 128 may have bytes beyond ASCII, which are ISO 8859-1 by its standard.
        public var bytes: [UInt8]
        /// The range of the symbol in the profiles, in samples.
        public var range: Range<Double>
        /// True if the symbol runs from the end of the profiles to their beginning.
        public var isReversed: Bool
        /// True if the message begins with FNC1 and is therefore GS1 element strings.
        public var isGS1: Bool
        /// True if FNC1 follows an initial letter or two digits: an AIM application indicator.
        public var isAIM: Bool
        /// True if the symbol sets up the reader (FNC3 of Code 128).
        public var isReaderProgramming = false
        /// The modifier of the symbology identifier; `nil` if the symbology has only one.
        public var modifier: Int?
        /// The composite component above the symbol that it announces; `nil` if its symbology cannot announce one.
        package var linkage: CompositeLinkage?
        /// The number of readings that agree.
        public var votes: Int
        /// The first and last profile that show a stacked symbol; `nil` for others.
        public var profiles: ClosedRange<Int>?
        /// The width of the symbol in modules; `nil` if unknown.
        public var modules: Int?
    }

    /// The supported symbologies.
    public static let supportedSymbologies: Set<Symbology> = [
        .code128, .code93, .code39, .codabar, .itf, .dataBar, .dataBarLimited, .dataBarExpanded, .telepen,
        .code11, .msi, .industrial2of5, .iata2of5, .matrix2of5, .dataLogic2of5, .pharmacode,
    ]

    /// The degrees of sharpening, from none to that for narrow bars with a blur of one module.
    static let sharpenings = [
        EdgeFinder.Sharpening(reach: 0, strength: 0), EdgeFinder.Sharpening(reach: 1, strength: 1),
        EdgeFinder.Sharpening(reach: 1.7, strength: 2), EdgeFinder.Sharpening(reach: 3, strength: 2),
    ]
    /// The preparations of a profile: the same, then without small extremes, which are the dots of a dithered picture
    /// or the halo that a camera's sharpening leaves beside an edge.
    private static let preparations = sharpenings + [EdgeFinder.Sharpening(reach: 0, strength: 0, swing: 0.3)]
    /// The degrees of sharpening in which an edge lies halfway between its own extremes, for narrow bars between
    /// narrow spaces.
    static let localSharpenings = [
        EdgeFinder.Sharpening(reach: 0, strength: 0, isLocal: true),
        EdgeFinder.Sharpening(reach: 1, strength: 1, isLocal: true),
    ]
    /// The preparations of the mean of many rows in which narrow bars are broken: a bar that most rows lack differs
    /// from the paper by little, but by more than the noise of the mean.
    private static let brokenBarPreparations = [0.06, 0.03, 0.012].map {
        EdgeFinder.Sharpening(reach: 0, strength: 0, swing: $0, isLocal: true)
    }
    /// The number of digits of an Interleaved 2 of 5 that needs no other profile than the mean: five elements are a
    /// digit by chance in a third of the cases, fourteen times five in one of ten million.
    private static let fewestDigitsOfMean = 14
    /// The number of readings that must agree if there is a check character.
    private static let votes = 2
    /// The number of profiles that must agree if there is none.
    private static let profilesWithoutCheck = 3
    /// The smallest ratio of the votes of a reading to those of another message at the same location.
    private static let rivalry = 3

    private let symbologies: Set<Symbology>
    let families: Set<DataBarPart.Family>
    private let twoOfFive: [TwoOfFive]
    let fewestEdges: Int
    let readsRetail: Bool

    /// Creates a reader of some of ``supportedSymbologies``, and of EAN and UPC by ``readClear(_:)``; ignores
    /// others.
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

    /// Reads the symbols from several profiles of the same region.
    ///
    /// - Parameter profiles: the brightness, one sample a pixel: the mean of all bands first, then the bands.
    /// - Returns: the readings on which the profiles agree, in no particular order.
    public func read(_ profiles: [[Float]]) -> [Answer] {
        var lines = Lines(profiles)
        return read(&lines)
    }

    /// The profiles of a region and the readings from them so far.
    public struct Lines: Sendable {
        private let finders: [EdgeFinder]
        private let profiles: [[Float]]
        /// True if text along the profiles would be read from their end.
        fileprivate let isBackward: Bool
        fileprivate var tally = LineTally()
        fileprivate var parts = DataBarTally()
        fileprivate var preparations = LinearReader.preparations[...]

        /// Creates lines from profiles, as in ``LinearReader/read(_:)-([[Float]])``.
        ///
        /// - Parameter isBackward: true if the profiles run from right to left, or from bottom to top, in the image.
        ///   A symbology whose message depends on the direction is then read in the other direction.
        public init(_ profiles: [[Float]], isBackward: Bool = false) {
            finders = profiles.map(EdgeFinder.init)
            self.profiles = profiles
            self.isBackward = isBackward
        }

        /// The width of a bar in samples below which it loses contrast between two pixels.
        private static let narrowBar: Float = 2.2

        /// True if the first profile has bars so narrow that one with more samples a pixel may show more.
        public var hasNarrowBars: Bool {
            guard let line = finders.first?.elements(LinearReader.sharpenings[0]) else { return false }
            return line.widths.sorted()[line.widths.count / 4] < Self.narrowBar
        }

        /// Returns the elements of each profile in its next preparation.
        fileprivate mutating func sharper(fewestEdges: Int) -> [(profile: Int, line: BarElements)] {
            guard let sharpening = preparations.popFirst() else { return [] }
            return finders.enumerated().compactMap { profile, finder in
                finder.elements(sharpening, fewestEdges: fewestEdges).map { (profile, $0) }
            }
        }

        /// The mean of all bands, of every other band and of the bands between them; `nil` if there are too few.
        fileprivate var halves: [EdgeFinder]? {
            guard profiles.count > 3, profiles.allSatisfy({ $0.count == profiles[0].count }) else { return nil }
            let halves = [1, 2].map { first in
                let bands = stride(from: first, to: profiles.count, by: 2)
                return profiles[0].indices.map { column in
                    bands.reduce(0) { $0 + profiles[$1][column] } / Float(bands.underestimatedCount)
                }
            }
            return [finders[0]] + halves.map(EdgeFinder.init)
        }
    }

    /// Continues to read after ``readClear(_:)``.
    public func read(_ lines: inout Lines) -> [Answer] {
        guard !symbologies.isEmpty else { return [] }
        while true {
            let answers = answers(lines, profilesWithoutCheck: Self.profilesWithoutCheck)
            guard answers.isEmpty else { return answers }
            guard !lines.preparations.isEmpty else { return readBroken(lines) }
            for (profile, line) in lines.sharper(fewestEdges: fewestEdges) { add(line, profile, to: &lines) }
        }
    }

    /// Reads Interleaved 2 of 5 whose narrow bars have gaps, such as in faxes and worn thermal prints.
    ///
    /// Hardly a row shows all of the bars. The mean of every other band and that of the others do, as bars with less
    /// contrast; both and the mean of all must agree. A long message is accepted from the mean of all.
    private func readBroken(_ lines: Lines) -> [Answer] {
        guard symbologies.contains(.itf), let halves = lines.halves else { return [] }
        for preparation in Self.brokenBarPreparations {
            var tally = LineTally()
            for (profile, finder) in halves.enumerated() {
                // Without a reading of the mean, those of its parts say nothing.
                guard profile == 0 || !tally.isEmpty,
                    let line = finder.elements(preparation, fewestEdges: fewestEdges)
                else { break }
                for line in [line, line.reversed] {
                    for reading in ITFDecoder.read(line) { tally.add(reading, profile: profile) }
                }
            }
            let answers = tally.unanimous(profiles: 1).filter {
                $0.votes == halves.count || $0.bytes.count >= Self.fewestDigitsOfMean
            }
            if !answers.isEmpty { return answers }
        }
        return []
    }

    /// The number of profiles, among the mean and five bands, that must agree on an EAN or UPC, and on a reading
    /// without a check character.
    private static let clearProfiles = (retail: 3, withoutCheck: 5)

    /// Reads unambiguous symbols, EAN and UPC too, with little or no sharpening, in a fraction of the time of a fit.
    ///
    /// - Returns: the readings on which the profiles agree. The symbologies of EAN and UPC are ``Symbology/ean13``
    ///   (also for UPC-A), ``Symbology/ean8`` and ``Symbology/upcE``, their bytes 13 or 8 digits.
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
            // If only some profiles show a number and too few agree on it, neither it nor any other symbol is clear.
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

    /// Reads a stacked DataBar symbol from profiles of its rows.
    ///
    /// - Parameters:
    ///   - profiles: the brightness, one sample a pixel, from top to bottom; three or more profiles cover a row of
    ///     the symbol.
    ///   - isStack: true if a row with more than one part of a DataBar belongs to another symbol, which has both in
    ///     one row.
    /// - Returns: the readings on which the profiles agree.
    public func readStacked(_ profiles: [[Float]], isStack: Bool = false) -> [Answer] {
        guard !families.isEmpty else { return [] }
        func parts(_ finder: EdgeFinder, _ sharpening: EdgeFinder.Sharpening) -> [DataBarPart] {
            finder.elements(sharpening).map { DataBarPart.readBothWays($0, families: families) } ?? []
        }
        // Most regions are not a DataBar: no third profile shows a part of one.
        let glance = stride(from: 0, to: profiles.count, by: 3).map { EdgeFinder(profiles[$0]) }
        let isPromising = Self.sharpenings.prefix(2).contains { sharpening in
            glance.contains { !parts($0, sharpening).isEmpty }
        }
        guard isPromising else { return [] }
        return dataBars(
            profiles.map(EdgeFinder.init), Self.sharpenings + Self.localSharpenings, votes: Self.votes, isStack: isStack
        )
    }

    /// Reads a DataBar from lines, by each degree of sharpening alone and by all so far together.
    ///
    /// Sharpening changes what a character looks like: together, two of its values would have as many votes.
    func dataBars(
        _ finders: [EdgeFinder], _ sharpenings: [EdgeFinder.Sharpening], votes: Int, isStack: Bool = false
    ) -> [Answer] {
        var all = DataBarTally()
        for (turn, sharpening) in sharpenings.enumerated() {
            // More sharpening changes the characters, but shows no other part.
            if turn == 2, !all.hasAllParts(count: votes) { return [] }
            var own = DataBarTally()
            for (line, finder) in finders.enumerated() {
                guard let elements = finder.elements(sharpening) else { continue }
                let parts = DataBarPart.readBothWays(elements, families: families)
                if isStack, parts.count(where: { $0.name.family == .dataBar }) > 1 { continue }
                for part in parts {
                    own.add(part, line: line)
                    all.add(part, line: line)
                }
            }
            for tally in [own, all] {
                let answers = tally.answers(votes: votes)
                if !answers.isEmpty { return answers.map(Answer.init) }
            }
        }
        return []
    }

    /// Returns the symbology of the DataBar of which several of `rows` show a part with both of its characters;
    /// `nil` if there is none.
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

    /// Returns the readings of a line in all symbologies except the DataBars that may be stacked.
    func readings(_ line: BarElements, isForward: Bool) -> [LineReading] {
        var result: [LineReading] = []
        if symbologies.contains(.code128) { result += Code128.read(line) }
        if symbologies.contains(.code93) { result += Code93.read(line) }
        // If a symbol with check characters fills most of the line, its bars do not belong to another symbology.
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
    /// Creates the answer for a reading on which several lines agree, with the range that most of them have.
    init(_ reading: LineReading, range: Range<Double>, votes: Int) {
        self.init(
            symbology: reading.symbology, bytes: reading.bytes, range: range, isReversed: reading.isReversed,
            isGS1: reading.isGS1, isAIM: reading.isAIM, isReaderProgramming: reading.isReaderProgramming,
            modifier: reading.modifier, linkage: reading.linkage,
            votes: votes, modules: reading.modules)
    }

    init(_ answer: DataBarTally.Answer) {
        self.init(
            symbology: answer.family == .dataBar ? .dataBar : .dataBarExpanded, bytes: answer.bytes,
            range: answer.range,
            isReversed: answer.isReversed, isGS1: false, isAIM: false, modifier: nil,
            linkage: answer.isLinked ? .micro : CompositeLinkage.none, votes: answer.votes, profiles: answer.lines,
            modules: answer.modules)
    }
}
