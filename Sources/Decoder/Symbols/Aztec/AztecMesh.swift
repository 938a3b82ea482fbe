import BarcodeCore

/// The crossings of the reference grid, which show the location of the modules in a symbol that is not flat.
///
/// Source: ISO/IEC 24778, "Reference grid": every sixteenth row and column from the center alternates between dark and
/// light modules.
extension AlignmentMesh {
    /// The number of modules that are compared along each of the four arms of a crossing.
    private static let armLength = 5
    private static let minimumScore: Float = 0.6

    /// Locates the crossings of a symbol's reference grid; `nil` if the symbol has no reference grid or at most three
    /// crossings are found.
    init?(_ pixels: PixelSampler, map: Homography, size: AztecSize, isInverted: Bool) {
        let lines = size.gridLines
        guard lines > 0 else { return nil }
        let middle = Double(size.side) / 2
        let positions = (-lines...lines).map { middle + Double($0 * AztecSize.gridPitch) }
        let width = positions.count
        var found = [Point?](repeating: nil, count: width * width)
        // The search goes outward from the center. Each node starts from the shifts of its neighbors nearer to the
        // center.
        let nodes = (0..<width * width).sorted {
            let (one, other) = (Self.ring($0, width: width), Self.ring($1, width: width))
            return one != other ? one < other : $0 < $1
        }
        for node in nodes {
            let (row, column) = (node / width, node % width)
            if row == lines, column == lines {
                found[node] = Point(x: 0, y: 0)
                continue
            }
            let inner = Self.mean(
                column == lines ? nil : found[node + (column < lines ? 1 : -1)],
                row == lines ? nil : found[node + (row < lines ? width : -width)])
            let start = inner ?? Point(x: 0, y: 0)
            let (x, y) = (positions[column], positions[row])
            let best = pixels.search(around: (x + start.x, y + start.y), reach: 3) {
                pixels.crossingScore(map, x: $0, y: $1, armLength: Self.armLength, isInverted: isInverted)
            }
            if best.score >= Self.minimumScore { found[node] = Point(x: best.x - x, y: best.y - y) }
        }
        guard found.compactMap({ $0 }).count > 3 else { return nil }
        self.init(positions: positions, found: found)
    }

    /// The number of crossings between a node and the center: the sum along both axes.
    private static func ring(_ node: Int, width: Int) -> Int {
        abs(node / width - width / 2) + abs(node % width - width / 2)
    }
}

extension PixelSampler {
    /// The correlation with a crossing of two lines of Aztec's reference grid around a center, in modules of `map`.
    fileprivate func crossingScore(
        _ map: Homography, x: Double, y: Double, armLength: Int, isInverted: Bool
    ) -> Float {
        var correlation = PatternCorrelation()
        for along in -armLength...armLength {
            let isDark = (along % 2 == 0) != isInverted
            correlation.add(brightness(map.map(x + Double(along), y)), isDark: isDark)
            if along != 0 { correlation.add(brightness(map.map(x, y + Double(along))), isDark: isDark) }
        }
        return correlation.value
    }
}
