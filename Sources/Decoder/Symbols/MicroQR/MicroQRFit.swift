internal import BarcodeCore

/// The plane of a symbol of a known size, from its finder pattern to its far corner.
struct MicroQRFit {
    let size: MicroQRSize
    let map: Homography
    /// The correlation of the function patterns beyond the finder pattern with the picture, 1 at most.
    let score: Float

    /// Columns and rows that all symbols of a kind have in common: those with the finder pattern and the format
    /// information.
    private static func corner(_ kind: MicroQRSize.Kind) -> (patterns: FunctionPatterns, columns: Int, rows: Int) {
        switch kind {
        case .square: (MicroQRSize.squares[0].patterns, 11, 11)
        // The seventh row is the last one in some sizes.
        case .rectangular: (MicroQRSize.rectangles[MicroQRSize.rectangles.count - 1].patterns, 12, 6)
        }
    }

    /// The map of a place, fitted to the edges of the finder pattern and of the first modules of the timing patterns.
    static func nearFinder(_ pixels: PixelSampler, _ place: MicroQRPlace) -> Homography {
        let (patterns, columns, rows) = corner(place.kind)
        return EdgeFit(pixels, patterns: patterns, columns: columns, rows: rows, isInverted: place.isInverted)
            .refined(place.map)
    }

    /// The correlation of a finder pattern below which its corners are not worth a fit.
    private static let leastFinder: Float = 0.6

    /// The corners of a finder pattern, fitted to the edges of its rings; nil where it hardly looks like one.
    ///
    /// What two tones tell of a pattern of two pixels a module is off by too much four modules farther out.
    static func refined(_ pixels: PixelSampler, finder: Quadrilateral, isInverted: Bool) -> Quadrilateral? {
        guard let map = Homography(size: 7, to: finder),
            pixels.quickFinderScore(map, x: 3.5, y: 3.5, module: 1) * (isInverted ? -1 : 1) >= leastFinder
        else { return nil }
        // It is light on all four sides, as the upper left corner of the symbol is with its separator.
        let fitted = EdgeFit(
            pixels, patterns: corner(.rectangular).patterns, columns: 8, rows: 8, isInverted: isInverted
        ).refined(map)
        return fitted == map ? nil : fitted.quadrilateral(side: 7)
    }

    /// The formats that a place may have, the likeliest first.
    static func formats(_ pixels: PixelSampler, _ place: MicroQRPlace, map: Homography) -> [MicroQRFormat] {
        let (_, columns, rows) = corner(place.kind)
        let samples = ModuleSamples(pixels, map: map, width: columns, height: rows)
        var all: [MicroQRFormat] = []
        for threshold in [ModuleThreshold.localMidpoint, .sharpened] {
            let grid = samples.grid(threshold, isInverted: place.isInverted)
            var found = MicroQRFormat.candidates(in: grid, kind: place.kind, isPartial: true)
            if place.kind == .square {
                found += MicroQRFormat.candidates(in: grid.transposed(), kind: place.kind, isPartial: true)
            }
            all += found
        }
        // One fit for each size.
        var numbers: Set<Int> = []
        return all.sorted { $0.distance < $1.distance }.filter { numbers.insert($0.number).inserted }
    }

    /// Fits the plane from `map`, which is good near the finder pattern, outwards.
    init(_ pixels: PixelSampler, _ place: MicroQRPlace, map: Homography, size: MicroQRSize, growth: Double) {
        self.size = size
        let largest = Double(max(size.width, size.height) + 1)
        var map = map
        var reach = 12.0
        repeat {
            reach = min(reach * growth, largest)
            map = EdgeFit(
                pixels, patterns: size.patterns, columns: Int(reach), rows: Int(reach), isInverted: place.isInverted
            ).refined(map)
        } while reach < largest
        self.map = map
        var correlation = PatternCorrelation()
        for (index, role) in size.patterns.roles.enumerated() where role == .dark || role == .light {
            let (y, x) = index.quotientAndRemainder(dividingBy: size.width)
            guard x > 7 || y > 7 else { continue }
            let value = pixels.brightness(map.map(Double(x) + 0.5, Double(y) + 0.5))
            correlation.add(value, isDark: (role == .dark) != place.isInverted)
        }
        score = correlation.value
    }
}
