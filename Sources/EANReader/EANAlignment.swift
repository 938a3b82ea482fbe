/// The elements of a symbol laid over a profile so that they fit best, and how well each digit fits there.
///
/// Source of the idea: Gallo and Manduchi, "Reading 1D Barcodes with Mobile Phones Using Deformable Templates" (IEEE
/// PAMI 2011): each digit's patterns are fitted to the grey values, each with its own shift and width, and nothing is
/// made black or white before. Here a best path through the ends of the elements joins them.
struct EANAlignment {
    /// Samples by which the end of an element may lie off its nominal place: two modules.
    private static let reach = 10
    /// What a sample more or less of width costs, in parts of an element's variance.
    private static let stretchCost: Float = 0.004
    /// By how much a path may be worse than the best one so far and still be followed, in misfits of a module: an
    /// element of seven modules that fits nothing costs up to five.
    private static let beam: Float = 2
    /// The misfit of a module at which a profile is no symbol: half of all is noise.
    private static let largestMisfit: Float = 0.45
    /// Quiet samples before and after the elements, for what the reach needs.
    private static let border = reach + 8

    /// The misfit of each pattern of each element, in parts of the variance around, a module.
    let misfits: [[Float]]
    /// The misfit of the best path, a module.
    let misfit: Float
    /// The places of the symbol's first and last bar in the profile.
    let range: Range<Double>

    init?(_ darkness: [Float], _ placement: EANPlacement, _ layout: EANLayout, _ templates: EANTemplates) {
        let rate = EANTemplates.samplesPerModule
        let quiet = EANLayout.quietModules
        let count = (layout.modules + 2 * quiet) * rate + 2 * Self.border
        let step = 1 / Double(layout.modules * rate)
        func place(_ sample: Double) -> Double {
            placement.place((sample - Double(Self.border + quiet * rate)) * step)
        }
        let samples = (0..<count).map { Self.value(darkness, at: place(Double($0) + 0.5) - 0.5) }
        let spread = Self.spread(samples, over: 10 * rate)

        let reach = Self.reach
        let offsets = 2 * reach + 1
        let widths = EANTemplates.widthRange
        let far = Float.greatestFiniteMagnitude / 4
        let worst = Self.largestMisfit * Float(layout.modules)
        var costs = [Float](repeating: 0, count: offsets)
        var cells: [[Float]] = []
        var from: [[Int8]] = []
        var nominal = Self.border
        for (index, element) in layout.elements.enumerated() {
            let patterns = element.patterns.count
            let length = element.modules * rate
            let scale = 1 / max(spread[nominal + length / 2], 1e-3)
            var cell = [Float](repeating: far, count: offsets * widths.count * patterns)
            var next = [Float](repeating: far, count: offsets)
            var back = [Int8](repeating: 0, count: offsets)
            let limit = (costs.min() ?? 0) + Self.beam
            for offset in 0..<offsets where costs[offset] <= limit {
                for (rank, change) in widths.enumerated() {
                    let target = offset + change
                    guard target >= 0, target < offsets else { continue }
                    let place = (offset * widths.count + rank) * patterns
                    Self.fit(
                        samples, from: nominal + offset - reach, templates.shapes[index][rank],
                        scale: scale * Float(element.modules), stretch: Self.stretchCost * Float(change * change),
                        into: &cell, at: place)
                    var best = far
                    for pattern in 0..<patterns { best = min(best, cell[place + pattern]) }
                    if costs[offset] + best < next[target] {
                        next[target] = costs[offset] + best
                        back[target] = Int8(change)
                    }
                }
            }
            cells.append(cell)
            from.append(back)
            costs = next
            nominal += length
            guard (costs.min() ?? far) <= worst else { return nil }
        }
        guard let last = costs.indices.min(by: { costs[$0] < costs[$1] }), costs[last] < far else { return nil }
        misfit = costs[last] / Float(layout.modules)

        // Back along the path; each pattern may lie a sample off it.
        var misfits: [[Float]] = []
        var offset = last
        for index in layout.elements.indices.reversed() {
            let change = Int(from[index][offset])
            offset -= change
            let patterns = layout.elements[index].patterns.count
            var best = [Float](repeating: far, count: patterns)
            for other in max(0, offset - 1)...min(offsets - 1, offset + 1) {
                for rank in 0..<widths.count where abs(widths.lowerBound + rank - change) <= 1 {
                    let place = (other * widths.count + rank) * patterns
                    for pattern in 0..<patterns { best[pattern] = min(best[pattern], cells[index][place + pattern]) }
                }
            }
            misfits.append(best)
        }
        self.misfits = misfits.reversed()
        let start = place(Double(Self.border + quiet * rate + offset - reach))
        let end = place(Double(count - Self.border - quiet * rate + last - reach))
        guard start < end else { return nil }
        range = start..<end
    }

    /// What of the samples the templates leave unexplained, whatever the light and the contrast.
    @inline(__always)
    private static func fit(
        _ samples: [Float], from: Int, _ shapes: [[Float]], scale: Float, stretch: Float, into cell: inout [Float],
        at place: Int
    ) {
        let count = shapes[0].count
        samples.withUnsafeBufferPointer { samples in
            var (sum, squares): (Float, Float) = (0, 0)
            for sample in 0..<count {
                let value = samples[from + sample]
                sum += value
                squares += value * value
            }
            let energy = max(0, squares - sum * sum / Float(count))
            for (pattern, shape) in shapes.enumerated() {
                let product = shape.withUnsafeBufferPointer { shape in
                    var lanes = SIMD8<Float>()
                    var sample = 0
                    // Eight at a time: the innermost loop of all, which the compiler may not reorder by itself.
                    if let left = samples.baseAddress, let right = shape.baseAddress {
                        while sample + 8 <= count {
                            let a = UnsafeRawPointer(left + from + sample).loadUnaligned(as: SIMD8<Float>.self)
                            let b = UnsafeRawPointer(right + sample).loadUnaligned(as: SIMD8<Float>.self)
                            lanes += a * b
                            sample += 8
                        }
                    }
                    var product = lanes.sum()
                    while sample < count {
                        product += samples[from + sample] * shape[sample]
                        sample += 1
                    }
                    return product
                }
                let explained = product > 0 ? product * product : 0
                cell[place + pattern] = (energy - explained) / Float(count) * scale + stretch * Float(count)
            }
        }
    }

    /// The value between two of a profile, cubic (Keys 1981).
    private static func value(_ values: [Float], at x: Double) -> Float {
        let whole = x.rounded(.down)
        let t = Float(x - whole)
        let place = Int(min(max(whole, -10), Double(values.count + 10)))
        func value(_ offset: Int) -> Float { values[min(max(place + offset, 0), values.count - 1)] }
        let (a, b, c, d) = (value(-1), value(0), value(1), value(2))
        return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
    }

    /// The variance around each sample.
    private static func spread(_ samples: [Float], over reach: Int) -> [Float] {
        var sums: [(Double, Double)] = [(0, 0)]
        for sample in samples {
            let (sum, squares) = sums[sums.count - 1]
            sums.append((sum + Double(sample), squares + Double(sample) * Double(sample)))
        }
        return samples.indices.map { place in
            let (first, last) = (max(0, place - reach), min(samples.count, place + reach))
            let count = Double(last - first)
            let mean = (sums[last].0 - sums[first].0) / count
            return Float(max(0, (sums[last].1 - sums[first].1) / count - mean * mean))
        }
    }
}
