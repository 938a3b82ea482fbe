public import BarcodeCore

/// Reads a Micro QR or rMQR symbol whose finder pattern was found in an image.
///
/// The finder pattern gives the perspective transform of the modules next to it, among them the format information,
/// which encodes the size. From there the transform is fitted to the timing patterns, step by step outwards. The
/// work is bounded, and deterministic for an image.
public struct MicroQRReader: Sendable {
    /// The kinds of symbols to read.
    public enum Kinds: Sendable {
        case microQR, rectangularMicroQR, both
    }

    /// The largest number of grids that are sampled and decoded.
    public var maximumAttempts: Int
    private let kinds: Set<MicroQRSize.Kind>

    /// The largest number of formats for which the transform is fitted.
    private static let maximumFormats = 3
    /// The smallest correlation of the function patterns of a symbol.
    private static let minimumScore: Float = 0.5
    /// The factor by which each fit extends beyond the one before: at 1.3 the error stays within half a module.
    private static let growth = 1.3
    /// The largest dark share of the modules around the symbol: for M1, which has no other check, and for the
    /// others, whose upper half may seem to lie in the middle of a larger symbol.
    private static let darkQuietZone = (weak: 0.04, strong: 0.3)

    /// Creates a reader with a limit of attempts for each finder pattern.
    public init(_ kinds: Kinds = .both, maximumAttempts: Int = 24) {
        self.kinds =
            switch kinds {
            case .microQR: [.square]
            case .rectangularMicroQR: [.rectangular]
            case .both: [.square, .rectangular]
            }
        self.maximumAttempts = maximumAttempts
    }

    /// Reads the symbol of a finder pattern.
    ///
    /// - Parameters:
    ///   - image: the image.
    ///   - finder: the corners of the pattern's 7 × 7 modules in pixels, clockwise from any corner, with an error of
    ///     less than half a module.
    ///   - isInverted: true if the symbol is light on dark.
    /// - Throws: ``MatrixDecodeFailure`` of the attempt that progressed furthest.
    public func read(
        _ image: LumaImage, finder: Quadrilateral, isInverted: Bool
    ) throws(MatrixDecodeFailure) -> MicroQRReading {
        try image.withUnsafePixels { buffer throws(MatrixDecodeFailure) in
            guard let pixels = PixelSampler(buffer, of: image) else {
                throw MatrixDecodeFailure(.noFinderPattern, "the picture has no pixels")
            }
            var farthest = MatrixDecodeFailure(
                .noFinderPattern, "no timing pattern was found beside the finder pattern")
            var attempts = maximumAttempts
            func read(at finder: Quadrilateral) -> MicroQRReading? {
                for candidate in MicroQRCandidate.all(pixels, finder: finder, isInverted: isInverted, kinds: kinds) {
                    do throws(MatrixDecodeFailure) {
                        return try self.read(pixels, candidate, &attempts)
                    } catch {
                        if error.rank > farthest.rank { farthest = error }
                    }
                }
                return nil
            }
            if let reading = read(at: finder) { return reading }
            if let better = MicroQRFit.refined(pixels, finder: finder, isInverted: isInverted),
                let reading = read(at: better)
            {
                return reading
            }
            throw farthest
        }
    }

    private func read(
        _ pixels: PixelSampler, _ candidate: MicroQRCandidate, _ attempts: inout Int
    ) throws(MatrixDecodeFailure) -> MicroQRReading {
        let start = MicroQRFit.nearFinder(pixels, candidate)
        var farthest = MatrixDecodeFailure(.formatUnreadable, "the format information cannot be read")
        for format in MicroQRFit.formats(pixels, candidate, map: start).prefix(Self.maximumFormats) {
            guard let size = format.size else { continue }
            let fit = MicroQRFit(pixels, candidate, map: start, size: size, growth: Self.growth)
            guard fit.score >= Self.minimumScore else {
                let failure = MatrixDecodeFailure(
                    .badPattern, "the timing patterns are incomplete", symbol: size.name)
                if failure.rank > farthest.rank { farthest = failure }
                continue
            }
            do throws(MatrixDecodeFailure) {
                return try read(
                    pixels, fit, isInverted: candidate.isInverted, threshold: candidate.threshold, &attempts)
            } catch {
                if error.rank > farthest.rank { farthest = error }
            }
        }
        throw farthest
    }

    private func read(
        _ pixels: PixelSampler, _ fit: MicroQRFit, isInverted: Bool, threshold: Float, _ attempts: inout Int
    ) throws(MatrixDecodeFailure) -> MicroQRReading {
        var farthest = MatrixDecodeFailure(.noFinderPattern, "no attempts are left")
        let (width, height) = (fit.size.width, fit.size.height)
        let first = ModuleSamples(pixels, map: fit.map, width: width, height: height)
            .grid(.localMidpoint, isInverted: isInverted)
        let straightened = EdgeFit(pixels, grid: first, isInverted: isInverted).refined(fit.map)
        for map in straightened == fit.map ? [fit.map] : [straightened, fit.map] {
            let samples = ModuleSamples(pixels, map: map, width: width, height: height)
            for kind in [ModuleThreshold.localMidpoint, .sharpened, .global, .deblurred] {
                guard attempts > 0 else { throw farthest }
                attempts -= 1
                let grid = samples.grid(kind, isInverted: isInverted)
                do throws(MatrixDecodeFailure) {
                    let message = try MicroQRDecoder.decode(grid)
                    let dark = Self.darkShare(pixels, map, fit.size, threshold: threshold, isInverted: isInverted)
                    let isWeak = message.errorCorrectionLevel == nil
                    guard dark <= (isWeak ? Self.darkQuietZone.weak : Self.darkQuietZone.strong) else {
                        throw MatrixDecodeFailure(
                            .badPattern, "there is no quiet zone around the symbol", symbol: fit.size.name)
                    }
                    let edges = EdgeFit(pixels, grid: grid, isInverted: isInverted)
                    let corners = edges.refined(map).quadrilateral(width: Double(width), height: Double(height))
                    return MicroQRReading(message, gridCorners: corners, isInverted: isInverted)
                } catch {
                    if error.rank > farthest.rank { farthest = error }
                }
            }
        }
        throw farthest
    }

    /// Returns the dark share of the modules around the symbol; modules outside the image are not dark.
    private static func darkShare(
        _ pixels: PixelSampler, _ map: Homography, _ size: MicroQRSize, threshold: Float, isInverted: Bool
    ) -> Double {
        let (right, bottom) = (Double(size.width), Double(size.height))
        var points: [Point] = []
        for x in 0..<size.width {
            points += [map.map(Double(x) + 0.5, -0.75), map.map(Double(x) + 0.5, bottom + 0.75)]
        }
        for y in 0..<size.height {
            points += [map.map(-0.75, Double(y) + 0.5), map.map(right + 0.75, Double(y) + 0.5)]
        }
        let dark = points.count { pixels.contains($0) && (pixels.brightness($0) < threshold) != isInverted }
        return Double(dark) / Double(points.count)
    }
}
