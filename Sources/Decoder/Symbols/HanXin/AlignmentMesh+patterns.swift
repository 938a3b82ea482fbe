import BarcodeCore

extension AlignmentMesh {
    /// The minimum distance of two nodes, in modules: the lines of Han Xin's lattice are 14 to 23 apart.
    private static let spacing = 18.0
    /// The range in modules around a node in which its function patterns are correlated.
    private static let reach = 10
    /// The minimum correlation of the patterns around a node.
    private static let minimumScore: Float = 0.5

    /// Creates the mesh of a symbol whose function patterns are spread over all of it; `nil` if the symbol is too
    /// small or too few nodes are found.
    ///
    /// - Parameter sign: 1 for dark on light, -1 for light on dark.
    init?(_ pixels: PixelSampler, map: Homography, patterns: FunctionPatterns, sign: Float) {
        let side = patterns.width
        let count = Int(Double(side) / Self.spacing) + 1
        guard count >= 3 else { return nil }
        let positions = (0..<count).map { Double($0) * Double(side) / Double(count - 1) }
        var found = [Point?](repeating: nil, count: count * count)
        for row in 0..<count {
            for column in 0..<count {
                let known = Self.known(patterns, x: Int(positions[column]), y: Int(positions[row]))
                let place = row * count + column
                let left = column > 0 ? found[place - 1] : nil
                let upper = row > 0 ? found[place - count] : nil
                let start = Self.mean(left, upper) ?? Point(x: 0, y: 0)
                let best = pixels.search(around: (start.x, start.y), reach: 3) { x, y in
                    var correlation = PatternCorrelation()
                    for module in known {
                        correlation.add(pixels.brightness(map.map(module.x + x, module.y + y)), isDark: module.isDark)
                    }
                    return sign * correlation.value
                }
                if best.score >= Self.minimumScore { found[place] = Point(x: best.x, y: best.y) }
            }
        }
        guard found.compactMap({ $0 }).count > 3 else { return nil }
        self.init(positions: positions, found: found)
    }

    /// Returns the centers and tones of the function pattern modules around a point.
    private static func known(_ patterns: FunctionPatterns, x: Int, y: Int) -> [(x: Double, y: Double, isDark: Bool)] {
        var known: [(x: Double, y: Double, isDark: Bool)] = []
        for row in max(0, y - reach)..<min(patterns.height, y + reach + 1) {
            for column in max(0, x - reach)..<min(patterns.width, x + reach + 1) {
                let role = patterns.roles[row * patterns.width + column]
                guard role == .dark || role == .light else { continue }
                known.append((Double(column) + 0.5, Double(row) + 0.5, role == .dark))
            }
        }
        return known
    }
}
