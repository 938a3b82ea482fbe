import BarcodeCore

/// The core of an Aztec symbol in an image, with the perspective of its plane.
struct AztecCore {
    let isInverted: Bool
    /// The homography from modules of the smaller bull's-eye, 9 along a side, to pixels.
    private let map: Homography

    private static let coreSide = 9
    /// The lowest accepted correlation between the image and the rings that both kinds of bull's-eye have.
    private static let minimumScore: Float = 0.5

    /// Fits the bull's-eye with a given outline, in pixels; `nil` if the image shows no rings there.
    init?(_ pixels: PixelSampler, outline: Quadrilateral, isInverted: Bool) {
        guard let rough = Homography(size: AztecReader.outlineModules, to: outline),
            let start = rough.reframed(from: AztecReader.outlineModules, to: Self.coreSide)
        else { return nil }
        self.isInverted = isInverted
        let edges = EdgeFit(pixels, grid: Self.rings(Self.coreSide), isInverted: isInverted)
        map = edges.refined(start)
        guard Self.score(pixels, map, isInverted: isInverted) >= Self.minimumScore else { return nil }
    }

    /// Square rings around the center: dark, light, dark and so on.
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

    /// The possible meanings of the core, most reliable first.
    func modes(_ pixels: PixelSampler) -> [AztecMode] {
        let side = 2 * AztecSize.largestModeRadius + 1
        guard let start = map.reframed(from: Self.coreSide, to: side) else { return [] }
        // The third dark ring, which only a full symbol has, makes the fit of the plane more precise.
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
                // A mode without any errors needs no further attempts.
                if let best = found.first(where: { $0.wrong == 0 }) { return [best] }
            }
        }
        return found.sorted { $0.wrong < $1.wrong }
    }

    /// Returns the homography from the modules of the whole upright symbol to pixels.
    ///
    /// It grows the grid outward from the core: the edges in the sampled part give the location of the next modules.
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
            // Grows by two modules on each side, or by a sixth of the size if that is more.
            let next = min(side, size + max(4, size / 3 / 2 * 2))
            guard let wider = map.reframed(from: size, to: next) else { return nil }
            map = wider
            size = next
        }
    }
}

extension Homography {
    /// The same homography for a square with another number of modules and the same center; `nil` if the square
    /// reaches beyond the horizon.
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
