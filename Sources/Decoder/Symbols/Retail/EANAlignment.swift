/// The best alignment of the elements of a symbol with a profile, and the misfit of each digit there.
///
/// Source of the idea: Gallo and Manduchi, "Reading 1D Barcodes with Mobile Phones Using Deformable Templates" (IEEE
/// PAMI 2011): the patterns of each digit are fitted to the gray levels, each with its own shift and width, without
/// binarization. Here a best path through the ends of the elements joins them (dynamic programming).
struct EANAlignment {
    /// The largest offset of the end of an element from its nominal location, in samples: two modules.
    private static let reach = 10
    /// The cost of a width that differs by one sample, as a share of the variance of an element.
    private static let stretchCost: Float = 0.004
    /// The largest excess of a path over the best one, in misfits of a module, at which it is still followed (beam
    /// search): a mismatch of an element of seven modules costs up to five.
    private static let beam: Float = 2
    /// The misfit of a module from which on a profile is not a symbol: half of it is noise.
    private static let largestMisfit: Float = 0.45
    /// The number of quiet samples before and after the elements, required for the reach.
    private static let border = reach + 8

    /// The misfit of each pattern of each element per module, as a share of the surrounding variance.
    let misfits: [[Float]]
    /// The misfit of the best path, per module.
    let misfit: Float
    /// The range from the first to the last bar of the symbol in the profile, in samples.
    let range: Range<Double>
    /// The profile at the rate of the templates, and the location of each element on the best path.
    let samples: [Float]
    let spans: [Span]

    /// The location of an element on the best path.
    struct Span {
        /// The index of its first sample.
        var start: Int
        /// Its width, as an index of ``EANTemplates/widthRange``.
        var rank: Int
    }

    /// Aligns a symbol with a profile; `nil` if the misfit exceeds that of noise or `largestMisfit`.
    init?(
        _ darkness: [Float], _ placement: EANPlacement, _ layout: EANLayout, _ templates: EANTemplates,
        largestMisfit: Float = Self.largestMisfit
    ) {
        let rate = EANTemplates.samplesPerModule
        let quiet = EANLayout.quietModules
        let count = (layout.modules + 2 * quiet) * rate + 2 * Self.border
        let step = 1 / Double(layout.modules * rate)
        func place(_ sample: Double) -> Double {
            placement.place((sample - Double(Self.border + quiet * rate)) * step)
        }
        samples = (0..<count).map { Self.value(darkness, at: place(Double($0) + 0.5) - 0.5) }
        let worst = min(Self.largestMisfit, largestMisfit) * Float(layout.modules)
        guard let path = Path(samples, layout, templates, worst: worst) else { return nil }
        misfit = path.cost / Float(layout.modules)
        misfits = path.misfits
        spans = path.spans
        let start = place(Double(Self.border + quiet * rate + path.first - Self.reach))
        let end = place(Double(count - Self.border - quiet * rate + path.last - Self.reach))
        guard start < end else { return nil }
        range = start..<end
    }

    /// The best path through the ends of the elements.
    private struct Path {
        /// The misfit of its elements, in misfits of a module.
        let cost: Float
        /// The offsets of its ends from their nominal location and ``reach`` before it, in samples.
        private(set) var first: Int
        let last: Int
        private(set) var misfits: [[Float]] = []
        private(set) var spans: [Span] = []

        /// The cost of every pattern of an element at each offset of its start and each width, and the best width for
        /// each offset of its end.
        private struct Step {
            var cells: [Float]
            var changes: [Int8]
        }

        private static let offsets = 2 * reach + 1
        private static let far = Float.greatestFiniteMagnitude / 4

        /// Finds the path; `nil` if it costs more than `worst`.
        init?(_ samples: [Float], _ layout: EANLayout, _ templates: EANTemplates, worst: Float) {
            let sums = RunningSums(samples)
            var costs = [Float](repeating: 0, count: Self.offsets)
            var steps: [Step] = []
            var nominal = border
            for (index, element) in layout.elements.enumerated() {
                let length = element.modules * EANTemplates.samplesPerModule
                let around = sums.variance(
                    around: nominal + length / 2, reach: 10 * EANTemplates.samplesPerModule)
                steps.append(
                    Self.step(
                        samples, sums, from: nominal, &costs, templates.shapes[index],
                        patterns: element.patterns.count, scale: 1 / max(around, 1e-3) * Float(element.modules)))
                nominal += length
                guard (costs.min() ?? Self.far) <= worst else { return nil }
            }
            guard let last = costs.indices.min(by: { costs[$0] < costs[$1] }), costs[last] < Self.far else {
                return nil
            }
            cost = costs[last]
            self.last = last
            first = last
            trace(steps, layout, end: nominal)
        }

