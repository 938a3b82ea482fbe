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
            var farthest = MatrixDecodeFailure(
                .noFinderPattern, "no lattice of modules was found between the finder patterns")
            func read(_ estimate: QRVersionEstimate, _ map: Homography, _ field: LatticeField) -> QRReading? {
                do throws(MatrixDecodeFailure) {
                    return try Self.read(pixels, estimate, map, field)
                } catch {
                    if error.rank > farthest.rank { farthest = error }
                    return nil
                }
            }

            let estimates = QRVersionEstimate.candidates(pixels, match: match, count: Self.maximumBentVersions)
            let isTimed = estimates.first.map { $0.score >= Self.minimumEstimate } ?? false
            if isTimed, let estimate = estimates.first.flatMap({ Self.named(pixels, match, $0) }) {
                let fit = QRGridFit(pixels, estimate: estimate)
                for map in [fit.throughAlignmentPattern(), fit.estimated].compactMap(\.self) {
                    if let field = LatticeField(pixels, map: map, size: QRVersion.size(estimate.version)),
                        let reading = read(estimate, map, field)
                    {
                        return reading
                    }
                }
            }
            guard let bent = Self.bent(pixels, estimates, leastTiming: isTimed ? 0 : Self.minimumBentTiming) else {
                throw farthest
            }
            var shifts = bent.shifts
            for _ in 0..<Self.maximumBends {
                let size = QRVersion.size(bent.estimate.version)
                guard let field = LatticeField(pixels, map: bent.estimate.map, size: size, start: shifts) else { break }
                if let reading = read(bent.estimate, bent.estimate.map, field) { return reading }
                guard let next = field.polynomials(degree: Self.degreeOfBend) else { break }
                shifts = next
            }
            throw farthest
        }
    }

    /// The largest number of versions that are tried on a bent sheet: the size of its finder patterns says little.
    private static let maximumBentVersions = 7
    /// The number of times that the bend is estimated, each from the modules that the one before brought into step.
    private static let maximumBends = 4
    /// The degree of the polynomials that continue the lattice: the second does not describe a can seen from nearby.
    private static let degreeOfBend = 3
    /// The smallest mean correlation of the timing patterns along a bend, if they are not on straight lines.
    ///
    /// In three drawn cans that were looked at, the right version had 0.93 or more, others 0.72 at most.
    private static let minimumBentTiming: Float = 0.75

    /// Returns the version whose timing patterns are clearest along the bend that the finder patterns show; `nil` if
    /// none are clear.
    private static func bent(
        _ pixels: PixelSampler, _ estimates: [QRVersionEstimate], leastTiming: Float
    ) -> (estimate: QRVersionEstimate, shifts: PolynomialShifts)? {
        guard let likeliest = estimates.first, let finders = FinderOutlines(pixels, likeliest) else { return nil }
        var best: (estimate: QRVersionEstimate, shifts: PolynomialShifts, timing: Float)?
        for estimate in estimates {
            guard let shifts = finders.shifts(from: estimate.map, version: estimate.version) else { continue }
            let timing = [false, true].map { BentTiming(pixels, estimate, shifts, isColumn: $0) }
            let score = (timing[0].score + timing[1].score) / 2
            guard score >= best?.timing ?? leastTiming,
                let exact = finders.shifts(
                    from: estimate.map, version: estimate.version, adding: timing.flatMap(\.samples))
            else { continue }
            best = (estimate, exact, score)
        }
        return best.map { ($0.estimate, $0.shifts) }
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

    /// Reads through the lattice of the modules.
    private static func read(
        _ pixels: PixelSampler, _ estimate: QRVersionEstimate, _ map: Homography, _ field: LatticeField
    ) throws(MatrixDecodeFailure) -> QRReading {
        let size = QRVersion.size(estimate.version)
        let samples = ModuleSamples(pixels, map: map, mesh: field, width: size, height: size)
        var farthest: MatrixDecodeFailure?
        for threshold in [ModuleThreshold.localMidpoint, .sharpened, .deblurred] {
            let grid = samples.grid(threshold, isInverted: estimate.isInverted)
            do throws(MatrixDecodeFailure) {
                let message = try QRDecoder.decode(grid)
                return QRReading(
                    message, gridCorners: field.quadrilateral(map, width: size, height: size),
                    isInverted: estimate.isInverted)
            } catch {
                if error.rank > farthest?.rank ?? -1 { farthest = error }
            }
        }
        throw farthest ?? MatrixDecodeFailure(.noFinderPattern, "the symbol was not sampled")
    }
}
