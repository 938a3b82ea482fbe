/// The combined evidence of several bands of a symbol: the misfits of their digits, normalized for each band.
struct EANEvidence {
    /// The smallest misfit of a band that is distinguished: below it only noise and rounding differ.
    private static let leastMisfit: Float = 0.03

    /// The sum of the misfits of each pattern of each digit.
    private(set) var misfits: [[Float]] = []
    /// The smallest misfit of a band, per module.
    private(set) var misfit: Float = .infinity
    /// The number of bands.
    private(set) var count = 0

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
