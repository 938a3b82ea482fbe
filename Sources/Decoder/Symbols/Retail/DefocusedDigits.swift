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
    /// The smallest lead of a digit over any other at its location, in the same unit.
    let lead: Double

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
            let rest = (first..<first + Self.modulesOfDigit * rate).reduce(Float(0)) {
                $0 + (ink[$1] - drawn[$1]) * (ink[$1] - drawn[$1])
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
        /// Twice the product of each pattern with each one of the next digit.
        fileprivate let leftToLeft: [Float]
        fileprivate let leftToRight: [Float]
        fileprivate let rightToRight: [Float]

        init(_ blur: DefocusBlur) {
            self.blur = blur
            guards = DefocusedDigits.drawn(DefocusedDigits.guards, blur)
            func product(_ one: [Int], _ other: [Int], distance: Int) -> Float {
                one.reduce(0) { sum, a in other.reduce(sum) { $0 + blur.product(abs(distance + $1 - a)) } }
            }
            own = shapes.map { product($0, $0, distance: 0) }
            func table(_ ones: Range<Int>, _ others: Range<Int>, distance: Int) -> [Float] {
                ones.flatMap { one in others.map { 2 * product(shapes[one], shapes[$0], distance: distance) } }
            }
            leftToLeft = table(left, left, distance: 7)
            // The middle guard is between them.
            leftToRight = table(left, right, distance: 12)
            rightToRight = table(right, right, distance: 7)
        }

        /// Returns the cost of the patterns of a digit and the next one together, beside their own.
        fileprivate func joint(_ digit: Int, _ pattern: Int, _ following: Int) -> Float {
            switch digit {
            case ..<5: leftToLeft[pattern * left.count + following]
            case 5: leftToRight[pattern * right.count + following]
            default: rightToRight[pattern * right.count + following]
            }
        }
    }

    /// Finds the digits in a profile; `nil` if it has no contrast.
    ///
    /// - Parameters:
    ///   - ink: the share of ink at each sample, 0 for paper and 1 for a wide bar.
    init?(_ ink: [Float], _ products: Products) {
        let blur = products.blur
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
        // The product of the rest with a blurred module at each location.
        let seen = (0..<Self.layout.modules).map { module -> Float in
            let start = (module + Self.quietModules) * DefocusBlur.samplesPerModule - blur.reach
            let places = max(0, -start)..<min(blur.module.count, rest.count - start)
            return InkLevels.product(blur.module[places], rest[start + places.lowerBound..<start + places.upperBound])
        }
        func cost(_ digit: Int, _ shape: Int) -> Float {
            products.own[shape] - 2 * Self.shapes[shape].reduce(0) { $0 + seen[Self.starts[digit] + $1] }
        }
        let costs = Self.starts.indices.map { digit in Self.shapeIndices(digit).map { cost(digit, $0) } }
        // The smallest cost of the digits so far that end with each pattern, and the pattern before it.
        var least = costs[0]
        var origins: [[Int]] = []
        for digit in 1..<costs.count {
            let ways = costs[digit].indices.map { pattern -> (cost: Float, origin: Int) in
                var best = (cost: Float.infinity, origin: 0)
                for origin in least.indices {
                    let cost = least[origin] + products.joint(digit - 1, origin, pattern)
                    if cost < best.cost { best = (cost, origin) }
                }
                return best
            }
            least = zip(ways, costs[digit]).map { $0.cost + $1 }
            origins.append(ways.map(\.origin))
        }
        guard var pattern = least.indices.min(by: { least[$0] < least[$1] }) else { return nil }
        misfit = Double((energy + least[pattern]) / variance)
        var path = [pattern]
        for origin in origins.reversed() {
            pattern = origin[pattern]
            path.append(pattern)
        }
        path.reverse()
        let leads = path.indices.map { digit -> Float in
            let total = costs[digit].indices.map { pattern -> Float in
                var sum = costs[digit][pattern]
                if digit > 0 { sum += products.joint(digit - 1, path[digit - 1], pattern) }
                if digit + 1 < path.count { sum += products.joint(digit, pattern, path[digit + 1]) }
                return sum
            }
            let others = total.enumerated().filter { $0.offset != path[digit] }.map(\.element)
            return (others.min() ?? 0) - total[path[digit]]
        }
        patterns = path
        lead = Double((leads.min() ?? 0) / variance)
    }
}
