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
        // If the timing patterns clearly support a version, its neighbors are excluded.
        var worthwhile = estimates.filter { $0.score > (estimates.first?.score ?? 0) - 0.6 }
        var farthest = MatrixDecodeFailure(.noFinderPattern, "the finder patterns match no version")
        var attempts = 0
        var rank = 0
        while rank < worthwhile.count, attempts < maximumAttempts {
            let estimate = worthwhile[rank]
            rank += 1
            let fit = QRGridFit(pixels, estimate: estimate)
            let size = QRVersion.size(estimate.version)

            func attempt(_ map: Homography, _ mesh: (any ModuleShifts)?, _ thresholds: [ModuleThreshold]) -> QRReading?
            {
                guard attempts < maximumAttempts else { return nil }
                let samples = ModuleSamples(pixels, map: map, mesh: mesh, width: size, height: size)
                for threshold in thresholds where attempts < maximumAttempts {
                    attempts += 1
                    let grid = samples.grid(threshold, isInverted: estimate.isInverted)
                    do {
                        let message = try QRDecoder.decode(grid)
                        let edges = EdgeFit(pixels, grid: grid, isInverted: estimate.isInverted)
                        return QRReading(
                            message, gridCorners: edges.refined(map).quadrilateral(side: Double(size)),
                            isInverted: estimate.isInverted)
                    } catch {
                        if error.rank > farthest.rank { farthest = error }
                        // The version information may be readable before the grid is right.
                        if error.code == .badSize, let named = QRVersionInformation.read(in: grid),
                            !worthwhile.contains(where: { $0.version == named }),
                            let other = QRVersionEstimate.estimate(pixels, match: match, version: named)
                        {
                            worthwhile.append(other)
                        }
                    }
                }
                return nil
            }

            let aligned = fit.throughAlignmentPattern()
            if let aligned {
                let mesh = AlignmentMesh(pixels, map: aligned, version: estimate.version, sign: fit.sign)
                if let mesh, let reading = attempt(aligned, mesh, [.localMidpoint, .sharpened, .global, .deblurred]) {
                    return reading
                }
                if let reading = attempt(aligned, nil, [.localMidpoint, .sharpened, .global, .deblurred]) {
                    return reading
                }
            }
            if let map = fit.throughCorner(match.corners.bottomRight),
                let reading = attempt(map, nil, [.localMidpoint, .deblurred])
            {
                return reading
            }
            guard attempts < maximumAttempts else { break }
            // Less likely versions get only the fast attempts.
            for map in fit.throughContrast(count: rank == 1 ? 4 : 1) {
                if let reading = attempt(map, nil, [.localMidpoint, .sharpened, .deblurred]) { return reading }
            }
            if let reading = attempt(fit.estimated, nil, ModuleThreshold.allCases) { return reading }
        }
        throw farthest
    }
}
