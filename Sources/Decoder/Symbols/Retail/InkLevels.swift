internal import BarcodeCore

/// The darkness of paper and ink along a blurred symbol, each a straight line, which accounts for uneven light.
struct InkLevels {
    /// The darkness of paper in the middle, and its change from there to the right end.
    private let paper: Float
    private let paperSlope: Float
    /// The contrast of ink in the middle, and its change.
    private let contrast: Float
    private let contrastSlope: Float
    /// The share of the variance of the samples that ink and paper do not explain; 1 for guessed levels.
    private(set) var misfit = 1.0

    /// The mean share of ink between the first and the last bar; it is nearly the same for all numbers.
    private static let meanInk: Float = 0.48
    /// The smallest contrast, in gray levels.
    private static let smallestContrast: Float = 8

    /// The location of each sample, -1 to 1.
    private static let locations: [Float] = (0..<DefocusedDigits.count).map {
        2 * (Float($0) + 0.5) / Float(DefocusedDigits.count) - 1
    }

    /// Guesses the levels from the paper at both ends and the mean between them; `nil` if there is no contrast.
    ///
    /// - Parameter samples: the darkness at the samples of a placement.
    init?(guessedFrom samples: [Float]) {
        let edge = DefocusedDigits.quietModules * DefocusBlur.samplesPerModule
        // A quarter of the samples is lighter: not the lightest, because of noise, and not those beside the bars.
        func paper(_ part: ArraySlice<Float>) -> Float { part.sorted()[edge / 4] }
        let (left, right) = (paper(samples[..<edge]), paper(samples[(samples.count - edge)...]))
        let inside = samples[edge..<samples.count - edge]
        self.paper = (left + right) / 2
        paperSlope = (right - left) / 2
        contrast = (inside.reduce(0, +) / Float(inside.count) - self.paper) / Self.meanInk
        contrastSlope = 0
        guard contrast > Self.smallestContrast else { return nil }
    }

    /// Fits the levels by least squares; `nil` if there is no contrast.
    ///
    /// - Parameters:
    ///   - samples: the darkness at the samples of a placement.
    ///   - ink: the share of ink at each of them.
    init?(_ samples: [Float], ink: [Float]) {
        var sums = [SIMD4<Float>](repeating: SIMD4(), count: 4)
        var right = SIMD4<Float>()
        var (sum, squares): (Float, Float) = (0, 0)
        for place in samples.indices {
            let (x, share, value) = (Self.locations[place], ink[place], samples[place])
            let row = SIMD4(1, x, share, x * share)
            for index in 0..<4 { sums[index] += row[index] * row }
            right += value * row
            sum += value
            squares += value * value
        }
        let equations = (0..<4).map { row in (0..<4).map { Double(sums[row][$0]) } + [Double(right[row])] }
        guard let solution = LinearEquations.solve(equations)?.map({ Float($0) }) else { return nil }
        (paper, paperSlope, contrast, contrastSlope) = (solution[0], solution[1], solution[2], solution[3])
        guard contrast - abs(contrastSlope) > Self.smallestContrast else { return nil }
        let rest = rest(samples, ink: ink)
        let variance = squares - sum * sum / Float(samples.count)
        misfit = Double(Self.product(rest, rest) / max(variance, 1e-3))
    }

    /// Returns the share of ink at each sample.
    func ink(_ samples: [Float]) -> [Float] {
        samples.indices.map { place in
            let x = Self.locations[place]
            return (samples[place] - paper - paperSlope * x) / (contrast + contrastSlope * x)
        }
    }

    /// Returns the darkness at each sample that ink and paper do not explain.
    func rest(_ samples: [Float], ink: [Float]) -> [Float] {
        samples.indices.map { place in
            let x = Self.locations[place]
            return samples[place] - paper - paperSlope * x - (contrast + contrastSlope * x) * ink[place]
        }
    }

    /// Returns the sum of the products of two lists of the same length.
    static func product(_ one: some Collection<Float>, _ other: some Collection<Float>) -> Float {
        let sum = one.withContiguousStorageIfAvailable { one in
            other.withContiguousStorageIfAvailable { other -> Float in
                // Eight at a time, because the compiler may not reorder the additions.
                var (sums, rest, place) = (SIMD8<Float>(), Float(0), 0)
                let count = min(one.count, other.count)
                let (first, second) = (UnsafeRawBufferPointer(one), UnsafeRawBufferPointer(other))
                while place + 8 <= count {
                    sums +=
                        first.loadUnaligned(fromByteOffset: 4 * place, as: SIMD8<Float>.self)
                        * second.loadUnaligned(fromByteOffset: 4 * place, as: SIMD8<Float>.self)
                    place += 8
                }
                while place < count {
                    rest += one[place] * other[place]
                    place += 1
                }
                return sums.sum() + rest
            }
        }
        return sum.flatMap { $0 } ?? 0
    }
}
