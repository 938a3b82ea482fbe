public import BarcodeCore

/// Reads an Aztec symbol around a located bull's-eye.
///
/// The bull's-eye gives the perspective of the symbol, and the mode message gives its size. From there the grid is
/// grown outward. The amount of work is bounded, and the same for the same image.
public struct AztecReader: Sendable {
    /// The number of modules along a side of the outline that a reader expects: the bull's-eye's second-outermost
    /// ring, which both kinds have.
    public static let outlineModules = 7

    /// The largest number of modes (kinds and orientations of the core) that are tried.
    private static let maximumModes = 3
    private static let thresholds: [ModuleThreshold] = [.localMidpoint, .sharpened, .global, .deblurred]

    /// Creates a reader.
    public init() {}

    /// Reads the symbol around a bull's-eye.
    ///
    /// - Parameter outline: the corners of the square of ``outlineModules`` modules around its center, in pixels, from
    ///   any corner and in either direction. They may be off by a third of a module.
    /// - Throws: ``MatrixDecodeFailure`` from the attempt that came closest to success.
    public func read(
        _ image: LumaImage, outline: Quadrilateral, isInverted: Bool
    ) throws(MatrixDecodeFailure) -> AztecReading {
        try image.withUnsafePixels { buffer throws(MatrixDecodeFailure) in
            guard let pixels = PixelSampler(buffer, of: image),
                let core = AztecCore(pixels, outline: outline, isInverted: isInverted)
            else { throw MatrixDecodeFailure(.noFinderPattern, "no bull's-eye was found") }
            return try read(pixels, core)
        }
    }

    private func read(_ pixels: PixelSampler, _ core: AztecCore) throws(MatrixDecodeFailure) -> AztecReading {
        let modes = core.modes(pixels)
        var farthest = MatrixDecodeFailure(
            modes.isEmpty ? .formatUnreadable : .badSize, "the mode message around the bull's-eye cannot be read")
        for mode in modes.prefix(Self.maximumModes) {
            let side = mode.size.side
            let placement = AztecPlacement(mode.size)
            guard let grown = core.grown(pixels, mode) else { continue }
            let mesh = AlignmentMesh(pixels, map: grown, size: mode.size, isInverted: core.isInverted)
            for mesh in mesh.map({ [$0, nil] }) ?? [nil] {
                let samples = ModuleSamples(pixels, map: grown, mesh: mesh, width: side, height: side)
                for threshold in Self.thresholds {
                    let grid = samples.grid(threshold, isInverted: core.isInverted)
                    do {
                        let message = try AztecDecoder.decode(grid, mode, placement)
                        let edges = EdgeFit(pixels, grid: grid, isInverted: core.isInverted)
                        return AztecReading(
                            message, grid: grid, corners: edges.refined(grown).quadrilateral(side: Double(side)),
                            isInverted: core.isInverted)
                    } catch {
                        if error.rank >= farthest.rank { farthest = error }
                    }
                }
            }
        }
        throw farthest
    }
}
