public import BarcodeCore

/// Reads a Data Matrix symbol whose four corners are roughly known.
///
/// The corners may be off by a module and a half, may start with any of the four, and may run in either direction:
/// the solid and the dotted lines determine the orientation. ``maximumAttempts`` limits the work, which is
/// deterministic.
public struct DataMatrixReader: Sendable {
    /// The maximum number of grids to sample and decode before giving up.
    public var maximumAttempts: Int

    /// The number of sizes whose corners are refined.
    private static let fitCount = 6

    /// The number of fits that are read as symbols on a sheet that is not flat.
    private static let bowedCount = 2

    /// Creates a reader with a maximum number of attempts, 40 by default.
    public init(maximumAttempts: Int = 40) {
        self.maximumAttempts = maximumAttempts
    }

    /// Reads the symbol between four corners.
    ///
    /// - Parameter corners: in pixels, without the quiet zone.
    /// - Throws: ``MatrixDecodeFailure`` of the attempt that got farthest, or `bad_pattern`.
    public func read(_ image: LumaImage, corners: Quadrilateral) throws(MatrixDecodeFailure) -> DataMatrixReading {
        try image.withUnsafePixels { buffer throws(MatrixDecodeFailure) in
            guard let pixels = PixelSampler(buffer, of: image) else {
                throw MatrixDecodeFailure(.badPattern, "the picture has no pixels")
            }
            return try read(pixels, corners: corners)
        }
    }

    private func read(
        _ pixels: PixelSampler, corners: Quadrilateral
    ) throws(MatrixDecodeFailure) -> DataMatrixReading {
        let outlines = DataMatrixOutline.candidates(pixels, corners: corners)
        return try read(pixels, DataMatrixFit.candidates(pixels, outlines: outlines, count: Self.fitCount))
    }

    /// Reads the first readable one of several fits.
    func read(_ pixels: PixelSampler, _ fits: [DataMatrixFit]) throws(MatrixDecodeFailure) -> DataMatrixReading {
        var farthest = MatrixDecodeFailure(.badPattern, "no solid and dotted lines were found between the corners")
        var attempts = 0
        for sampled in fits.map({ Sampled(pixels, $0) }).sorted(by: <) {
            let fit = sampled.fit
            let edges = EdgeFit(pixels, grid: sampled.grid, isInverted: fit.isInverted)
            let straightened = edges.refined(fit.map)
            for map in straightened == fit.map ? [fit.map] : [fit.map, straightened] {
                let samples = ModuleSamples(
                    pixels, map: map, width: fit.pattern.width, height: fit.pattern.height)
                for threshold in [ModuleThreshold.localMidpoint, .sharpened, .global, .deblurred] {
                    guard attempts < maximumAttempts else { throw farthest }
                    attempts += 1
                    let grid = samples.grid(threshold, isInverted: fit.isInverted)
                    do {
                        let message = try DataMatrixDecoder.decode(grid)
                        let edges = EdgeFit(pixels, grid: grid, isInverted: fit.isInverted)
                        let corners = edges.refined(map).quadrilateral(
                            width: Double(grid.width), height: Double(grid.height))
                        return DataMatrixReading(
                            message, grid: grid, gridCorners: corners, isInverted: fit.isInverted)
                    } catch {
                        if error.rank > farthest.rank { farthest = error }
                    }
                }
            }
        }
        if farthest.code == .tooManyErrors {
            for fit in fits.prefix(Self.bowedCount) {
                do throws(MatrixDecodeFailure) {
                    if let reading = try readBowed(pixels, fit) { return reading }
                } catch {
                    if error.rank > farthest.rank { farthest = error }
                }
            }
        }
        throw farthest
    }

    /// A fit and its modules as first sampled; fits with fewer wrong border modules come first.
    private struct Sampled: Comparable {
        let fit: DataMatrixFit
        let grid: ModuleGrid
        private let wrongShare: Double

        init(_ pixels: PixelSampler, _ fit: DataMatrixFit) {
            self.fit = fit
            grid = ModuleSamples(pixels, map: fit.map, width: fit.pattern.width, height: fit.pattern.height)
                .grid(.localMidpoint, isInverted: fit.isInverted)
            let border = fit.border(of: grid)
            wrongShare = Double(border.wrong) / Double(max(1, border.known))
        }

        static func < (one: Sampled, other: Sampled) -> Bool { one.wrongShare < other.wrongShare }
        static func == (one: Sampled, other: Sampled) -> Bool { one.wrongShare == other.wrongShare }
    }
}
