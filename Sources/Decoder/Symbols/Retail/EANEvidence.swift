/// What several bands of a symbol say together: the misfits of their digits, each band's in its own unit.
struct EANEvidence {
    /// A band whose misfit is smaller is no better: it is as good as noise and rounding let it be.
    private static let leastMisfit: Float = 0.03

    /// The sum of the misfits of each pattern of each digit.
    private(set) var misfits: [[Float]] = []
    /// The least misfit of a band, a module.
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
