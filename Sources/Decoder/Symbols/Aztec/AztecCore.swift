import BarcodeCore

/// The middle of an Aztec symbol in a picture, and the plane that it lies in.
struct AztecCore {
    let isInverted: Bool
    /// From the modules of the smaller bull's-eye, 9 along a side, to pixels.
    private let map: Homography

    private static let coreSide = 9
    /// How well the rings that both kinds have must be seen: their correlation with the picture.
    private static let minimumScore: Float = 0.5

    /// The bull's-eye whose outline is given; nil where there is none.
    init?(_ pixels: PixelSampler, outline: Quadrilateral, isInverted: Bool) {
        guard let rough = Homography(size: AztecReader.outlineModules, to: outline),
            let start = rough.reframed(from: AztecReader.outlineModules, to: Self.coreSide)
        else { return nil }
        self.isInverted = isInverted
        let edges = EdgeFit(pixels, grid: Self.rings(Self.coreSide), isInverted: isInverted)
        map = edges.refined(start)
        guard Self.score(pixels, map, isInverted: isInverted) >= Self.minimumScore else { return nil }
    }

    /// Square rings around the middle: dark, light, dark and so on.
    private static func rings(_ side: Int) -> ModuleGrid {
        var grid = ModuleGrid(size: side)
        for y in 0..<side {
            for x in 0..<side { grid[x, y] = max(abs(x - side / 2), abs(y - side / 2)) % 2 == 0 }
        }
        return grid
    }

    private static func score(_ pixels: PixelSampler, _ map: Homography, isInverted: Bool) -> Float {
        var correlation = PatternCorrelation()
        let middle = Double(coreSide) / 2
        for y in -3...3 {
            for x in -3...3 {
                correlation.add(
                    pixels.brightness(map.map(middle + Double(x), middle + Double(y))),
                    isDark: (max(abs(x), abs(y)) % 2 == 0) != isInverted)
            }
        }
        return correlation.value
    }

    /// What the core may say, the clearest first.
    func modes(_ pixels: PixelSampler) -> [AztecMode] {
        let side = 2 * AztecSize.largestModeRadius + 1
        guard let start = map.reframed(from: Self.coreSide, to: side) else { return [] }
        // The three dark rings of a full symbol tell its plane better; they are not there in a compact one.
        let inner = map.reframed(from: Self.coreSide, to: side - 2)
        let full = inner.map { EdgeFit(pixels, grid: Self.rings(side - 2), isInverted: isInverted).refined($0) }
            .flatMap { $0.reframed(from: side - 2, to: side) }
        var found: [AztecMode] = []
        for map in [full, start].compactMap({ $0 }) {
            let samples = ModuleSamples(pixels, map: map, width: side, height: side)
            for threshold in [ModuleThreshold.localMidpoint, .global, .sharpened] {
                for mode in AztecMode.candidates(samples.grid(threshold, isInverted: isInverted)) {
                    if let known = found.firstIndex(where: { $0.isSame(as: mode) }) {
                        found[known].wrong = min(found[known].wrong, mode.wrong)
                    } else {
                        found.append(mode)
                    }
                }
                // One clear look is enough.
                if let best = found.first(where: { $0.wrong == 0 }) { return [best] }
            }
        }
        return found.sorted { $0.wrong < $1.wrong }
    }

    /// The map from the modules of the whole upright symbol, followed outwards from the core: what was sampled inside
    /// shows edges, and these show where the next modules are.
    func grown(_ pixels: PixelSampler, _ mode: AztecMode) -> Homography? {
        let side = mode.size.side
        var size = Self.coreSide
        let corners = mode.orientation.corners(map.quadrilateral(side: Double(size)))
        guard var map = Homography(size: size, to: corners) else { return nil }
        while true {
            let grid =
                size == Self.coreSide
                ? Self.rings(size)
                : ModuleSamples(pixels, map: map, width: size, height: size).grid(
                    .localMidpoint, isInverted: isInverted)
            map = EdgeFit(pixels, grid: grid, isInverted: isInverted).refined(map)
            if size == side { return map }
            // By two modules to each side, or a sixth where that is more.
            let next = min(side, size + max(4, size / 3 / 2 * 2))
            guard let wider = map.reframed(from: size, to: next) else { return nil }
            map = wider
            size = next
        }
    }
}

extension Homography {
    /// The same map for a square of another number of modules with the same centre; nil where it is beyond the horizon.
    func reframed(from size: Int, to other: Int) -> Homography? {
        let margin = Double(size - other) / 2
        let end = Double(size) - margin
        return Homography(
            size: other,
            to: Quadrilateral(
                topLeft: map(margin, margin), topRight: map(end, margin), bottomRight: map(end, end),
                bottomLeft: map(margin, end)))
    }
}
