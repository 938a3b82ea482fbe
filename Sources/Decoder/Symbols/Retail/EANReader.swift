public import BarcodeCore

/// Reads EAN and UPC symbols out of brightness profiles that are too blurred, noisy or coarse for edges to be told.
///
/// Known patterns are fitted to the grey values, and of all valid numbers the one that fits best is taken where it fits
/// well and clearly better than any other.
public struct EANReader: Sendable {
    /// What was read.
    public struct Answer: Sendable, Hashable {
        /// ``Symbology/ean13``, which a UPC-A is too, ``Symbology/ean8`` or ``Symbology/upcE``.
        public var symbology: Symbology
        /// The digits in ASCII, 13 or 8.
        public var bytes: [UInt8]
        /// Where the symbol begins and ends in the first profile.
        public var range: Range<Double>
        /// Whether the symbol runs from the end of the profile to its beginning.
        public var isReversed: Bool
        /// The part of the profile's variance that the symbol leaves unexplained, 0 to 1.
        public var misfit: Float
        /// By how much the next best number fits worse, in misfits of a module.
        public var margin: Float
        /// Indicates whether the bars of each digit were seen.
        ///
        /// A number of which some digits are hidden is a guess: the check digit fills in one of them, and so says nothing
        /// about the others.
        public var showsAllDigits: Bool
    }

    /// A reader.
    public init() {}

    /// Reads the symbol across some profiles of the same place, the mean of all bands first, then the bands.
    ///
    /// - Returns: the best valid number, whether or not it is believable; nil where there is no place for one.
    public func bestAnswer(_ profiles: [[Float]], layout symbology: Symbology) -> Answer? {
        bestAnswer(Profiles(profiles), layout: symbology)
    }

    /// Some profiles of one place, prepared for the search for several kinds of symbols.
    public struct Profiles: Sendable {
        fileprivate let values: [[Float]]
        /// The first one in both directions.
        fileprivate let lines: [EANPlacement.Line]

        /// Profiles as ``EANReader/bestAnswer(_:layout:)-(Profiles,_)`` takes them.
        public init(_ values: [[Float]]) {
            self.values = values
            lines =
                values.first.map { whole in
                    [false, true].map { EANPlacement.Line(EANReader.darkness(whole, isReversed: $0)) }
                } ?? []
        }
    }

    /// The same for profiles in which several kinds of symbols are looked for.
    public func bestAnswer(_ prepared: Profiles, layout symbology: Symbology) -> Answer? {
        let profiles = prepared.values
        let (layout, templates): (EANLayout, [EANTemplates])
        switch symbology {
        case .ean13: (layout, templates) = (.ean13, EANTemplates.ean13)
        case .ean8: (layout, templates) = (.ean8, EANTemplates.ean8)
        case .upcE: (layout, templates) = (.upcE, EANTemplates.upcE)
        default: return nil
        }
        var candidates: [Candidate] = []
        for (line, isReversed) in zip(prepared.lines, [false, true]) {
            let placements = EANPlacement.candidates(
                line, modules: layout.modules, edges: layout.edges, middle: layout.middle, endGuard: layout.endGuard)
            // A short symbol is easily seen in a part of a longer one, which has bars beside it; and so is a long one in
            // text and in symbols that are longer still, of which a smaller part beside it shows enough.
            for placement in placements where placement.isAlone(in: line.darkness, isShort: symbology != .ean13) {
                guard let (blur, alignment) = sharpest(line.darkness, placement, layout, templates),
                    alignment.misfit <= Self.largestMisfit
                else { continue }
                var evidence = EANEvidence()
                evidence.add(alignment, layout)
                let numbers = EANNumberSearch(evidence.misfits, layout)
                guard let number = numbers.best else { continue }
                let candidate = Candidate(
                    placement: placement, isReversed: isReversed, blur: blur, range: alignment.range,
                    worth: numbers.next - number.misfit - 20 * alignment.misfit)
                // What fits as no wrong place has been seen to fit is not compared with other places.
                if candidate.worth >= Self.clearWorth, let answer = answer(candidate, profiles, layout, templates),
                    answer.worth >= Self.clearWorth
                {
                    return answer
                }
                candidates.append(candidate)
            }
        }
        var best: Answer?
        for candidate in candidates.sorted(by: { $0.worth > $1.worth }).prefix(Self.candidatesWithBands) {
            guard let answer = answer(candidate, profiles, layout, templates) else { continue }
            if answer.worth > best?.worth ?? -.infinity { best = answer }
        }
        return best
    }

