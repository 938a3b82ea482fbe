public import BarcodeCore

/// Samples the modules of a symbol at a known location in an image.
public enum QRSampler {
    /// Samples a symbol of a version between four corners.
    ///
    /// - Parameters:
    ///   - image: the image.
    ///   - corners: the corners of the symbol without its quiet zone, in pixels, in the order of the upright symbol.
    ///   - version: the version, 1 to 40.
    ///   - threshold: the method that separates dark from light.
    ///   - isInverted: true if the symbol is light on dark.
    /// - Returns: the modules with their confidences; a module outside the image is an erasure.
    /// - Throws: ``MatrixDecodeFailure`` with the code `bad_size` if the version does not exist or the corners are
    ///   collinear.
    public static func sample(
        _ image: LumaImage, corners: Quadrilateral, version: Int, threshold: ModuleThreshold = .localMidpoint,
        isInverted: Bool = false
    ) throws(MatrixDecodeFailure) -> ModuleGrid {
        guard QRVersion.all.contains(version) else {
            throw MatrixDecodeFailure(.badSize, "there is no version \(version)")
        }
        guard let map = Homography(size: QRVersion.size(version), to: corners) else {
            throw MatrixDecodeFailure(
                .badSize, "three of the four corners are on a line", symbol: "version \(version)")
        }
        return try sample(image, map: map, version: version, threshold: threshold, isInverted: isInverted)
    }

    /// Samples a symbol of a version; `map` transforms its modules to pixels.
    ///
    /// - Throws: ``MatrixDecodeFailure`` with the code `bad_size` if the version does not exist.
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

    /// Returns the possible versions of a symbol between four corners, best first; empty if it has no finder
    /// patterns.
    ///
    /// The corners may be off by a module, may begin with any of the four, and may be in either direction.
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
