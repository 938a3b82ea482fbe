internal import BarcodeCore

/// The digits of an EAN-13 that together differ least from a blurred profile.
///
/// A blurred profile is the sum of its blurred modules. Its squared difference from a number is therefore a sum over
/// the modules and over pairs of modules that overlap. Only neighboring digits overlap, so that dynamic programming
/// (Viterbi 1967) finds the best of all combinations. Neither the check digit nor the sets of the left digits are used,
/// so that they confirm the result.
struct DefocusedDigits {
    /// The pattern of each digit: 0 to 9 of set A or C, 10 to 19 of set B.
    let patterns: [Int]
    /// The share of the variance of the profile that the digits do not explain.
    let misfit: Double

    static let layout = EANLayout.ean13
    /// The number of modules of paper that are compared on either side.
    static let quietModules = 4
    /// The number of samples of a profile.
    static let count = (layout.modules + 2 * quietModules) * DefocusBlur.samplesPerModule

    /// The first module of each digit.
    private static let starts: [Int] = {
        // The first and the last element contain two modules of paper.
        var (start, starts) = (-EANLayout.quietModules, [Int]())
        for element in layout.elements {
            if element.isDigit { starts.append(start) }
            start += element.modules
        }
        return starts
    }()
    /// The dark modules of the patterns of set A, B and C.
    private static let shapes: [[Int]] = [1, 11].flatMap { place in
        layout.elements.filter(\.isDigit)[place].patterns.map { pattern in
            pattern.indices.filter { pattern[$0] == 1 }
        }
    }
    /// The indices of the patterns of a left digit and of a right digit in ``shapes``.
    private static let (left, right) = (0..<20, 20..<30)
    /// The dark modules of the guards.
    private static let guards = [0, 2, 46, 48, 92, 94]

    private static let modulesOfDigit = 7

    /// Returns the share of the mean energy of a digit that the digits leave at each of them.
    ///
    /// - Parameter ink: the share of ink at each sample.
    func rests(_ ink: [Float], _ blur: DefocusBlur) -> [Double] {
        let (rate, drawn) = (DefocusBlur.samplesPerModule, drawn(blur))
        let inside = Self.quietModules * rate..<ink.count - Self.quietModules * rate
        let mean = ink[inside].reduce(0, +) / Float(inside.count)
        let energy = ink[inside].reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let unit = max(1e-6, energy * Float(Self.modulesOfDigit) / Float(Self.layout.modules))
        return Self.starts.map { start in
            let first = (start + Self.quietModules) * rate
            let rest = (first..<first + Self.modulesOfDigit * rate).reduce(Float(0)) { sum, index in
                let difference = ink[index] - drawn[index]
                return sum + difference * difference
            }
            return Double(rest / unit)
        }
    }

    private static func shapeIndices(_ digit: Int) -> Range<Int> { digit < 6 ? left : right }

    /// Draws the digits and the guards, blurred: the share of ink at each sample.
    func drawn(_ blur: DefocusBlur) -> [Float] {
        let modules = patterns.enumerated().flatMap { digit, pattern in
            Self.shapes[Self.shapeIndices(digit).lowerBound + pattern].map { Self.starts[digit] + $0 }
        }
        return Self.drawn(Self.guards + modules, blur)
    }

    private static func drawn(_ modules: [Int], _ blur: DefocusBlur) -> [Float] {
        var result = [Float](repeating: 0, count: count)
        for module in modules {
            let start = (module + quietModules) * DefocusBlur.samplesPerModule - blur.reach
            for place in max(0, -start)..<min(blur.module.count, count - start) {
                result[start + place] += blur.module[place]
            }
        }
        return result
    }

    /// The valid number of these digits, as 13 ASCII digits; `nil` if they are none.
    var number: [UInt8]? {
        let parities = patterns.prefix(6).reduce(0) { $0 << 1 | ($1 >= 10 ? 1 : 0) }
        guard let first = EANLayout.parities.firstIndex(of: parities) else { return nil }
        let bytes = ([first] + patterns.map { $0 % 10 }).map { UInt8(0x30 + $0) }
        return CheckDigit.isGS1Key(bytes) ? bytes : nil
    }

    /// The products of blurred patterns, which depend on the blur alone.
    struct Products {
        let blur: DefocusBlur
        /// The guards, drawn.
        fileprivate let guards: [Float]
        /// The product of each pattern with itself.
        fileprivate let own: [Float]
        /// Twice the product of each pattern of a digit with each one of the digit before, as ``Lanes``.
        private let leftToLeft: [SIMD4<Float>]
        private let leftToRight: [SIMD4<Float>]
        private let rightToRight: [SIMD4<Float>]

        init(_ blur: DefocusBlur) {
            self.blur = blur
            guards = DefocusedDigits.drawn(DefocusedDigits.guards, blur)
            func product(_ one: [Int], _ other: [Int], distance: Int) -> Float {
                one.reduce(0) { sum, a in other.reduce(sum) { $0 + blur.product(abs(distance + $1 - a)) } }
            }
            own = shapes.map { product($0, $0, distance: 0) }
            func table(_ before: Range<Int>, _ patterns: Range<Int>, distance: Int) -> [SIMD4<Float>] {
                patterns.flatMap { pattern in
                    Lanes.filled(before.map { 2 * product(shapes[$0], shapes[pattern], distance: distance) }, with: 0)
                }
            }
            leftToLeft = table(left, left, distance: 7)
            // The middle guard is between them.
            leftToRight = table(left, right, distance: 12)
            rightToRight = table(right, right, distance: 7)
        }

