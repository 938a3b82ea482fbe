public import BarcodeCore

/// Reads a Han Xin symbol from its four located finder patterns.
///
/// The finder patterns give a homography for any size. The function information beside them gives the size, and then
/// the homography is fitted to all function patterns. The work is bounded and deterministic.
public struct HanXinReader: Sendable {
    /// The maximum deviation of the number of modules from the estimate, as a share of it.
    private static let slack = 0.25
    /// The maximum number of sizes at which the function information is read.
    private static let maximumAsked = 6
    /// The maximum number of sizes at which the grid is sampled.
    private static let maximumSizes = 3
    /// The minimum correlation of the finder patterns.
    private static let minimumScore: Float = 0.5

    /// Creates a reader.
    public init() {}

    /// Reads the symbol between four finder patterns.
    ///
    /// - Parameters:
    ///   - cores: the centers of the patterns' dark squares in pixels, each named after its corner of the symbol; the
    ///     top left and the bottom right may be swapped, as in a mirrored symbol.
    ///   - size: the number of modules along a side, to within a quarter.
    ///   - isInverted: true if the symbol is light on dark.
    /// - Throws: ``MatrixDecodeFailure`` of the attempt that got farthest.
    public func read(
        _ image: LumaImage, cores: Quadrilateral, size: Double, isInverted: Bool
    ) throws(MatrixDecodeFailure) -> HanXinReading {
        try image.withUnsafePixels { buffer throws(MatrixDecodeFailure) in
            guard let pixels = PixelSampler(buffer, of: image) else {
                throw MatrixDecodeFailure(.noFinderPattern, "the picture has no pixels")
            }
            var farthest = MatrixDecodeFailure(.noFinderPattern, "the four finder patterns are not in one plane")
            for candidate in Self.candidates(pixels, cores, size: size, isInverted: isInverted).prefix(
                Self.maximumSizes)
            {
                do throws(MatrixDecodeFailure) {
                    return try Self.read(pixels, candidate, isInverted: isInverted)
                } catch {
                    if error.rank > farthest.rank { farthest = error }
                }
            }
            throw farthest
        }
    }

    /// A homography and the function information read with it.
    private struct Candidate {
        var map: Homography
        var format: HanXinFormat
        var score: Float
    }

    /// Returns the homographies under which the finder patterns correlate and the function information gives the
    /// size.
    ///
    /// If the size is wrong by a tenth, the finder patterns of a large symbol and the information beside them still
    /// look almost right. So the information is read at the sizes that correlate best, and it determines the actual
    /// size.
    private static func candidates(
        _ pixels: PixelSampler, _ cores: Quadrilateral, size: Double, isInverted: Bool
    ) -> [Candidate] {
        let mirrored = Quadrilateral(
            topLeft: cores.bottomRight, topRight: cores.topRight, bottomRight: cores.topLeft,
            bottomLeft: cores.bottomLeft)
        let reach = max(4, size * slack)
        func seen(_ version: HanXinVersion) -> (version: HanXinVersion, map: Homography, score: Float, middle: Float)? {
            // The finder patterns are symmetric about the diagonal.
            guard abs(Double(version.size) - size) <= reach, let map = map(cores, size: version.size) else {
                return nil
            }
            let seen = finders(pixels, map, size: version.size, isInverted: isInverted)
            return seen.score >= minimumScore ? (version, map, seen.score, seen.middle) : nil
        }
        let sizes = HanXinVersion.all.compactMap { HanXinVersion($0).flatMap(seen) }.sorted { $0.score > $1.score }
        var candidates: [Candidate] = []
        for asked in sizes.prefix(maximumAsked) {
            for corners in [cores, mirrored] {
                guard let map = map(corners, size: asked.version.size) else { continue }
                let format = HanXinFormat(size: asked.version.size) { x, y in
                    let value = pixels.brightness(map.map(Double(x) + 0.5, Double(y) + 0.5))
                    return (asked.middle - value) * (isInverted ? -1 : 1)
                }
                guard let format, !candidates.contains(where: { $0.format == format }),
                    let named = asked.version == format.version ? asked : seen(format.version),
                    let map = Self.map(corners, size: format.version.size)
                else { continue }
                candidates.append(Candidate(map: map, format: format, score: named.score))
            }
        }
        return candidates.sorted { $0.score > $1.score }
    }

    private static func map(_ cores: Quadrilateral, size: Int) -> Homography? {
        let points = HanXinPatterns.cores(size: Double(size)).map { Point(x: $0.x, y: $0.y) }
        return Homography(
            from: Quadrilateral(
                topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3]),
            to: cores)
    }

    /// Returns the correlation of the finder patterns, and the brightness midway between their dark and light
    /// modules.
    private static func finders(
        _ pixels: PixelSampler, _ map: Homography, size: Int, isInverted: Bool
    ) -> (score: Float, middle: Float) {
        var correlation = PatternCorrelation()
        var (dark, light): (Float, Float) = (0, 0)
        var (darkCount, lightCount): (Float, Float) = (0, 0)
        for module in HanXinPatterns.finders(size: size) {
            let value = pixels.brightness(map.map(Double(module.x) + 0.5, Double(module.y) + 0.5))
            correlation.add(value, isDark: module.isDark != isInverted)
            if module.isDark {
                dark += value
                darkCount += 1
            } else {
                light += value
                lightCount += 1
            }
        }
        return (correlation.value, (dark / darkCount + light / lightCount) / 2)
    }

    private static func read(
        _ pixels: PixelSampler, _ candidate: Candidate, isInverted: Bool
    ) throws(MatrixDecodeFailure) -> HanXinReading {
        let size = candidate.format.version.size
        let patterns = HanXinPatterns.of(candidate.format.version)
        let fit = EdgeFit(pixels, patterns: patterns, columns: size + 1, rows: size + 1, isInverted: isInverted)
        let map = fit.refined(candidate.map)
        let mesh = AlignmentMesh(pixels, map: map, patterns: patterns, sign: isInverted ? -1 : 1)
        var farthest = MatrixDecodeFailure(.formatUnreadable, "no attempt was made", symbol: "\(candidate.format)")
        for mesh in mesh.map({ [nil, $0] }) ?? [nil] {
            let samples = ModuleSamples(pixels, map: map, mesh: mesh, width: size, height: size)
            for threshold in [ModuleThreshold.localMidpoint, .sharpened, .global, .deblurred] {
                let grid = samples.grid(threshold, isInverted: isInverted)
                do throws(MatrixDecodeFailure) {
                    var message = try HanXinDecoder.decodeUpright(grid)
                    let edges = EdgeFit(pixels, grid: grid, isInverted: isInverted)
                    let corners = edges.refined(map).quadrilateral(side: Double(size))
                    message.isMirrored = corners.runsCounterclockwise
                    return HanXinReading(message: message, corners: corners, isInverted: isInverted)
                } catch {
                    if error.rank > farthest.rank { farthest = error }
                }
            }
        }
        throw farthest
    }
}
