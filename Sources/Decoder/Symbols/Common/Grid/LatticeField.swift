internal import BarcodeCore
internal import Glibc

/// The shifts of the modules of a bent or crumpled sheet from a homography, measured from the edges alone.
///
/// The edges between modules lie on a lattice with a period of one module. Folded at this period, their strength has
/// a phase that gives the offset of the lattice anywhere in the symbol, without any pattern there. The phase is
/// ambiguous by whole modules, which are counted from the finder patterns outward, the clearest modules first (phase
/// unwrapping). Source: the demodulation and unwrapping of a carrier fringe in Takeda, Ina and Kobayashi,
/// Fourier-transform method of fringe-pattern analysis, 1982, and the order of quality in Ghiglia and Pritt,
/// Two-Dimensional Phase Unwrapping, 1998.
struct LatticeField: ModuleShifts {
    /// The number of samples along a module.
    private static let sampling = 4
    /// The number of modules around the symbol that are sampled too, for the edges of its outermost modules.
    private static let margin = 1
    /// The maximum weight of an edge, as a multiple of the mean change of brightness: glare must not outweigh print.
    private static let strongest: Float = 3
    /// The minimum coherence (the share of edges in phase) of a module that is used.
    private static let leastCoherence: Float = 0.08
    /// The minimum mean coherence of a lattice.
    private static let leastMeanCoherence: Float = 0.08
    /// Half the averaging window of each round in modules; each window is applied twice.
    private static let windows = [2, 1, 1]

    private let size: Int
    /// The shift of each module, row by row, in modules.
    private var shifts: [Point]
    /// The smaller coherence of both directions in each module, from 0 to 1.
    private var coherence: [Float] = []

    /// Measures the field of a symbol with `size` modules a side whose finder patterns are located by `map`.
    ///
    /// `nil` if the edges are not in phase with any lattice.
    ///
    /// - Parameter start: the known part of the shifts: edges that are more than half a module off are counted wrong.
    /// - Precondition: `size` is that of a version, at least 21.
    init?(_ pixels: PixelSampler, map: Homography, size: Int, start: (any ModuleShifts)? = nil) {
        self.size = size
        shifts = (0..<size * size).map { module in
            start?.shift(Double(module % size) + 0.5, Double(module / size) + 0.5) ?? Point(x: 0, y: 0)
        }
        for (round, window) in Self.windows.enumerated() {
            let phases = LatticePhases(
                pixels, map: map, size: size, shifts: round == 0 && start == nil ? nil : self, sampling: Self.sampling,
                margin: Self.margin, strongest: Self.strongest)
            guard let across = offsets(phases.across, window: window, isFirst: round == 0),
                let down = offsets(phases.down, window: window, isFirst: round == 0)
            else { return nil }
            follow(zip(across.values, down.values).map { Point(x: Double($0), y: Double($1)) })
            coherence = zip(across.coherence, down.coherence).map { min($0, $1) }
        }
    }

    /// Composes the present field with one that was measured on top of it.
    private mutating func follow(_ seen: [Point]) {
        let before = self
        let further = LatticeField(size: size, shifts: seen)
        for y in 0..<size {
            for x in 0..<size {
                // A lattice line seen at u + r(u) belongs to u.
                var step = seen[y * size + x]
                let (centerX, centerY) = (Double(x) + 0.5, Double(y) + 0.5)
                for _ in 0..<2 { step = further.shift(centerX + step.x, centerY + step.y) }
                let base = before.shift(centerX + step.x, centerY + step.y)
                shifts[y * size + x] = Point(x: base.x + step.x, y: base.y + step.y)
            }
        }
    }

    private init(size: Int, shifts: [Point]) {
        self.size = size
        self.shifts = shifts
    }

    /// Returns the shift at a point, both in modules.
    func shift(_ x: Double, _ y: Double) -> Point {
        let last = Double(size - 1)
        let (placeX, placeY) = (min(max(x - 0.5, 0), last), min(max(y - 0.5, 0), last))
        guard placeX.isFinite, placeY.isFinite else { return Point(x: 0, y: 0) }
        let (left, top) = (min(Int(placeX), size - 2), min(Int(placeY), size - 2))
        let (right, lower) = (placeX - Double(left), placeY - Double(top))
        let place = top * size + left
        let (a, b, c, d) = (shifts[place], shifts[place + 1], shifts[place + size], shifts[place + size + 1])
        return Point(
            x: (a.x * (1 - right) + b.x * right) * (1 - lower) + (c.x * (1 - right) + d.x * right) * lower,
            y: (a.y * (1 - right) + b.y * right) * (1 - lower) + (c.y * (1 - right) + d.y * right) * lower)
    }

