internal import BarcodeCore

/// A timing pattern of a symbol on a bent sheet, as a line with a bump in its middle.
struct BentTiming {
    /// The sizes of the bump that are tried along and across the line, in modules.
    private static let bumps = stride(from: -1.25, through: 1.25, by: 0.25)

    /// The correlation of the pattern with the samples on the line, -1 to 1.
    let score: Float
    /// The shifts of its modules from the transform of the symbol.
    let samples: [PolynomialShifts.Sample]

    /// Finds the bump with the highest correlation.
    ///
    /// - Parameters:
    ///   - estimate: the version and the transform.
    ///   - shifts: the shifts that the finder patterns determine.
    ///   - isColumn: true for the pattern between the finder patterns at the left.
    init(_ pixels: PixelSampler, _ estimate: QRVersionEstimate, _ shifts: PolynomialShifts, isColumn: Bool) {
        let size = QRVersion.size(estimate.version)
        let modules = (8..<size - 8).map { index in
            let along = Double(index) + 0.5
            let place = isColumn ? Point(x: 6.5, y: along) : Point(x: along, y: 6.5)
            // 0 at the finder patterns, 1 halfway.
            let share = (along - 7) / Double(size - 14)
            return (
                place: place, shift: shifts.shift(place.x, place.y), bump: 4 * share * (1 - share),
                isDark: (index % 2 == 0) != estimate.isInverted
            )
        }
        var best: (score: Float, x: Double, y: Double) = (-2, 0, 0)
        for x in Self.bumps {
            for y in Self.bumps {
                var correlation = PatternCorrelation()
                for module in modules {
                    let place = estimate.map.map(
                        module.place.x + module.shift.x + x * module.bump,
                        module.place.y + module.shift.y + y * module.bump)
                    correlation.add(pixels.brightness(place), isDark: module.isDark)
                }
                if correlation.value > best.score { best = (correlation.value, x, y) }
            }
        }
        score = best.score
        samples = modules.map { module in
            let shift = Point(
                x: module.shift.x + best.x * module.bump, y: module.shift.y + best.y * module.bump)
            return PolynomialShifts.Sample(at: module.place, shift: shift)
        }
    }
}