        /// Continues all paths by an element, and updates the cost of the best path to each offset.
        private static func step(
            _ samples: [Float], _ sums: RunningSums, from nominal: Int, _ costs: inout [Float],
            _ shapesOfElement: [EANTemplates.Shapes], patterns: Int, scale: Float
        ) -> Step {
            let widths = EANTemplates.widthRange
            var cells = [Float](repeating: far, count: offsets * widths.count * patterns)
            var next = [Float](repeating: far, count: offsets)
            var changes = [Int8](repeating: 0, count: offsets)
            let limit = (costs.min() ?? 0) + beam
            for offset in 0..<offsets where costs[offset] <= limit {
                for (rank, change) in widths.enumerated() {
                    let target = offset + change
                    guard target >= 0, target < offsets else { continue }
                    let place = (offset * widths.count + rank) * patterns
                    let start = nominal + offset - reach
                    let shapes = shapesOfElement[rank]
                    let best = fit(
                        samples, from: start, energy: sums.energy(start..<start + shapes.count), shapes,
                        scale: scale, stretch: stretchCost * Float(change * change), into: &cells, at: place)
                    if costs[offset] + best < next[target] {
                        next[target] = costs[offset] + best
                        changes[target] = Int8(change)
                    }
                }
            }
            costs = next
            return Step(cells: cells, changes: changes)
        }

        /// Traces the path back; each pattern may be off by one sample.
        private mutating func trace(_ steps: [Step], _ layout: EANLayout, end: Int) {
            let widths = EANTemplates.widthRange
            var (offset, nominal) = (last, end)
            for (step, element) in zip(steps, layout.elements).reversed() {
                let change = Int(step.changes[offset])
                offset -= change
                nominal -= element.modules * EANTemplates.samplesPerModule
                spans.append(Span(start: nominal + offset - reach, rank: change - widths.lowerBound))
                let patterns = element.patterns.count
                var best = [Float](repeating: Self.far, count: patterns)
                for other in max(0, offset - 1)...min(Self.offsets - 1, offset + 1) {
                    for rank in 0..<widths.count where abs(widths.lowerBound + rank - change) <= 1 {
                        let place = (other * widths.count + rank) * patterns
                        for pattern in 0..<patterns { best[pattern] = min(best[pattern], step.cells[place + pattern]) }
                    }
                }
                misfits.append(best)
            }
            misfits.reverse()
            spans.reverse()
            first = offset
        }
    }

    /// Computes the residual of the fit of each pattern, invariant to brightness and contrast, and returns the least.
    ///
    /// - Precondition: `samples` has eight more samples after the last that a shape covers.
    @inline(__always)
    private static func fit(
        _ samples: [Float], from: Int, energy: Float, _ shapes: EANTemplates.Shapes, scale: Float, stretch: Float,
        into cells: inout [Float], at place: Int
    ) -> Float {
        let patterns = shapes.norms.count
        precondition(from >= 0 && from + shapes.stride <= samples.count)
        precondition(place >= 0 && place + patterns <= cells.count && patterns * shapes.stride <= shapes.values.count)
        let factor = scale / Float(shapes.count)
        let least = stretch * Float(shapes.count)
        // Without a check for each sample: this is the innermost loop of all fits.
        return samples.withUnsafeBytes { samples in
            shapes.values.withUnsafeBytes { values in
                cells.withUnsafeMutableBufferPointer { cells in
                    var best = Float.infinity
                    for pattern in 0..<patterns {
                        let start = pattern &* shapes.stride
                        // Eight at a time, because the compiler may not reorder the additions.
                        func load(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> SIMD8<Float> {
                            bytes.loadUnaligned(fromByteOffset: index &* 4, as: SIMD8<Float>.self)
                        }
                        var lanes = SIMD8<Float>()
                        var sample = 0
                        while sample < shapes.stride {
                            lanes += load(samples, from &+ sample) * load(values, start &+ sample)
                            sample &+= 8
                        }
                        let product = max(0, lanes.sum())
                        let cost = (energy - product * product) * factor + least
                        cells[place &+ pattern] = cost
                        best = min(best, cost)
                    }
                    return best
                }
            }
        }
    }

    /// Returns the cubic interpolation of a profile (Keys 1981).
    private static func value(_ values: [Float], at x: Double) -> Float {
        // Truncated instead of rounded, which is a function call on the oldest processors.
        let x = min(max(x, -10), Double(values.count + 10)) + 16
        let place = Int(x) - 16
        let t = Float(x - Double(place + 16))
        let (a, b, c, d): (Float, Float, Float, Float)
        if place >= 1, place + 2 < values.count {
            (a, b, c, d) = (values[place - 1], values[place], values[place + 1], values[place + 2])
        } else {
            func value(_ offset: Int) -> Float { values[min(max(place + offset, 0), values.count - 1)] }
            (a, b, c, d) = (value(-1), value(0), value(1), value(2))
        }
        return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
    }
}

/// Cumulative sums of the samples and their squares, which give the energy of any range in two subtractions.
private struct RunningSums {
    private var sums: [(values: Double, squares: Double)] = [(0, 0)]

    init(_ samples: [Float]) {
        sums.reserveCapacity(samples.count + 1)
        var (values, squares) = (0.0, 0.0)
        for sample in samples {
            values += Double(sample)
            squares += Double(sample) * Double(sample)
            sums.append((values, squares))
        }
    }

    /// Returns the sum of the squared deviations from the mean.
    func energy(_ range: Range<Int>) -> Float {
        let (first, last) = (sums[range.lowerBound], sums[range.upperBound])
        let sum = last.values - first.values
        return Float(max(0, last.squares - first.squares - sum * sum / Double(range.count)))
    }

    /// Returns the variance around a sample, clamped to the available range.
    func variance(around place: Int, reach: Int) -> Float {
        let range = max(0, place - reach)..<min(sums.count - 1, place + reach)
        return energy(range) / Float(range.count)
    }
}