    /// Returns the polynomials that fit the modules where edges are in phase, which continue into the others.
    func polynomials(degree: Int) -> PolynomialShifts? {
        let samples = shifts.indices.map { module in
            PolynomialShifts.Sample(
                at: Point(x: Double(module % size) + 0.5, y: Double(module / size) + 0.5), shift: shifts[module],
                weight: Double(coherence[module] * coherence[module]))
        }
        return PolynomialShifts(fitting: samples, degree: degree, size: size)
    }

    /// Returns the offset of the lattice in each module, in modules, and the share of edges in phase; `nil` if hardly any edges are in phase.
    private func offsets(
        _ phases: [LatticePhases.Phase], window: Int, isFirst: Bool
    ) -> (values: [Float], coherence: [Float])? {
        var re = phases.map(\.re)
        var im = phases.map(\.im)
        var weight = phases.map(\.weight)
        for _ in 0..<2 {
            re = boxSums(re, window)
            im = boxSums(im, window)
            weight = boxSums(weight, window)
        }
        let heaviest = max(weight.max() ?? 0, 1)
        let coherence = re.indices.map { place -> Float in
            let length = (re[place] * re[place] + im[place] * im[place]).squareRoot()
            // If there are hardly any edges, they are in phase by chance.
            return length / max(weight[place], heaviest * 0.05)
        }
        guard coherence.reduce(0, +) / Float(coherence.count) >= Self.leastMeanCoherence else { return nil }
        let folded = re.indices.map { place in atan2f(im[place], re[place]) / (2 * .pi) }
        guard isFirst else {
            return (folded.indices.map { coherence[$0] < Self.leastCoherence ? 0 : folded[$0] * 0.9 }, coherence)
        }
        return (unfolded(folded, coherence), coherence)
    }

    private func boxSums(_ values: [Float], _ radius: Int) -> [Float] {
        var rows = [Float](repeating: 0, count: values.count)
        var result = rows
        // Adds a whole line at once, which the compiler can vectorize.
        func add(_ source: [Float], _ from: Int, _ target: inout [Float], _ to: Int, _ count: Int) {
            source.withUnsafeBufferPointer { source in
                target.withUnsafeMutableBufferPointer { target in
                    for place in 0..<max(0, count) { target[to + place] += source[from + place] }
                }
            }
        }
        for y in 0..<size {
            for other in -radius...radius {
                add(values, y * size + max(0, other), &rows, y * size + max(0, -other), size - abs(other))
            }
        }
        for y in 0..<size {
            for other in max(0, y - radius)...min(size - 1, y + radius) {
                add(rows, other * size, &result, y * size, size)
            }
        }
        return result
    }

    /// Adds whole modules to the folded offsets, from the finder patterns outward, the clearest modules first.
    private func unfolded(_ folded: [Float], _ coherence: [Float]) -> [Float] {
        let classes = 32
        var result = folded
        var isDone = [Bool](repeating: false, count: folded.count)
        var isQueued = isDone
        var queues = [[Int]](repeating: [], count: classes)
        func push(_ place: Int) {
            isQueued[place] = true
            queues[min(classes - 1, max(0, Int(coherence[place] * Float(classes))))].append(place)
        }
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { push(y * size + x) }
        while let level = queues.lastIndex(where: { !$0.isEmpty }), let place = queues[level].popLast() {
            let (y, x) = place.quotientAndRemainder(dividingBy: size)
            var sum: Float = 0
            var count: Float = 0
            for row in max(0, y - 1)...min(size - 1, y + 1) {
                for column in max(0, x - 1)...min(size - 1, x + 1) {
                    let other = row * size + column
                    if isDone[other] {
                        sum += result[other]
                        count += 1
                    } else if !isQueued[other] {
                        push(other)
                    }
                }
            }
            let expected = count > 0 ? sum / count : 0
            result[place] =
                coherence[place] < Self.leastCoherence
                ? expected : folded[place] + (expected - folded[place]).rounded()
            isDone[place] = true
        }
        return result
    }
}
