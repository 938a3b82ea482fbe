public import BarcodeCore

extension DataMatrixReader {
    /// By what factor the modules of a size may differ from those measured: print bleeds by up to half a module.
    private static let sizeRange = 0.6...1.9
    /// Sizes of a located symbol whose corners are refined.
    private static let locatedFitCount = 3
    /// The correlation of the lines between located corners below which a place is no symbol: of symbols that were
    /// read, the least had 0.69; of places that were none, half had less than this.
    private static let minimumLocatedScore: Float = 0.55
    /// The same after the corners were refined; the least had 0.79.
    private static let minimumLocatedFit: Float = 0.65

    /// Reads a symbol whose solid sides have been found already.
    ///
    /// - Parameters:
    ///   - corners: in pixels, without the quiet zone, each better than a module; the solid sides meet at the bottom
    ///     left.
    ///   - columns: modules in a row, roughly.
    ///   - rows: modules in a column, roughly.
    ///   - isInverted: whether the symbol is light on dark.
    ///   - isUneven: whether its modules may stand unevenly, on a bent sheet or in worn print: a last resort.
    /// - Throws: ``MatrixDecodeFailure``: of all attempts the one that came farthest, or `bad_pattern`.
    public func read(
        _ image: LumaImage, solidCorners corners: Quadrilateral, columns: Double, rows: Double, isInverted: Bool,
        isUneven: Bool = false
    ) throws(MatrixDecodeFailure) -> DataMatrixReading {
        try image.withUnsafePixels { buffer throws(MatrixDecodeFailure) in
            guard let pixels = PixelSampler(buffer, of: image) else {
                throw MatrixDecodeFailure(.badPattern, "the picture has no pixels")
            }
            if isUneven {
                return try readUneven(
                    pixels, corners: corners, columns: columns, rows: rows, isInverted: isInverted)
            }
            let patterns = DataMatrixPattern.all.filter { pattern in
                Self.sizeRange.contains(Double(pattern.width) / columns)
                    && Self.sizeRange.contains(Double(pattern.height) / rows)
            }
            let given = DataMatrixOutline(corners: corners, isInverted: isInverted, score: 0)
            let fits = DataMatrixFit.candidates(
                pixels, outlines: [given], patterns: patterns, count: Self.locatedFitCount,
                minimumScore: Self.minimumLocatedScore, minimumFit: Self.minimumLocatedFit)
            let failure: MatrixDecodeFailure
            do throws(MatrixDecodeFailure) {
                return try read(pixels, fits)
            } catch {
                failure = error
            }
            guard !fits.isEmpty, let moved = given.refined(pixels, reach: 1.3 / min(columns, rows)) else {
                throw failure
            }
            let others = DataMatrixFit.candidates(
                pixels, outlines: [moved], patterns: patterns, count: Self.locatedFitCount,
                minimumScore: Self.minimumLocatedScore, minimumFit: Self.minimumLocatedFit)
            do throws(MatrixDecodeFailure) {
                return try read(pixels, others)
            } catch {
                throw error.rank > failure.rank ? error : failure
            }
        }
    }
}

extension DataMatrixOutline {
    /// The outline with its sides where the edges are seen; nil where one is not.
    ///
    /// - Parameter reach: the share of the shorter side within which edges are looked for.
    fileprivate func refined(_ pixels: PixelSampler, reach: Double) -> DataMatrixOutline? {
        let points = corners.points
        let lengths = (0..<4).map { DataMatrixSide.distance(points[$0], points[($0 + 1) % 4]) }
        let shorter = min(lengths[0] + lengths[2], lengths[1] + lengths[3]) / 2
        guard shorter >= 8, lengths.allSatisfy({ $0 >= 4 }) else { return nil }
        let sides = (0..<4).compactMap { index in
            DataMatrixSide(
                pixels, from: points[index], to: points[(index + 1) % 4], center: corners.center,
                reach: max(2, reach * shorter), isInverted: isInverted)
        }
        guard sides.count == 4 else { return nil }
        let found = (0..<4).compactMap { sides[($0 + 3) % 4].intersection(sides[$0]) }
        guard found.count == 4 else { return nil }
        return DataMatrixOutline(
            corners: Quadrilateral(
                topLeft: found[0], topRight: found[1], bottomRight: found[2], bottomLeft: found[3]),
            isInverted: isInverted, score: score)
    }
}
