internal import BarcodeCore
internal import Synchronization

/// The finder pattern of a size, to correlate with a picture: the borders of the data regions and the adjacent quiet
/// zone.
struct DataMatrixPattern: Sendable {
    /// The maximum number of sampled modules; a large symbol has thousands.
    private static let maximumModules = 400

    struct Module: Sendable {
        var x, y: Double
        var isDark: Bool
    }

    /// The number of modules in a row of the grid.
    let width: Int
    /// The number of modules in a column of the grid.
    let height: Int
    /// The centers of the sampled modules, in modules from the top left corner.
    let modules: [Module]
    /// The size that has this pattern.
    let size: DataMatrixSize

    /// The patterns of all sizes, and those of the mirrored rectangles, which are upright.
    static var all: [DataMatrixPattern] { some { _, _ in true } }

    /// Returns the patterns whose numbers of modules in a row and in a column satisfy a condition.
    static func some(where isMeant: (_ width: Int, _ height: Int) -> Bool) -> [DataMatrixPattern] {
        DataMatrixSize.all.flatMap { size in
            (size.columns == size.rows ? [false] : [false, true]).compactMap { isMirrored in
                isMirrored
                    ? isMeant(size.rows, size.columns) ? of(size, isMirrored: true) : nil
                    : isMeant(size.columns, size.rows) ? of(size, isMirrored: false) : nil
            }
        }
    }

    private struct Key: Hashable {
        var size: DataMatrixSize
        var isMirrored: Bool
    }

    // Each pattern is made at its first use: all of them take ten milliseconds.
    private static let cache = Mutex([Key: DataMatrixPattern]())

    private static func of(_ size: DataMatrixSize, isMirrored: Bool) -> DataMatrixPattern {
        cache.withLock { cache in
            let key = Key(size: size, isMirrored: isMirrored)
            if let made = cache[key] { return made }
            let made = DataMatrixPattern(size, isMirrored: isMirrored)
            cache[key] = made
            return made
        }
    }

    private init(_ size: DataMatrixSize, isMirrored: Bool) {
        self.size = size
        width = isMirrored ? size.rows : size.columns
        height = isMirrored ? size.columns : size.rows
        let placement = DataMatrixPlacement.of(size)
        func modules(_ border: [UInt16], isDark: Bool) -> [Module] {
            border.map { index in
                let (y, x) = Int(index).quotientAndRemainder(dividingBy: size.columns)
                return isMirrored
                    ? Module(x: Double(size.rows - y) - 0.5, y: Double(size.columns - x) - 0.5, isDark: isDark)
                    : Module(x: Double(x) + 0.5, y: Double(y) + 0.5, isDark: isDark)
            }
        }
        var all = modules(placement.darkBorder, isDark: true) + modules(placement.lightBorder, isDark: false)
        for x in 0..<width {
            all.append(Module(x: Double(x) + 0.5, y: -0.5, isDark: false))
            all.append(Module(x: Double(x) + 0.5, y: Double(height) + 0.5, isDark: false))
        }
        for y in 0..<height {
            all.append(Module(x: -0.5, y: Double(y) + 0.5, isDark: false))
            all.append(Module(x: Double(width) + 0.5, y: Double(y) + 0.5, isDark: false))
        }
        let step = Double(max(all.count, Self.maximumModules)) / Double(Self.maximumModules)
        self.modules = stride(from: 0, to: Double(all.count), by: step).map { all[Int($0)] }
    }

    /// Returns the correlation of the pattern with the picture: 1 for a perfect match, -1 for one of inverted
    /// polarity.
    ///
    /// - Parameters:
    ///   - map: the homography from modules to pixels.
    ///   - step: samples only every `step`th module, for a quick first look.
    func score(_ pixels: PixelSampler, _ map: Homography, isInverted: Bool, every step: Int = 1) -> Float {
        var correlation = PatternCorrelation()
        // Most symbols are inside the picture, so that no point needs a bounds check.
        let (middleX, middleY) = (Double(width) / 2, Double(height) / 2)
        let isInside =
            map.bounds(x: middleX, y: middleY, reach: max(middleX, middleY) + 0.5).map(pixels.isInside) ?? false
        modules.withUnsafeBufferPointer { modules in
            for index in stride(from: 0, to: modules.count, by: step) {
                let module = modules[index]
                let point = map.map(module.x, module.y)
                let brightness = isInside ? pixels.brightnessInside(point) : pixels.brightness(point)
                correlation.add(brightness, isDark: module.isDark != isInverted)
            }
        }
        return correlation.value
    }
}

/// A size that fits an outline, and the homography under which its finder pattern correlates best.
struct DataMatrixFit {
    var pattern: DataMatrixPattern
    var map: Homography
    var isInverted: Bool
    /// The correlation of the finder pattern with the picture, -1 to 1.
    var score: Float

