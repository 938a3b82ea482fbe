public import BarcodeCore

/// Reads EAN and UPC symbols from brightness profiles that are too blurred, noisy or coarse for edge detection.
///
/// Known patterns are fitted to the gray levels. The best of all valid numbers is accepted if it fits well and
/// clearly better than any other.
public struct EANReader: Sendable {
    /// A decoded symbol.
    public struct Answer: Sendable {
        /// The symbology: ``Symbology/ean13`` (also for UPC-A), ``Symbology/ean8`` or ``Symbology/upcE``.
        public var symbology: Symbology
        /// The 13 or 8 ASCII digits.
        public var bytes: [UInt8]
        /// The range of the symbol in the first profile, in samples.
        public var range: Range<Double>
        /// True if the symbol runs from the end of the profile to its beginning.
        public var isReversed: Bool
        /// The share of the variance of the profile that the symbol does not explain (residual), 0 to 1.
        public var misfit: Float
        /// The lead over the second-best number, in misfits of a module.
        public var margin: Float
        /// True if templates of defocused bars fit best.
        public var isDefocused: Bool
        /// True if the bars are curved: a part of the symbol is two modules or more from where even bars would have it.
        public var isBent: Bool
        /// True if the bars of all digits are visible.
        ///
        /// A number with hidden digits is a guess: the check digit fills in one of them, and therefore does not
        /// confirm the others. It is examined when it is asked for, because most answers are rejected before.
        public var showsAllDigits: Bool { hiddenDigits == 0 }

        /// The number of digits whose bars are not visible; `nil` if a guard is not visible either.
        var hiddenDigits: Int? {
            let digits = bytes.map { Int($0 - 0x30) }
            let patterns = layout.patterns(of: digits)
            return EANDigitVisibility.hiddenDigits(
                bands.map { EANDigitVisibility($0, layout, templates, patterns: patterns) })
        }

        /// The symbol in each band of the region.
        fileprivate let bands: [EANAlignment]
        fileprivate let layout: EANLayout
        fileprivate let templates: EANTemplates
    }

    /// Creates a reader.
    public init() {}

    /// Reads the symbol from several profiles of the same region: the mean of all bands first, then the bands.
    ///
    /// - Returns: the best valid number, which may be wrong; `nil` if no placement is possible.
    public func bestAnswer(_ profiles: [[Float]], layout symbology: Symbology) -> Answer? {
        bestAnswer(Profiles(profiles), layout: symbology)
    }

    /// Profiles of a region, prepared for the search for several kinds of symbols.
    public struct Profiles: Sendable {
        fileprivate let values: [[Float]]
        /// The first profile in both directions.
        fileprivate let lines: [EANPlacement.Line]

        /// Prepares profiles for ``EANReader/bestAnswer(_:layout:)-(Profiles,_)``.
        public init(_ values: [[Float]]) {
            self.values = values
            lines =
                values.first.map { whole in
                    [false, true].map { EANPlacement.Line(EANReader.darkness(whole, isReversed: $0)) }
                } ?? []
        }
    }

