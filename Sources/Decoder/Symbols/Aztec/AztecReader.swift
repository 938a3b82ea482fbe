public import BarcodeCore

/// Reads an Aztec symbol whose bull's-eye was found in a picture.
///
/// The bull's-eye tells the plane of the symbol around it, and the mode message the size; from there the grid is
/// followed outwards. The work is bounded and the same for the same picture.
public struct AztecReader: Sendable {
    /// Modules along the side of the square that a reader is given the corners of: the bull's-eye's outermost ring but
    /// one, which both kinds of it have.
    public static let outlineModules = 7

    /// Kinds and orientations of the core that are followed.
    private static let maximumModes = 3
    private static let thresholds: [ModuleThreshold] = [.localMidpoint, .sharpened, .global, .deblurred]

    /// A reader.
    public init() {}

    /// Reads the symbol around a bull's-eye.
    ///
    /// - Parameter outline: the corners of the square of ``outlineModules`` modules around its centre, which may be off
    ///   by a third of a module, in pixels, in any order around.
    /// - Throws: ``MatrixDecodeFailure``: of all attempts the one that came farthest.
    public func read(
        _ image: LumaImage, outline: Quadrilateral, isInverted: Bool
    ) throws(MatrixDecodeFailure) -> AztecReading {
        try image.withUnsafePixels { buffer throws(MatrixDecodeFailure) in
            guard let pixels = PixelSampler(buffer, of: image),
                let core = AztecCore(pixels, outline: outline, isInverted: isInverted)
            else { throw MatrixDecodeFailure(.noFinderPattern, "no bull's-eye is seen") }
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
