public import BarcodeCore

/// Samples the modules of a symbol whose place in a picture is known.
public enum QRSampler {
    /// Samples a symbol of a version between four corners.
    ///
    /// - Parameters:
    ///   - corners: those of the symbol without its quiet zone, in pixels, ordered as the upright symbol names them.
    ///   - version: 1 to 40.
    ///   - isInverted: whether the symbol is light on dark.
    /// - Returns: the modules and how clear each is; a module outside of the picture is an erasure.
    /// - Throws: ``MatrixDecodeFailure`` with the code `bad_size` for a version that does not exist or corners on a line.
    public static func sample(
        _ image: LumaImage, corners: Quadrilateral, version: Int, threshold: ModuleThreshold = .localMidpoint,
        isInverted: Bool = false
    ) throws(MatrixDecodeFailure) -> ModuleGrid {
        guard QRVersion.all.contains(version) else {
            throw MatrixDecodeFailure(.badSize, "there is no version \(version)")
        }
        guard let map = Homography(size: QRVersion.size(version), to: corners) else {
            throw MatrixDecodeFailure(
                .badSize, "three of the four corners stand on a line", symbol: "version \(version)")
        }
        return try sample(image, map: map, version: version, threshold: threshold, isInverted: isInverted)
    }

    /// Samples a symbol of a version whose modules `map` takes to pixels of the picture.
    ///
    /// - Throws: ``MatrixDecodeFailure`` with the code `bad_size` for a version that does not exist.
    public static func sample(
        _ image: LumaImage, map: Homography, version: Int, threshold: ModuleThreshold = .localMidpoint,
        isInverted: Bool = false
    ) throws(MatrixDecodeFailure) -> ModuleGrid {
        guard QRVersion.all.contains(version) else {
            throw MatrixDecodeFailure(.badSize, "there is no version \(version)")
        }
        return image.withUnsafePixels { buffer in
            let size = QRVersion.size(version)
            guard let pixels = PixelSampler(buffer, of: image) else {
                var grid = ModuleGrid(size: size)
                grid.confidences = [UInt8](repeating: 0, count: size * size)
                return grid
            }
            return ModuleSamples(pixels, map: map, width: size, height: size).grid(threshold, isInverted: isInverted)
        }
    }

    /// The versions that a symbol between four corners may have, the best first; none where it has no finder patterns.
    ///
    /// The corners may be off by a module, may begin with any of the four, and may run either way round.
    public static func estimateVersion(
        _ image: LumaImage, corners: Quadrilateral, count: Int = 3
    ) -> [QRVersionEstimate] {
        image.withUnsafePixels { buffer in
            guard let pixels = PixelSampler(buffer, of: image),
                let match = FinderSearch.find(in: pixels, corners: corners)
            else { return [] }
            return QRVersionEstimate.candidates(pixels, match: match, count: count)
        }
    }
}