        /// Returns the costs of the patterns of a digit together with those of the digit before, beside their own.
        fileprivate func joint(_ digit: Int) -> [SIMD4<Float>] {
            digit < 6 ? leftToLeft : digit == 6 ? leftToRight : rightToRight
        }
    }

    /// A list with a value for each pattern of a digit: four to a vector, as many vectors for each digit.
    private enum Lanes {
        static let count = left.count / 4

        static func filled(_ values: [Float], with filler: Float) -> [SIMD4<Float>] {
            (0..<count).map { lane in
                SIMD4(
                    (4 * lane..<4 * lane + 4).map { (index: Int) -> Float in
                        index < values.count ? values[index] : filler
                    })
            }
        }
    }

    /// The costs of each digit's patterns by themselves, as ``Lanes``.
    private let costs: [SIMD4<Float>]
    private let products: Products
    private let variance: Float

    /// Finds the digits in a profile; `nil` if it has no contrast.
    ///
    /// - Parameters:
    ///   - ink: the share of ink at each sample, 0 for paper and 1 for a wide bar.
    ///   - products: the products of the patterns at the blur of the profile.
    init?(_ ink: [Float], _ products: Products) {
        var rest = ink
        var (energy, sum, squares): (Float, Float, Float) = (0, 0, 0)
        for place in ink.indices {
            rest[place] -= products.guards[place]
            energy += rest[place] * rest[place]
            sum += ink[place]
            squares += ink[place] * ink[place]
        }
        let variance = squares - sum * sum / Float(ink.count)
        guard variance > 1e-6 else { return nil }
        let costs = Self.costs(rest, products)
        // The smallest cost of the digits so far that end with each pattern.
        var least = Array(costs[..<Lanes.count])
        least.reserveCapacity(costs.count)
        for digit in 1..<Self.starts.count {
            let joint = products.joint(digit)
            let before = (digit - 1) * Lanes.count
            for lane in 0..<Lanes.count {
                var next = SIMD4<Float>(repeating: .infinity)
                for place in 0..<4 {
                    let row = (4 * lane + place) * Lanes.count
                    guard row < joint.count else { break }
                    var best = least[before] + joint[row]
                    for other in 1..<Lanes.count {
                        best = pointwiseMin(best, least[before + other] + joint[row + other])
                    }
                    next[place] = best.min()
                }
                least.append(next + costs[digit * Lanes.count + lane])
            }
        }
        let path = Self.path(least, products)
        let last = path[path.count - 1]
        misfit = Double((energy + least[least.count - Lanes.count + last / 4][last % 4]) / variance)
        patterns = path
        (self.costs, self.products, self.variance) = (costs, products, variance)
    }

    /// Returns the cost of each pattern of each digit by itself, as ``Lanes``.
    ///
    /// - Parameter rest: the share of ink at each sample without that of the guards.
    private static func costs(_ rest: [Float], _ products: Products) -> [SIMD4<Float>] {
        let blur = products.blur
        // The product of the rest with a blurred module at each location.
        let seen = (0..<layout.modules).map { module -> Float in
            let start = (module + quietModules) * DefocusBlur.samplesPerModule - blur.reach
            let places = max(0, -start)..<min(blur.module.count, rest.count - start)
            return InkLevels.product(blur.module[places], rest[start + places.lowerBound..<start + places.upperBound])
        }
        var costs: [SIMD4<Float>] = []
        costs.reserveCapacity(starts.count * Lanes.count)
        for digit in starts.indices {
            let indices = shapeIndices(digit)
            for lane in 0..<Lanes.count {
                var four = SIMD4<Float>(repeating: .infinity)
                for place in 0..<4 where 4 * lane + place < indices.count {
                    let shape = indices.lowerBound + 4 * lane + place
                    var product: Float = 0
                    for module in shapes[shape] { product += seen[starts[digit] + module] }
                    four[place] = products.own[shape] - 2 * product
                }
                costs.append(four)
            }
        }
        return costs
    }

    /// Returns the patterns that lead to the smallest cost of the last digit.
    private static func path(_ least: [SIMD4<Float>], _ products: Products) -> [Int] {
        var path = [Int](repeating: 0, count: starts.count)
        for digit in starts.indices.reversed() {
            var best = (cost: Float.infinity, pattern: 0)
            for pattern in 0..<shapeIndices(digit).count {
                var cost = least[digit * Lanes.count + pattern / 4][pattern % 4]
                if digit + 1 < starts.count {
                    cost += products.joint(digit + 1)[path[digit + 1] * Lanes.count + pattern / 4][pattern % 4]
                }
                if cost < best.cost { best = (cost, pattern) }
            }
            path[digit] = best.pattern
        }
        return path
    }

    /// The smallest lead of a digit over any other at its location, as a share of the variance of the profile.
    var lead: Double {
        let leads = patterns.indices.map { digit -> Float in
            var (own, other) = (Float.infinity, Float.infinity)
            for pattern in 0..<Self.shapeIndices(digit).count {
                let (lane, place) = (pattern / 4, pattern % 4)
                var cost = costs[digit * Lanes.count + lane][place]
                if digit > 0 {
                    let before = patterns[digit - 1]
                    cost += products.joint(digit)[pattern * Lanes.count + before / 4][before % 4]
                }
                if digit + 1 < patterns.count {
                    cost += products.joint(digit + 1)[patterns[digit + 1] * Lanes.count + lane][place]
                }
                if pattern == patterns[digit] { own = cost } else { other = min(other, cost) }
            }
            return other - own
        }
        return Double((leads.min() ?? 0) / variance)
    }
}
