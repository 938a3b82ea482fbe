public import BarcodeCore

/// Reads a MaxiCode symbol whose bull's-eye is roughly known.
///
/// The symbol may be rotated by any angle, tilted and mirrored. The work is bounded and deterministic.
public struct MaxiCodeReader: Sendable {
    /// The maximum number of orientations tried, likeliest first.
    private static let orientationCount = 3

    /// Creates a reader.
    public init() {}

    /// Reads the symbol around a bull's-eye.
    ///
    /// - Parameters:
    ///   - corners: in pixels, of a parallelogram whose sides touch the outermost ring at their midpoints; accurate
    ///     to a sixth.
    ///   - isInverted: true if the symbol is light on dark.
    /// - Throws: ``MatrixDecodeFailure`` of the attempt that got farthest, or `no_finder_pattern`.
    public func read(
        _ image: LumaImage, bullseye corners: Quadrilateral, isInverted: Bool
    ) throws(MatrixDecodeFailure) -> MaxiCodeReading {
        try image.withUnsafePixels { buffer throws(MatrixDecodeFailure) in
            guard let pixels = PixelSampler(buffer, of: image),
                let rings = MaxiCodeRings.fit(pixels, corners: corners, isInverted: isInverted)
            else {
                throw MatrixDecodeFailure(.noFinderPattern, "there are no three rings around a center")
            }
            var farthest = MatrixDecodeFailure(.badPattern, "there are no orientation modules around the rings")
            for orientation in MaxiCodeOrientation.candidates(
                pixels, rings: rings, isInverted: isInverted, count: Self.orientationCount)
            {
                do throws(MatrixDecodeFailure) {
                    return try read(pixels, orientation.map, isInverted: isInverted)
                } catch {
                    if error.rank > farthest.rank { farthest = error }
                }
            }
            throw farthest
        }
    }

    private func read(
        _ pixels: PixelSampler, _ rough: Homography, isInverted: Bool
    ) throws(MatrixDecodeFailure) -> MaxiCodeReading {
        guard let map = MaxiCodeGridFit.refined(rough, pixels) else {
            throw MatrixDecodeFailure(.badPattern, "there is no grid of hexagons around the rings")
        }
        let samples = MaxiCodeSampler(pixels, map: map)
        let sharpened = samples.deblurred(share: 0.08, rounds: 3)
        var farthest: MatrixDecodeFailure?
        for (samples, threshold) in [
            (samples, .localMidpoint), (sharpened, .localMidpoint), (samples, .global),
            (samples.deblurred(share: 0.12, rounds: 6), .localMidpoint),
        ] as [(MaxiCodeSampler, ModuleThreshold)] {
            let grid = samples.grid(threshold, isInverted: isInverted)
            do throws(MatrixDecodeFailure) {
                let message = try MaxiCodeDecoder.decode(grid)
                return Self.reading(message, grid: grid, map: map, isInverted: isInverted)
            } catch {
                if error.rank > farthest?.rank ?? -1 { farthest = error }
            }
        }
        throw farthest ?? MatrixDecodeFailure(.tooManyErrors, "no attempt was made")
    }

    private static func reading(
        _ message: MaxiCodeMessage, grid: ModuleGrid, map: Homography, isInverted: Bool
    ) -> MaxiCodeReading {
        let (left, right, bottom) = (MaxiCodeLayout.left, MaxiCodeLayout.right, MaxiCodeLayout.bottom)
        let corners = Quadrilateral(
            topLeft: map.map(left, -bottom), topRight: map.map(right, -bottom), bottomRight: map.map(right, bottom),
            bottomLeft: map.map(left, bottom))
        return MaxiCodeReading(
            message: message, grid: grid, corners: corners, isInverted: isInverted,
            isMirrored: corners.runsCounterclockwise)
    }
}
