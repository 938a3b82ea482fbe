public import BarcodeCore

/// Reads EAN and UPC symbols out of brightness profiles that are too blurred, noisy or coarse for edges to be told.
///
/// Known patterns are fitted to the grey values, and of all valid numbers the one that fits best is taken where it fits
/// well and clearly better than any other.
public struct EANReader: Sendable {
    /// What was read.
    public struct Answer: Sendable, Hashable {
        /// ``Symbology/ean13``, which a UPC-A is too, ``Symbology/ean8`` or ``Symbology/upcE``.
        public var format: Symbology
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
    }

    /// A reader.
    public init() {}

    /// Reads the symbol across some profiles of the same place, the mean of all bands first, then the bands.
    ///
    /// - Returns: the best valid number, whether or not it is believable; nil where there is no place for one.
    public func bestAnswer(_ profiles: [[Float]], layout format: Symbology) -> Answer? {
        let (layout, templates): (EANLayout, [EANTemplates])
        switch format {
        case .ean13: (layout, templates) = (.ean13, EANTemplates.ean13)
        case .ean8: (layout, templates) = (.ean8, EANTemplates.ean8)
        case .upcE: (layout, templates) = (.upcE, EANTemplates.upcE)
        default: return nil
        }
        guard let whole = profiles.first else { return nil }
        let endGuard: [Float] = format == .upcE ? [0, 1, 0, 1, 0, 1, 0, 0, 0] : [1, 0, 1, 0, 0, 0]
        var best: Answer?
        for isReversed in [false, true] {
            func darkness(_ profile: [Float]) -> [Float] {
                isReversed ? profile.reversed().map { -$0 } : profile.map { -$0 }
            }
            let line = darkness(whole)
            let placements = EANPlacement.candidates(
                line, modules: layout.modules, middle: layout.middle, endGuard: endGuard)
            for placement in placements {
                let alignments = templates.map { EANAlignment(line, placement, layout, $0) }
                guard let blur = alignments.indices.min(by: { misfit(alignments[$0]) < misfit(alignments[$1]) }),
                    let first = alignments[blur]
                else { continue }
                var evidence = Evidence()
                if profiles.count == 1 { evidence.add(first, layout) }
                for profile in profiles.dropFirst() {
                    if let alignment = EANAlignment(darkness(profile), placement, layout, templates[blur]) {
                        evidence.add(alignment, layout)
                    }
                }
                guard evidence.count > 0 else { continue }
                let numbers = EANNumberSearch(evidence.misfits, layout)
                guard let answer = numbers.best else { continue }
                let range =
                    isReversed
                    ? Double(line.count) - first.range.upperBound..<Double(line.count) - first.range.lowerBound
                    : first.range
                let digits = format == .ean13 ? 13 : 8
                let result = Answer(
                    format: format,
                    bytes: (0..<digits).reversed().map { UInt8(0x30 + (answer.digits >> UInt64(4 * $0) & 15)) },
                    range: range, isReversed: isReversed, misfit: evidence.misfit,
                    margin: (numbers.next - answer.misfit) / Float(evidence.count))
                if result.margin - 20 * result.misfit > (best.map { $0.margin - 20 * $0.misfit } ?? -.infinity) {
                    best = result
                }
            }
        }
        return best
    }

    private func misfit(_ alignment: EANAlignment?) -> Float { alignment?.misfit ?? .infinity }

    /// What the bands say together: the misfits of their digits, each band's in its own unit.
    private struct Evidence {
        /// A band whose misfit is smaller is no better: it is as good as noise and rounding let it be.
        private static let leastMisfit: Float = 0.03

        var misfits: [[Float]] = []
        var misfit: Float = .infinity
        var count = 0

        mutating func add(_ alignment: EANAlignment, _ layout: EANLayout) {
            let unit = 1 / max(Self.leastMisfit, alignment.misfit)
            let digits = layout.elements.indices.filter { layout.elements[$0].isDigit }
            if misfits.isEmpty { misfits = digits.map { [Float](repeating: 0, count: alignment.misfits[$0].count) } }
            for (place, index) in digits.enumerated() {
                for pattern in misfits[place].indices {
                    misfits[place][pattern] += alignment.misfits[index][pattern] * unit
                }
            }
            misfit = min(misfit, alignment.misfit)
            count += 1
        }
    }
}
