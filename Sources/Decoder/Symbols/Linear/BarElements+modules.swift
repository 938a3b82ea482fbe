/// Makes modules equally wide that shrink toward the sides of a round package.
extension BarElements {
    /// The largest ratio of the module size between two edges to the one expected from its neighbors, and of any two
    /// sizes: the sides of a package are seen at 75 degrees.
    private static let largestStretch: Float = 1.25
    private static let largestForeshortening: Float = 4
    /// The largest ratio of the widths of neighboring characters, two of a Code 128 at 60 degrees.
    private static let largestStep: Float = 1.8
    /// The widest gap between two characters, as a share of these: that of a Code 39 has up to 5.3 of 16 modules.
    private static let widestGap: Float = 0.35
    /// The smallest ratio of the widths of two characters that cannot be read as they are.
    private static let smallestForeshortening: Float = 1.2

    /// Returns the line with characters of one width, for a symbol whose characters all have the same number of modules;
    /// `nil` if there is none, or its characters are about equally wide.
    ///
    /// - Parameters:
    ///   - start: the index of the first element of the symbol.
    ///   - size: the number of elements of a character.
    ///   - modules: the number of modules of a character.
    ///   - gap: the number of elements between two characters, 0 or 1.
    ///   - quiet: the quiet zone that is required, in modules.
    func withEqualCharacters(
        from start: Int, size: Int, modules: Float, gap: Int = 0, quiet: Float
    ) -> BarElements? {
        var last = width(start..<start + size)
        // Most places fail here.
        guard isClear(before: start, quiet: quiet, module: last / modules) else { return nil }
        var place = start
        var (least, most) = (last, last)
        var gaps: Float = 0
        var knots = [(edge: start, modules: Float(0))]
        while place + gap + 2 * size <= widths.count {
            let next = place + size + gap
            let width = width(next..<next + size)
            guard max(width, last) <= Self.largestStep * min(width, last) else { break }
            if gap > 0 {
                let share = 2 * widths[next - 1] / (width + last)
                guard share <= Self.widestGap else { break }
                gaps += share
            }
            (least, most, last) = (min(least, width), max(most, width), width)
            place = next
            knots.append((place, Float(knots.count)))
        }
        guard knots.count > 2, most >= Self.smallestForeshortening * least else { return nil }
        // The gaps between the characters are equally wide too, and there is none after the last character.
        let share = gaps / Float(knots.count - 1)
        let end = Float(knots.count - 1) + 1 / (1 + share)
        return withEqualModules(at: knots + [(place + size, end)])
    }

    /// Returns the line with modules of one size, if their size changes smoothly along it; else `nil`.
    ///
    /// Around a round package modules shrink toward its sides. A cubic curve (Hermite) leads through the edges whose
    /// distance in modules is known, with the slopes of parabolas through three neighbors; beyond them it is straight.
    ///
    /// - Parameter knots: the indices of these edges and their distances from any place, in modules, both ascending.
    func withEqualModules(at knots: [(edge: Int, modules: Float)]) -> BarElements? {
        let count = knots.count
        guard count >= 4, let first = knots.first, let last = knots.last else { return nil }
        let places = knots.map { edges[$0.edge] }
        // The numbers of modules a sample, between two knots each.
        let rates = (1..<count).map {
            (knots[$0].modules - knots[$0 - 1].modules) / max(places[$0] - places[$0 - 1], .leastNormalMagnitude)
        }
        guard let least = rates.min(), let most = rates.max(), most <= Self.largestForeshortening * least else {
            return nil
        }
        for place in rates.indices {
            let expected =
                switch place {
                case 0: 2 * rates[1] - rates[2]
                case rates.count - 1: 2 * rates[place - 1] - rates[place - 2]
                default: (rates[place - 1] + rates[place + 1]) / 2
                }
            guard max(rates[place], expected) <= Self.largestStretch * min(rates[place], expected) else { return nil }
        }
        var slopes = [Float](repeating: 0, count: count)
        for knot in 1..<count - 1 {
            let (before, after) = (places[knot] - places[knot - 1], places[knot + 1] - places[knot])
            slopes[knot] = (rates[knot - 1] * after + rates[knot] * before) / (before + after)
        }
        slopes[0] = 2 * rates[0] - slopes[1]
        slopes[count - 1] = 2 * rates[count - 2] - slopes[count - 2]
        let module = (places[count - 1] - places[0]) / (last.modules - first.modules)
        func distance(_ place: Float, _ knot: Int) -> Float {
            if place <= places[0] { return first.modules + (place - places[0]) * slopes[0] }
            if place >= places[count - 1] { return last.modules + (place - places[count - 1]) * slopes[count - 1] }
            let width = places[knot + 1] - places[knot]
            let t = (place - places[knot]) / width
            let (one, two) = (slopes[knot] * width, slopes[knot + 1] * width)
            let rise = knots[knot + 1].modules - knots[knot].modules
            return knots[knot].modules + t * (one + t * (3 * rise - 2 * one - two + t * (one + two - 2 * rise)))
        }
        var knot = 0
        let even = edges.indices.map { edge in
            while knot < count - 2, edge >= knots[knot + 1].edge { knot += 1 }
            return module * distance(edges[edge], knot)
        }
        return BarElements(
            even, quiet: (quiet.before * slopes[0] * module, quiet.after * slopes[count - 1] * module), of: self)
    }
}
