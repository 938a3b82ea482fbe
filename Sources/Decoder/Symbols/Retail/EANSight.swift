/// Tells which digits of a number were seen in a profile, and not filled in by the others and the check digit.
///
/// The fit leaves brightness and contrast free for each digit, so that a shadow or a reflection costs nothing. A stretch
/// without bars then fits every digit, and the check digit fills it in: no number is ever rejected for what is hidden.
/// Here all digits share the contrast of their symbol, and each answers for itself.
struct EANSight {
    /// A digit in one profile.
    struct Digit {
        /// The contrast of its bars, as a part of that of the symbol.
        var contrast: Float
        /// The part of its energy that its pattern leaves unexplained at that contrast.
        var rest: Float
        /// By how much the best other pattern leaves more unexplained, in the same unit.
        var lead: Float
    }

    private let digits: [Digit]
    /// The median of what the digits leave unexplained: noise, blur and the bend of the label, the same for all.
    private let rest: Float

    /// The evidence that a digit must show to count as seen.
    ///
    /// A covered digit has no contrast, and one that is covered in part leaves a quarter or more of its bars unexplained, or
    /// is another digit rather than that of the number. The limits were chosen on 140 readings of whole symbols in photos,
    /// which all pass, and 41 wrong numbers in drawn symbols with a covered part, which are all rejected.
    private struct Limit {
        var contrast: Float
        var rest: Float
        var lead: Float
    }
    /// In each of two bands at least, which need not be the same for all digits: glare hides some here and others there.
    private static let inTwoBands = Limit(contrast: 0.33, rest: 0.2, lead: -0.05)
    /// All digits in one band, where no other shows them.
    private static let inOneBand = Limit(contrast: 0.4, rest: 0.15, lead: 0)
    /// The median of a band that shows the bars of the number at all.
    private static let largestRest: Float = 0.2
    /// The largest unexplained part of a digit, from that of the median digit: noise, blur and bend are about the same for
    /// all digits, so a digit that leaves many times as much is covered by something else.
    private static let largestExcess = (rest: Float(0.06), factor: Float(3))
    /// The contrast of a digit at most: what has more has other bars in front of it.
    private static let largestContrast: Float = 1.6

    /// Indicates whether the bands show each digit of the number.
    static func showAllDigits(_ bands: [EANSight]) -> Bool {
        let bands = bands.filter { $0.rest <= largestRest }
        guard let count = bands.first?.digits.count else { return false }
        if bands.contains(where: { band in (0..<count).allSatisfy { band.shows($0, inOneBand) } }) { return true }
        return (0..<count).allSatisfy { digit in
            let seen = bands.filter { $0.shows(digit, inTwoBands) }
            // What no band takes for the digit rather than another is one that the check digit filled in.
            return seen.count > 1 && seen.contains { $0.digits[digit].lead >= 0 }
        }
    }

    private func shows(_ index: Int, _ limit: Limit) -> Bool {
        let digit = digits[index]
        let excess = Self.largestExcess.rest + Self.largestExcess.factor * rest
        return (limit.contrast...Self.largestContrast).contains(digit.contrast)
            && digit.rest <= min(limit.rest + rest, excess) && digit.lead >= limit.lead
    }

    /// - Parameter patterns: the index of each digit's pattern among those of its element.
    init(_ alignment: EANAlignment, _ layout: EANLayout, _ templates: EANTemplates, patterns: [Int]) {
        let elements = layout.elements.indices.filter { layout.elements[$0].isDigit }
        let fits = elements.map { Self.fits(alignment, $0, layout, templates) }
        let contrasts = zip(fits, patterns).map { $0[$1].product / $0[$1].norm }
        let contrast = max(contrasts.sorted()[contrasts.count / 2], 1e-3)
        let digits = zip(fits, patterns).enumerated().map { place, item in
            let (fits, pattern) = item
            let own = fits[pattern]
            // A reflection may halve the contrast of some bars, and a shadow double it beside others.
            func rest(_ fit: Fit) -> Float {
                let c = min(max(fit.product / fit.norm, contrast / 2), contrast * 2)
                return (fit.energy - 2 * c * fit.norm * fit.product + c * c * fit.norm * fit.norm)
                    / (contrast * contrast * own.norm * own.norm)
            }
            let rests = fits.map(rest)
            let other = rests.enumerated().filter { $0.offset != pattern }.map(\.element).min() ?? .infinity
            return Digit(contrast: contrasts[place] / contrast, rest: rests[pattern], lead: other - rests[pattern])
        }
        self.digits = digits
        rest = digits.map(\.rest).sorted()[digits.count / 2]
    }

    private struct Fit {
        var energy: Float
        var product: Float
        var norm: Float
    }

    /// The best fit of each pattern of an element, a sample off its place and width at most.
    private static func fits(
        _ alignment: EANAlignment, _ element: Int, _ layout: EANLayout, _ templates: EANTemplates
    ) -> [Fit] {
        let span = alignment.spans[element]
        var best = [Fit?](repeating: nil, count: layout.elements[element].patterns.count)
        var least = [Float](repeating: .infinity, count: best.count)
        for rank in max(0, span.rank - 1)...min(EANTemplates.widthRange.count - 1, span.rank + 1) {
            let shapes = templates.shapes[element][rank]
            for start in span.start - 1...span.start + 1 {
                let samples = alignment.samples[start..<start + shapes.count]
                let mean = samples.reduce(0, +) / Float(shapes.count)
                let energy = samples.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
                for pattern in best.indices {
                    let first = pattern * shapes.stride
                    var product: Float = 0
                    for place in 0..<shapes.count {
                        product += samples[start + place] * shapes.values[first + place]
                    }
                    product = max(0, product)
                    let rest = energy - product * product
                    if rest < least[pattern] {
                        least[pattern] = rest
                        best[pattern] = Fit(energy: energy, product: product, norm: shapes.norms[pattern])
                    }
                }
            }
        }
        return best.compactMap { $0 }
    }
}
