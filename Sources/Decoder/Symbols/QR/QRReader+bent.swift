public import BarcodeCore

extension QRReader {
    /// Reads a symbol on a bent or crumpled sheet whose three finder patterns are known.
    ///
    /// Try ``read(_:finderCorners:size:isInverted:)`` first, which is faster.
    ///
    /// - Parameter corners: the corners, as for ``read(_:finderCorners:size:isInverted:)``.
    /// - Throws: ``MatrixDecodeFailure`` of the attempt that progressed furthest, or `no_finder_pattern`.
    public func readBent(
        _ image: LumaImage, finderCorners corners: Quadrilateral, size: Double, isInverted: Bool
    ) throws(MatrixDecodeFailure) -> QRReading {
        try image.withUnsafePixels { buffer throws(MatrixDecodeFailure) in
            guard let pixels = PixelSampler(buffer, of: image),
                let match = FinderSearch.Match(in: pixels, corners: corners, size: size, isInverted: isInverted)
            else {
                throw MatrixDecodeFailure(.noFinderPattern, "three of the corners have no finder pattern")
            }
            let likeliest = QRVersionEstimate.candidates(pixels, match: match, count: 1).first
            guard let estimate = likeliest.flatMap({ Self.named(pixels, match, $0) }) else {
                throw MatrixDecodeFailure(.noFinderPattern, "the finder patterns match no version")
            }
            let fit = QRGridFit(pixels, estimate: estimate)
            var farthest = MatrixDecodeFailure(
                .noFinderPattern, "no lattice of modules was found between the finder patterns")
            for map in [fit.throughAlignmentPattern(), fit.estimated].compactMap(\.self) {
                do throws(MatrixDecodeFailure) {
                    if let reading = try Self.readBent(pixels, estimate, map) { return reading }
                } catch {
                    if error.rank > farthest.rank { farthest = error }
                }
            }
            throw farthest
        }
    }

    /// Returns the estimate for the encoded version of a symbol of version 7 or above; `nil` if it is unreadable.
    ///
    /// The version information is next to two finder patterns, where even a bent sheet is nearly flat. This check is
    /// fast and precedes a slow one, because the timing patterns of a bent sheet are unreliable for the version.
    private static func named(
        _ pixels: PixelSampler, _ match: FinderSearch.Match, _ estimate: QRVersionEstimate
    ) -> QRVersionEstimate? {
        guard estimate.version >= 7 else { return estimate }
        let size = QRVersion.size(estimate.version)
        let map = QRGridFit(pixels, estimate: estimate).estimated
        let grid = ModuleSamples(pixels, map: map, width: size, height: size)
            .grid(.localMidpoint, isInverted: estimate.isInverted)
        guard let version = QRVersionInformation.read(in: grid) else { return nil }
        return version == estimate.version
            ? estimate : QRVersionEstimate.estimate(pixels, match: match, version: version)
    }

    /// Reads through the lattice of the modules; `nil` if there is no lattice.
    private static func readBent(
        _ pixels: PixelSampler, _ estimate: QRVersionEstimate, _ map: Homography
    ) throws(MatrixDecodeFailure) -> QRReading? {
        let size = QRVersion.size(estimate.version)
        guard let field = LatticeField(pixels, map: map, size: size) else { return nil }
        let samples = ModuleSamples(pixels, map: map, mesh: field, width: size, height: size)
        var farthest: MatrixDecodeFailure?
        for threshold in [ModuleThreshold.localMidpoint, .sharpened, .deblurred] {
            let grid = samples.grid(threshold, isInverted: estimate.isInverted)
            do throws(MatrixDecodeFailure) {
                let message = try QRDecoder.decode(grid)
                return QRReading(
                    message, gridCorners: field.quadrilateral(map), isInverted: estimate.isInverted)
            } catch {
                if error.rank > farthest?.rank ?? -1 { farthest = error }
            }
        }
        if let farthest { throw farthest }
        return nil
    }
}