    /// Returns the border of a grid that was sampled by the fit.
    func border(of grid: ModuleGrid) -> DataMatrixBorder {
        let upright = grid.width == pattern.size.columns ? grid : grid.antitransposed()
        return DataMatrixBorder(upright, placement: .of(pattern.size))
    }

    /// The minimum correlation at which the corners of a size are refined.
    private static let minimumRawScore: Float = 0.3
    /// The maximum difference from the best correlation at which a size is still refined.
    private static let largestDeficit: Float = 0.25
    /// The minimum correlation if only every fifth module is sampled.
    private static let minimumQuickScore: Float = 0.15
    /// The minimum correlation of a fit; checked again before each of the finer steps.
    private static let minimumRefinedScore: Float = 0.5
    /// The number of modules that the coarse steps sample.
    private static let coarseModules = 120
    /// The factor by which the ratio of the sides may differ from that of the modules; a tilted symbol is
    /// foreshortened.
    private static let largestForeshortening = 2.2

    /// Returns the sizes whose finder patterns fit the outlines best, best first, with refined corners.
    static func candidates(
        _ pixels: PixelSampler, outlines: [DataMatrixOutline], patterns: [DataMatrixPattern] = DataMatrixPattern.all,
        count: Int, minimumFit: Float = minimumRefinedScore
    ) -> [DataMatrixFit] {
        refined(scored(pixels, outlines: outlines, patterns: patterns), pixels, count: count, minimum: minimumFit)
    }

    /// Returns the sizes whose finder patterns fit the outlines, best first, without refinement.
    static func scored(
        _ pixels: PixelSampler, outlines: [DataMatrixOutline], patterns: [DataMatrixPattern] = DataMatrixPattern.all,
        minimumScore: Float = minimumRawScore
    ) -> [DataMatrixFit] {
        var fits: [DataMatrixFit] = []
        for outline in outlines {
            let points = outline.corners.points
            let across =
                points[0].distance(to: points[1]) + points[3].distance(to: points[2])
            let down = points[0].distance(to: points[3]) + points[1].distance(to: points[2])
            for pattern in patterns {
                let ratio = across / down * Double(pattern.height) / Double(pattern.width)
                guard ratio < largestForeshortening, ratio > 1 / largestForeshortening,
                    let map = Homography(width: pattern.width, height: pattern.height, to: outline.corners)
                else { continue }
                let isInverted = outline.isInverted
                guard pattern.score(pixels, map, isInverted: isInverted, every: 5) >= minimumQuickScore else {
                    continue
                }
                let score = pattern.score(pixels, map, isInverted: isInverted)
                guard score >= minimumScore else { continue }
                fits.append(
                    DataMatrixFit(pattern: pattern, map: map, isInverted: isInverted, score: score))
            }
        }
        return fits.sorted { $0.score > $1.score }
    }

    /// Refines the corners of the best of sorted fits.
    static func refined(
        _ fits: [DataMatrixFit], _ pixels: PixelSampler, count: Int, minimum: Float
    ) -> [DataMatrixFit] {
        guard let best = fits.first else { return [] }
        return fits.prefix(count).filter { $0.score > best.score - largestDeficit }.map {
            $0.refined(pixels, minimum: minimum)
        }
        .filter { $0.score >= minimum }.sorted { $0.score > $1.score }
    }

    /// Returns the fit with each corner moved to the best correlation.
    private func refined(_ pixels: PixelSampler, minimum: Float) -> DataMatrixFit {
        // The coarse steps sample only some of the modules.
        let coarse = max(1, pattern.modules.count / Self.coarseModules)
        var best = self
        let (right, bottom) = (Double(pattern.width), Double(pattern.height))
        let corners: [(keyPath: WritableKeyPath<Quadrilateral, Point>, x: Double, y: Double)] = [
            (\.topLeft, 0, 0), (\.topRight, right, 0), (\.bottomRight, right, bottom), (\.bottomLeft, 0, bottom),
        ]
        for step in [0.5, 0.25, 0.25, 0.12, 0.12] {
            // A corner that was off by half a module is much better after the first step.
            guard step == 0.5 || best.score >= minimum else { break }
            let every = step > 0.2 ? coarse : 1
            best.score = pattern.score(pixels, best.map, isInverted: isInverted, every: every)
            for corner in corners {
                let start = best
                let quad = start.map.quadrilateral(width: right, height: bottom)
                for dy in [-step, 0, step] {
                    for dx in [-step, 0, step] where dx != 0 || dy != 0 {
                        var moved = quad
                        moved[keyPath: corner.keyPath] = start.map.map(corner.x + dx, corner.y + dy)
                        guard let map = Homography(width: pattern.width, height: pattern.height, to: moved) else {
                            continue
                        }
                        let score = pattern.score(pixels, map, isInverted: isInverted, every: every)
                        if score > best.score {
                            best.map = map
                            best.score = score
                        }
                    }
                }
            }
        }
        best.score = pattern.score(pixels, best.map, isInverted: isInverted)
        return best
    }
}
