public import BarcodeCore

/// Reads a QR Code symbol whose four corners are approximately known.
///
/// The corners may be off by about a module, may begin with any of the four, and may be in either direction: the
/// finder patterns tell. The work is bounded by ``maximumAttempts``, and deterministic for an image.
public struct QRReader: Sendable {
    /// The largest number of grids that are sampled and decoded.
    public var maximumAttempts: Int

    /// The largest number of matching versions that are tried, likeliest first.
    static let maximumVersions = 3

    /// Creates a reader with a limit of attempts.
    public init(maximumAttempts: Int = 40) {
        self.maximumAttempts = maximumAttempts
    }

    /// Reads the symbol between four corners.
    ///
    /// - Parameters:
    ///   - image: the image.
    ///   - corners: the corners in pixels, without the quiet zone.
    /// - Throws: ``MatrixDecodeFailure`` of the attempt that progressed furthest, or `no_finder_pattern`.
    public func read(_ image: LumaImage, corners: Quadrilateral) throws(MatrixDecodeFailure) -> QRReading {
        try image.withUnsafePixels { buffer throws(MatrixDecodeFailure) in
            guard let pixels = PixelSampler(buffer, of: image),
                let match = FinderSearch.find(in: pixels, corners: corners)
            else {
                throw MatrixDecodeFailure(.noFinderPattern, "three of the corners have no finder pattern")
            }
            let estimates = QRVersionEstimate.candidates(pixels, match: match, count: Self.maximumVersions)
            return try read(pixels, match, estimates)
        }
    }

    /// - Parameter estimates: the versions that fit, best first.
    func read(
        _ pixels: PixelSampler, _ match: FinderSearch.Match, _ estimates: [QRVersionEstimate]
    ) throws(MatrixDecodeFailure) -> QRReading {
        var attempts = QRAttempts(pixels, match, estimates, maximum: maximumAttempts)
        while let estimate = attempts.nextVersion() {
            if let reading = attempts.read(estimate) { return reading }
        }
        throw attempts.farthest
    }
}

/// The attempts to read a symbol as one version after the other.
private struct QRAttempts {
    private let pixels: PixelSampler
    private let match: FinderSearch.Match
    /// The versions that are worth an attempt, best first.
    private var versions: [QRVersionEstimate]
    /// The number of versions that were tried.
    private var rank = 0
    /// The number of grids that may still be decoded.
    private var left: Int
    /// The failure of the attempt that progressed furthest.
    private(set) var farthest = MatrixDecodeFailure(.noFinderPattern, "the finder patterns match no version")

    init(_ pixels: PixelSampler, _ match: FinderSearch.Match, _ estimates: [QRVersionEstimate], maximum: Int) {
        (self.pixels, self.match) = (pixels, match)
        left = maximum
        // If the timing patterns clearly support a version, its neighbors are excluded.
        versions = estimates.filter { $0.score > (estimates.first?.score ?? 0) - 0.6 }
    }

    /// Returns the next version to try; `nil` if there is none, or no attempt is left.
    mutating func nextVersion() -> QRVersionEstimate? {
        guard rank < versions.count, left > 0 else { return nil }
        defer { rank += 1 }
        return versions[rank]
    }

    /// Reads the symbol as a version, through one transform after the other.
    mutating func read(_ estimate: QRVersionEstimate) -> QRReading? {
        let fit = QRGridFit(pixels, estimate: estimate)
        if let aligned = fit.throughAlignmentPattern() {
            let mesh = AlignmentMesh(pixels, map: aligned, version: estimate.version, sign: fit.sign)
            let thresholds: [ModuleThreshold] = [.localMidpoint, .sharpened, .global, .deblurred]
            if let mesh, let reading = decode(estimate, aligned, mesh, thresholds) { return reading }
            if let reading = decode(estimate, aligned, nil, thresholds) { return reading }
        }
        if let map = fit.throughCorner(match.corners.bottomRight),
            let reading = decode(estimate, map, nil, [.localMidpoint, .deblurred])
        {
            return reading
        }
        guard left > 0 else { return nil }
        // Less likely versions get only the fast attempts.
        for map in fit.throughContrast(count: rank == 1 ? 4 : 1) {
            if let reading = decode(estimate, map, nil, [.localMidpoint, .sharpened, .deblurred]) { return reading }
        }
        return decode(estimate, fit.estimated, nil, ModuleThreshold.allCases)
    }

    /// Samples and decodes a grid with each threshold.
    private mutating func decode(
        _ estimate: QRVersionEstimate, _ map: Homography, _ mesh: (any ModuleShifts)?, _ thresholds: [ModuleThreshold]
    ) -> QRReading? {
        guard left > 0 else { return nil }
        let size = QRVersion.size(estimate.version)
        let samples = ModuleSamples(pixels, map: map, mesh: mesh, width: size, height: size)
        for threshold in thresholds where left > 0 {
            left -= 1
            let grid = samples.grid(threshold, isInverted: estimate.isInverted)
            do {
                let message = try QRDecoder.decode(grid)
                let edges = EdgeFit(pixels, grid: grid, isInverted: estimate.isInverted)
                return QRReading(
                    message, gridCorners: edges.refined(map).quadrilateral(side: Double(size)),
                    isInverted: estimate.isInverted)
            } catch {
                if error.rank > farthest.rank { farthest = error }
                if error.code == .badSize { addVersion(namedIn: grid) }
            }
        }
        return nil
    }

    /// Adds the version in the version information, which may be readable before the grid is right.
    private mutating func addVersion(namedIn grid: ModuleGrid) {
        guard let named = QRVersionInformation.read(in: grid), !versions.contains(where: { $0.version == named }),
            let other = QRVersionEstimate.estimate(pixels, match: match, version: named)
        else { return }
        versions.append(other)
    }
}
