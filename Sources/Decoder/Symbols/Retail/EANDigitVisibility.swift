/// Tells which digits of a number were visible in a profile, and not inferred from the others and the check digit.
///
/// The fit leaves brightness and contrast free for each digit, so that a shadow or a reflection costs nothing. A
/// part without bars then matches every digit, and the check digit determines it, so a hidden digit never leads to a
/// rejection. Here all digits share the contrast of their symbol, and each is checked separately.
struct EANDigitVisibility {
    /// A digit in one profile.
    struct Digit {
        /// The contrast of its bars, relative to that of the symbol.
        var contrast: Float
        /// The residual of its pattern at that contrast, as a share of its energy.
        var rest: Float
        /// The lead over the best other pattern, in the same unit.
        var lead: Float
    }

    private let digits: [Digit]
    /// The contrast of the bars of each guard, relative to that of the symbol.
    private let guardContrasts: [Float]
    /// The median residual of the digits, from noise, blur and bend, which affect all digits alike.
    private let rest: Float

    /// The evidence required of a visible digit.
    ///
    /// A covered digit has no contrast. A partly covered one has a residual of at least a quarter, or matches
    /// another digit better. The limits were chosen on 140 readings of whole symbols in photos, which all pass, and
    /// 41 wrong numbers in drawn symbols with a covered part, which are all rejected.
    private struct Limit {
        var contrast: Float
        var rest: Float
        var lead: Float
    }
    /// The limit in at least two bands, which may differ from digit to digit: glare hides some here and others
    /// there.
    private static let inTwoBands = Limit(contrast: 0.33, rest: 0.2, lead: -0.05)
    /// The limit for all digits in a single band, if no other shows them.
    private static let inOneBand = Limit(contrast: 0.4, rest: 0.15, lead: 0)
    /// The largest median residual of a band that shows the bars of the number.
    private static let largestRest: Float = 0.2
    /// The largest residual of a digit, relative to the median: noise, blur and bend affect all digits alike, so a
    /// digit with a much larger residual is covered by something else.
    private static let largestExcess = (rest: Float(0.06), factor: Float(3))
    /// The smallest contrast of each guard in at least one band: what covers a guard hides a part of the digits beside it
    /// too, which may then look like others.
    private static let leastGuardContrast: Float = 0.1
    /// The largest contrast of a digit: with more, other bars are in front of it.
    private static let largestContrast: Float = 1.6

    /// Returns the number of digits that the bands do not show; `nil` if they do not show all guards either.
    static func hiddenDigits(_ bands: [EANDigitVisibility]) -> Int? {
        let bands = bands.filter { $0.rest <= largestRest }
        guard let count = bands.first?.digits.count, let guards = bands.first?.guardContrasts.indices,
            guards.allSatisfy({ place in bands.contains { $0.guardContrasts[place] >= leastGuardContrast } })
        else { return nil }
        if bands.contains(where: { band in (0..<count).allSatisfy { band.shows($0, inOneBand) } }) { return 0 }
        return (0..<count).count { digit in
            let seen = bands.filter { $0.shows(digit, inTwoBands) }
            // If no band prefers the digit over another, the check digit determined it.
            return !(seen.count > 1 && seen.contains { $0.digits[digit].lead >= 0 })
        }
    }

    /// Indicates whether no digit of a profile has a much larger residual than the others.
    ///
    /// - Parameter rests: the residual of each digit, as a share of its energy.
    static func areAlike(_ rests: [Double]) -> Bool {
        let median = Float(rests.sorted()[rests.count / 2])
        return rests.allSatisfy { Float($0) <= largestExcess.rest + largestExcess.factor * median }
    }

    private func shows(_ index: Int, _ limit: Limit) -> Bool {
        let digit = digits[index]
        let excess = Self.largestExcess.rest + Self.largestExcess.factor * rest
        return (limit.contrast...Self.largestContrast).contains(digit.contrast)
            && digit.rest <= min(limit.rest + rest, excess) && digit.lead >= limit.lead
    }

    /// - Parameter patterns: the index of the pattern of each digit in its element.
    init(_ alignment: EANAlignment, _ layout: EANLayout, _ templates: EANTemplates, patterns: [Int]) {
        let elements = layout.elements.indices.filter { layout.elements[$0].isDigit }
        let fits = elements.map { Self.fits(alignment, $0, layout, templates) }
        let contrasts = zip(fits, patterns).map { $0[$1].contrast }
        let contrast = max(contrasts.sorted()[contrasts.count / 2], 1e-3)
        let digits = zip(fits, patterns).enumerated().map { place, item in
            let (fits, pattern) = item
            let own = fits[pattern]
            // A reflection may halve the contrast of some bars, and a shadow beside others double it.
            func rest(_ fit: Fit) -> Float {
                let c = min(max(fit.contrast, contrast / 2), contrast * 2)
                return (fit.energy - 2 * c * fit.norm * fit.product + c * c * fit.norm * fit.norm)
                    / (contrast * contrast * own.norm * own.norm)
            }
            let rests = fits.map(rest)
            let other = rests.enumerated().filter { $0.offset != pattern }.map(\.element).min() ?? .infinity
            return Digit(contrast: contrasts[place] / contrast, rest: rests[pattern], lead: other - rests[pattern])
        }
        self.digits = digits
        rest = digits.map(\.rest).sorted()[digits.count / 2]
        // A guard has a single pattern.
        guardContrasts = layout.elements.indices.filter { !layout.elements[$0].isDigit }.map {
            Self.fits(alignment, $0, layout, templates)[0].contrast / contrast
        }
    }

    private struct Fit {
        var energy: Float
        var product: Float
        var norm: Float

        var contrast: Float { product / norm }
    }

    /// Returns the best fit of each pattern of an element, at most one sample off its location and width.
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
