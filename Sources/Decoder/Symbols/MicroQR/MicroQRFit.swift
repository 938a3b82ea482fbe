internal import BarcodeCore

/// The perspective transform of a symbol of a known size, fitted from its finder pattern to its far corner.
struct MicroQRFit {
    let size: MicroQRSize
    let map: Homography
    /// The correlation of the function patterns outside the finder pattern with the image, at most 1.
    let score: Float

    /// Returns the columns and rows common to all symbols of a kind: those with the finder pattern and the format
    /// information.
    private static func corner(_ kind: MicroQRSize.Kind) -> (patterns: FunctionPatterns, columns: Int, rows: Int) {
        switch kind {
        case .square: (MicroQRSize.squares[0].patterns, 11, 11)
        // The seventh row is the last in some sizes.
        case .rectangular: (MicroQRSize.rectangles[MicroQRSize.rectangles.count - 1].patterns, 12, 6)
        }
    }

    /// Returns the transform of a candidate, fitted to the edges of the finder pattern and the first modules of the
    /// timing patterns.
    static func nearFinder(_ pixels: PixelSampler, _ candidate: MicroQRCandidate) -> Homography {
        let (patterns, columns, rows) = corner(candidate.kind)
        return EdgeFit(pixels, patterns: patterns, columns: columns, rows: rows, isInverted: candidate.isInverted)
            .refined(candidate.map)
    }

    /// The smallest correlation of a finder pattern whose corners are fitted.
    private static let leastFinder: Float = 0.6

    /// Returns the corners of a finder pattern, fitted to the edges of its rings; `nil` if it hardly looks like one.
    ///
    /// At two pixels a module, corners from a binary image are too inaccurate four modules further out.
    static func refined(_ pixels: PixelSampler, finder: Quadrilateral, isInverted: Bool) -> Quadrilateral? {
        guard let map = Homography(size: 7, to: finder),
            pixels.quickFinderScore(map, x: 3.5, y: 3.5, module: 1) * (isInverted ? -1 : 1) >= leastFinder
        else { return nil }
        // It is light on all four sides, like the upper left corner of a symbol with its separator.
        let fitted = EdgeFit(
            pixels, patterns: corner(.rectangular).patterns, columns: 8, rows: 8, isInverted: isInverted
        ).refined(map)
        return fitted == map ? nil : fitted.quadrilateral(side: 7)
    }

    /// Returns the possible formats of a candidate, best first.
    static func formats(_ pixels: PixelSampler, _ candidate: MicroQRCandidate, map: Homography) -> [MicroQRFormat] {
        let (_, columns, rows) = corner(candidate.kind)
        let samples = ModuleSamples(pixels, map: map, width: columns, height: rows)
        var all: [MicroQRFormat] = []
        for threshold in [ModuleThreshold.localMidpoint, .sharpened] {
            let grid = samples.grid(threshold, isInverted: candidate.isInverted)
            var found = MicroQRFormat.candidates(in: grid, kind: candidate.kind, isPartial: true)
            if candidate.kind == .square {
                found += MicroQRFormat.candidates(in: grid.transposed(), kind: candidate.kind, isPartial: true)
            }
            all += found
        }
        // One fit for each size.
        var numbers: Set<Int> = []
        return all.sorted { $0.distance < $1.distance }.filter { numbers.insert($0.number).inserted }
    }

    /// Fits the transform outwards from `map`, which is accurate near the finder pattern.
    init(_ pixels: PixelSampler, _ candidate: MicroQRCandidate, map: Homography, size: MicroQRSize, growth: Double) {
        self.size = size
        let largest = Double(max(size.width, size.height) + 1)
        var map = map
        var reach = 12.0
        repeat {
            reach = min(reach * growth, largest)
            map = EdgeFit(
                pixels, patterns: size.patterns, columns: Int(reach), rows: Int(reach), isInverted: candidate.isInverted
            ).refined(map)
        } while reach < largest
        self.map = map
        var correlation = PatternCorrelation()
        for (index, role) in size.patterns.roles.enumerated() where role == .dark || role == .light {
            let (y, x) = index.quotientAndRemainder(dividingBy: size.width)
            guard x > 7 || y > 7 else { continue }
            let value = pixels.brightness(map.map(Double(x) + 0.5, Double(y) + 0.5))
            correlation.add(value, isDark: (role == .dark) != candidate.isInverted)
        }
        score = correlation.value
    }
}
