internal import Glibc

/// The patterns of all codewords with a given blur, as templates to be correlated with gray levels.
///
/// The codeword is the pattern with the highest correlation with 17 gray levels, which is invariant to brightness
/// and contrast. It can still be recognized when the bars are so blurred that no edges remain.
struct PDF417Templates: Sendable {
    /// The best match for some samples.
    struct Match {
        var cluster: Int
        var value: Int
        /// The correlation with its pattern, at most 1.
        var score: Float
        /// The correlation of the second-best codeword.
        var runnerUp: Float

        /// The confidence: the lead over the second-best codeword relative to the residual noise.
        var confidence: Float {
            (score * max(score, 0) - runnerUp * max(runnerUp, 0)) / (1.02 - score * max(score, 0))
        }
    }

    /// Three degrees of blur: that of a drawing or a sharp photo, more, and so much that narrow bars vanish.
    static let all = [0.08, 0.2, 0.29].map { PDF417Templates(blur: $0) }
    static var sharp: PDF417Templates { all[0] }
    static var middle: PDF417Templates { all[1] }

    /// The share of a module that blurs into each of its neighbors.
    private let blur: Float
    /// The first nine modules of each pattern, and the last eight, as bits.
    private let heads: [UInt16]
    private let tails: [UInt8]
    /// The inverse standard deviations of the blurred patterns.
    private let inverseNorms: [Float]

    private init(blur: Float) {
        self.blur = blur
        let patterns = PDF417Patterns.all
        heads = patterns.map { UInt16(truncatingIfNeeded: $0 >> 8) }
        tails = patterns.map { UInt8(truncatingIfNeeded: $0) }
        inverseNorms = patterns.map { pattern in
            // A space precedes the codeword, and a bar follows it.
            var modules: [Float] = [0]
            for bit in (0..<PDF417Patterns.width).reversed() { modules.append(pattern >> bit & 1 == 1 ? 1 : 0) }
            modules.append(1)
            var sum: Float = 0
            var squares: Float = 0
            for index in 1...PDF417Patterns.width {
                let value = (1 - 2 * blur) * modules[index] + blur * (modules[index - 1] + modules[index + 1])
                sum += value
                squares += value * value
            }
            return 1 / max(0.1, squares - sum * sum / Float(PDF417Patterns.width)).squareRoot()
        }
    }

    /// Returns the best match for 17 levels of darkness, in one cluster or in all.
    func match(_ samples: [Float], cluster: Int?) -> Match {
        let width = PDF417Patterns.width
        guard samples.count == width else { return Match(cluster: 0, value: 0, score: -1, runnerUp: -1) }
        let mean = samples.reduce(0, +) / Float(width)
        var squares: Float = 0
        for sample in samples { squares += (sample - mean) * (sample - mean) }
        guard squares > 1 else { return Match(cluster: cluster ?? 0, value: 0, score: 0, runnerUp: 0) }
        let scale = 1 / squares.squareRoot()
        let levels = samples.map { ($0 - mean) * scale }
        let weights = levels.indices.map { index in
            (1 - 2 * blur) * levels[index] + blur * (index > 0 ? levels[index - 1] : 0)
                + blur * (index + 1 < width ? levels[index + 1] : 0)
        }
        let behind = blur * levels[width - 1]
        // The sum over the bars of a pattern is the sum of that over its head and that over its tail.
        let headSums = Self.sums(weights[..<9])
        let tailSums = Self.sums(weights[9...])
        let clusters = cluster.map { $0...$0 } ?? 0...PDF417Patterns.clusterCount - 1
        let first = clusters.lowerBound * PDF417Patterns.codewordCount
        let end = (clusters.upperBound + 1) * PDF417Patterns.codewordCount
        var (best, second): (Float, Float) = (-1, -1)
        var index = first
        heads.withUnsafeBufferPointer { heads in
            tails.withUnsafeBufferPointer { tails in
                inverseNorms.withUnsafeBufferPointer { norms in
                    headSums.withUnsafeBufferPointer { headSums in
                        tailSums.withUnsafeBufferPointer { tailSums in
                            for candidate in first..<end {
                                let score =
                                    (headSums[Int(heads[candidate])] + tailSums[Int(tails[candidate])] + behind)
                                    * norms[candidate]
                                if score > second {
                                    if score > best {
                                        second = best
                                        best = score
                                        index = candidate
                                    } else {
                                        second = score
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        return Match(
            cluster: index / PDF417Patterns.codewordCount, value: index % PDF417Patterns.codewordCount, score: best,
            runnerUp: second)
    }

    /// Returns the sum of the weights of each subset of modules; the first module is the highest bit.
    private static func sums(_ weights: ArraySlice<Float>) -> [Float] {
        let ordered = Array(weights.reversed())
        var sums = [Float](repeating: 0, count: 1 << ordered.count)
        for set in 1..<sums.count { sums[set] = sums[set & (set - 1)] + ordered[set.trailingZeroBitCount] }
        return sums
    }
}