    /// Reads the symbol from prepared profiles, in which several kinds of symbols are searched.
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
                line, modules: layout.modules, edges: layout.edges, middle: layout.middle, endGuard: layout.endGuard,
                bends: symbology == .ean13 ? EANPlacement.bends : [0])
            // Parts of longer symbols easily match a short one, but have bars beside them. A long symbol can match
            // text and even longer symbols; fewer bars beside it suffice to reject it.
            for placement in placements where placement.isAlone(in: line.darkness, isShort: symbology != .ean13) {
                guard let fit = sharpest(line.darkness, placement, layout, templates),
                    fit.alignment.misfit <= Self.largestMisfit
                else { continue }
                var evidence = EANEvidence()
                evidence.add(fit.alignment, layout)
                let numbers = EANNumberSearch(evidence.misfits, layout)
                guard let number = numbers.best else { continue }
                let candidate = Candidate(
                    fit: fit, isReversed: isReversed, margin: numbers.next - number.misfit)
                // A candidate better than any wrong one observed is not compared with others, unless it is bent, so
                // that its curve may have to be refined.
                if candidate.worth >= Self.clearWorth, let answer = answer(candidate, profiles, layout, templates),
                    answer.worth >= Self.clearWorth, !answer.isBent
                {
                    return answer
                }
                candidates.append(candidate)
            }
        }
        var best: Answer?
        for candidate in candidates.sorted(by: { $0.worth > $1.worth }).prefix(Self.candidatesWithBands) {
            var candidate = candidate
            let line = prepared.lines[candidate.isReversed ? 1 : 0].darkness
            if symbology == .ean13, candidate.margin >= Self.smallestMarginToRefine {
                candidate.fit = refined(candidate.fit, line, layout, templates)
            }
            guard let answer = answer(candidate, profiles, layout, templates) else { continue }
            if answer.worth > best?.worth ?? -.infinity { best = answer }
        }
        return best
    }

    /// Returns the range between the outer guards of a symbol in a profile, in samples; `nil` if there are none.
    ///
    /// - Parameters:
    ///   - profile: the brightness.
    ///   - symbology: EAN-13, EAN-8 or UPC-E.
    ///   - isReversed: true if the symbol runs from the end of the profile to its beginning.
    public func place(in profile: [Float], layout symbology: Symbology, isReversed: Bool) -> Range<Double>? {
        guard let layout = EANLayout.all.first(where: { $0.symbology == symbology }) else { return nil }
        let line = EANPlacement.Line(Self.darkness(profile, isReversed: isReversed))
        let found = EANPlacement.candidates(
            line, modules: layout.modules, edges: layout.edges, middle: layout.middle, endGuard: layout.endGuard)
        guard let best = found.first else { return nil }
        let length = Double(line.darkness.count)
        return isReversed ? length - best.last..<length - best.first : best.first..<best.last
    }

    /// A possible placement and direction of a symbol.
    private struct Candidate {
        var fit: Fit
        var isReversed: Bool
        /// The lead over the second-best number, in misfits of a module.
        var margin: Float
        var worth: Float { EANReader.worth(margin: margin, misfit: fit.alignment.misfit) }
    }

    /// The rank of numbers from several placements: high for a clear number that fits well.
    fileprivate static func worth(margin: Float, misfit: Float) -> Float { margin - 20 * misfit }

    /// The worth from which on an answer is clear: the best wrong one had a margin of 2.9; a sharply printed symbol
    /// has a margin of 20 and a misfit below 0.2.
    private static let clearWorth: Float = 12

    /// The largest misfit of the mean of all bands, per module.
    ///
    /// The worst of 59 symbols that were read in blurred photos had 0.29; a quarter of 415 locations without a
    /// symbol have more than the limit.
    private static let largestMisfit: Float = 0.36
    /// The same for a placement that is bent by more than two modules; of 178 numbers on drawn cans none was lost.
    private static let largestMisfitOfBent: Float = 0.25

    /// The number of candidates whose bands are examined: the right one is the first, unless glare hides much of the
    /// symbol.
    private static let candidatesWithBands = 2

    fileprivate static func darkness(_ profile: [Float], isReversed: Bool) -> [Float] {
        isReversed ? profile.reversed().map { -$0 } : profile.map { -$0 }
    }

    /// A placement with the blur whose templates fit best there.
    private struct Fit {
        var placement: EANPlacement
        var blur: Int
        var alignment: EANAlignment
    }

    /// The steps in which the curve of a placement is refined, in modules, and the limit of its bend.
    ///
    /// The middle of a symbol that goes from the front of a can 45 degrees around it is four modules off, at 60 degrees
    /// seven.
    private static let curveSteps = [1, 0.5, 0.25]
    private static let largestBend = 8.0
    /// The largest misfit of a placement that is refined, and its smallest margin: 175 of 181 numbers on drawn cans are
    /// read with them, and the margin saves two fifths of the instructions for a drawn photo with a QR Code.
    private static let largestMisfitToRefine: Float = 0.2
    private static let smallestMarginToRefine: Float = 4

    /// Returns the fit with the curve that fits best to a defocused symbol, whose middle guard is too gray to show its
    /// bend exactly.
    private func refined(_ fit: Fit, _ line: [Float], _ layout: EANLayout, _ templates: [EANTemplates]) -> Fit {
        guard EANTemplates.blurs[fit.blur] >= EANTemplates.defocused,
            fit.alignment.misfit <= Self.largestMisfitToRefine
        else { return fit }
        let module = (fit.placement.last - fit.placement.first) / Double(layout.modules)
        var best = fit
        for step in Self.curveSteps {
            var isImproved = true
            while isImproved {
                isImproved = false
                for curve in [\EANPlacement.bend, \EANPlacement.skew] {
                    for change in [step * module, -step * module] {
                        var other = best.placement
                        other[keyPath: curve] += change
                        guard abs(other[keyPath: curve]) <= Self.largestBend * module,
                            let alignment = EANAlignment(
                                line, other, layout, templates[best.blur], largestMisfit: best.alignment.misfit),
                            alignment.misfit < best.alignment.misfit
                        else { continue }
                        best = Fit(placement: other, blur: best.blur, alignment: alignment)
                        isImproved = true
                    }
                }
            }
        }
        guard best.alignment.misfit < fit.alignment.misfit,
            let again = sharpest(line, best.placement, layout, templates)
        else { return best }
        return again.alignment.misfit < best.alignment.misfit ? again : best
    }

    /// Returns the fit of the blur whose templates fit best, from the second on in the direction of improvement.
    private func sharpest(
        _ line: [Float], _ placement: EANPlacement, _ layout: EANLayout, _ templates: [EANTemplates]
    ) -> Fit? {
        var blur = 1
        let aligned =
            placement.isBent(modules: layout.modules)
            ? EANAlignment(line, placement, layout, templates[blur], largestMisfit: Self.largestMisfitOfBent)
            : EANAlignment(line, placement, layout, templates[blur])
        guard var best = aligned else { return nil }
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
        return Fit(placement: placement, blur: blur, alignment: best)
    }

    /// Returns the combined result of the bands for a candidate.
    private func answer(
        _ candidate: Candidate, _ profiles: [[Float]], _ layout: EANLayout, _ templates: [EANTemplates]
    ) -> Answer? {
        var evidence = EANEvidence()
        var alignments: [EANAlignment] = []
        for profile in profiles.count == 1 ? profiles[...] : profiles.dropFirst() {
            let line = Self.darkness(profile, isReversed: candidate.isReversed)
            if let alignment = EANAlignment(line, candidate.fit.placement, layout, templates[candidate.fit.blur]) {
                evidence.add(alignment, layout)
                alignments.append(alignment)
            }
        }
        guard evidence.count > 0 else { return nil }
        let numbers = EANNumberSearch(evidence.misfits, layout)
        guard let number = numbers.best else { return nil }
        let length = Double(profiles[0].count)
        let range = candidate.fit.alignment.range
        let count = layout.symbology == .ean13 ? 13 : 8
        let digits = (0..<count).reversed().map { Int(number.digits >> UInt64(4 * $0) & 15) }
        return Answer(
            symbology: layout.symbology,
            bytes: digits.map { UInt8(0x30 + $0) },
            range: candidate.isReversed ? length - range.upperBound..<length - range.lowerBound : range,
            isReversed: candidate.isReversed, misfit: evidence.misfit,
            margin: (numbers.next - number.misfit) / Float(evidence.count),
            isDefocused: EANTemplates.blurs[candidate.fit.blur] >= EANTemplates.defocused,
            isBent: candidate.fit.placement.isBent(modules: layout.modules),
            bands: alignments, layout: layout, templates: templates[candidate.fit.blur])
    }
}

extension EANReader.Answer {
    fileprivate var worth: Float { EANReader.worth(margin: margin, misfit: misfit) }
}