    /// Where the guards of a symbol lie in a profile, from the first bar to the last; nil where none are seen.
    ///
    /// - Parameter isReversed: whether the symbol runs from the end of the profile to its beginning.
    public func place(in profile: [Float], layout symbology: Symbology, isReversed: Bool) -> Range<Double>? {
        guard let layout = EANLayout.all.first(where: { $0.symbology == symbology }) else { return nil }
        let line = EANPlacement.Line(Self.darkness(profile, isReversed: isReversed))
        let found = EANPlacement.candidates(
            line, modules: layout.modules, edges: layout.edges, middle: layout.middle, endGuard: layout.endGuard)
        guard let best = found.first else { return nil }
        let length = Double(line.darkness.count)
        return isReversed ? length - best.last..<length - best.first : best.first..<best.last
    }

    /// A place and a direction in which a symbol may lie.
    private struct Candidate {
        var placement: EANPlacement
        var isReversed: Bool
        var blur: Int
        var range: Range<Double>
        var worth: Float
    }

    /// The worth from which an answer is clear: the best wrong one had a margin of 2.9, and a symbol in sharp print has 20
    /// and a misfit of less than 0.2.
    private static let clearWorth: Float = 12

    /// The misfit of the mean of all bands, a module, from which a place is none.
    ///
    /// Of 59 symbols that were read in blurred
    /// photos the worst had 0.29, of 415 places without one a quarter has more.
    private static let largestMisfit: Float = 0.36

    /// Candidates whose bands are looked at: the right one is the first, but where glare hides much of the symbol.
    private static let candidatesWithBands = 2

    fileprivate static func darkness(_ profile: [Float], isReversed: Bool) -> [Float] {
        isReversed ? profile.reversed().map { -$0 } : profile.map { -$0 }
    }

    /// The blur whose templates fit best, from the middle one on in the direction in which it gets better.
    private func sharpest(
        _ line: [Float], _ placement: EANPlacement, _ layout: EANLayout, _ templates: [EANTemplates]
    ) -> (blur: Int, alignment: EANAlignment)? {
        var blur = 1
        guard var best = EANAlignment(line, placement, layout, templates[blur]) else { return nil }
        for step in [1, -1] {
            let start = blur
            while templates.indices.contains(blur + step),
                let other = EANAlignment(
                    line, placement, layout, templates[blur + step], largestMisfit: best.misfit),
                other.misfit < best.misfit
            {
                blur += step
                best = other
            }
            if blur != start { break }
        }
        return (blur, best)
    }

    /// What the bands of a candidate's place say together.
    private func answer(
        _ candidate: Candidate, _ profiles: [[Float]], _ layout: EANLayout, _ templates: [EANTemplates]
    ) -> Answer? {
        var evidence = EANEvidence()
        var alignments: [EANAlignment] = []
        for profile in profiles.count == 1 ? profiles[...] : profiles.dropFirst() {
            let line = Self.darkness(profile, isReversed: candidate.isReversed)
            if let alignment = EANAlignment(line, candidate.placement, layout, templates[candidate.blur]) {
                evidence.add(alignment, layout)
                alignments.append(alignment)
            }
        }
        guard evidence.count > 0 else { return nil }
        let numbers = EANNumberSearch(evidence.misfits, layout)
        guard let number = numbers.best else { return nil }
        let length = Double(profiles[0].count)
        let range = candidate.range
        let count = layout.symbology == .ean13 ? 13 : 8
        let digits = (0..<count).reversed().map { Int(number.digits >> UInt64(4 * $0) & 15) }
        let patterns = layout.patterns(of: digits)
        let sights = alignments.map { EANSight($0, layout, templates[candidate.blur], patterns: patterns) }
        return Answer(
            symbology: layout.symbology,
            bytes: digits.map { UInt8(0x30 + $0) },
            range: candidate.isReversed ? length - range.upperBound..<length - range.lowerBound : range,
            isReversed: candidate.isReversed, misfit: evidence.misfit,
            margin: (numbers.next - number.misfit) / Float(evidence.count),
            showsAllDigits: EANSight.showAllDigits(sights))
    }
}

extension EANReader.Answer {
    /// What orders the answers from several places: a clear number that fits.
    fileprivate var worth: Float { margin - 20 * misfit }
}
