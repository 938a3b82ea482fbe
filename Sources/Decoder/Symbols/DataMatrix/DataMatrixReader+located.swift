public import BarcodeCore

extension DataMatrixReader {
    /// The factor by which a size may differ from the measured modules: print gain is up to half a module.
    private static let sizeRange = 0.6...1.9
    /// The number of sizes whose corners are refined for a located symbol.
    private static let locatedFitCount = 3
    /// The minimum number of check codewords for each corrected one in a clear symbol: half the correction capacity.
    private static let clearShare = 4
    /// The minimum correlation of the finder pattern between located corners.
    ///
    /// The lowest of the symbols that were read is 0.69; half of the false candidates are below this limit.
    private static let minimumLocatedScore: Float = 0.55
    /// The same after the corners are refined; the lowest of the symbols that were read is 0.79.
    private static let minimumLocatedFit: Float = 0.65

    /// The shape of a symbol in a picture.
    public enum Shape: Sendable, Hashable {
        /// A plane.
        case flat
        /// Straight sides, and modules that are not evenly spaced, as in worn print or on a sheet that is bent along
        /// one side.
        case uneven
        /// Bent sides, as around a can.
        case bent
    }

    /// Reads a symbol whose solid sides are already located.
    ///
    /// - Parameters:
    ///   - corners: in pixels, without the quiet zone, each to within a module; the solid sides meet at the bottom
    ///     left.
    ///   - columns: the approximate number of modules in a row.
    ///   - rows: the approximate number of modules in a column.
    ///   - isInverted: true if the symbol is light on dark.
    ///   - shape: the shape to assume; others than flat are a last resort.
    /// - Throws: ``MatrixDecodeFailure`` of the attempt that got farthest, or `bad_pattern`.
    public func read(
        _ image: LumaImage, solidCorners corners: Quadrilateral, columns: Double, rows: Double, isInverted: Bool,
        shape: Shape = .flat
    ) throws(MatrixDecodeFailure) -> DataMatrixReading {
        try image.withUnsafePixels { buffer throws(MatrixDecodeFailure) in
            guard let pixels = PixelSampler(buffer, of: image) else {
                throw MatrixDecodeFailure(.badPattern, "the picture has no pixels")
            }
            if shape != .flat {
                return try readUneven(
                    pixels, corners: corners, columns: columns, rows: rows, isInverted: isInverted,
                    isBent: shape == .bent)
            }
            let patterns = DataMatrixPattern.some { width, height in
                Self.sizeRange.contains(Double(width) / columns) && Self.sizeRange.contains(Double(height) / rows)
            }
            let given = DataMatrixOutline(corners: corners, isInverted: isInverted, score: 0)
            let scored = DataMatrixFit.scored(
                pixels, outlines: [given], patterns: patterns, minimumScore: Self.minimumLocatedScore)
            if let clear = scored.first.flatMap({ readAtOnce(pixels, $0) }) { return clear }
            let fits = DataMatrixFit.refined(
                scored, pixels, count: Self.locatedFitCount, minimum: Self.minimumLocatedFit)
            let failure: MatrixDecodeFailure
            do throws(MatrixDecodeFailure) {
                return try read(pixels, fits)
            } catch {
                failure = error
            }
            guard !fits.isEmpty, let moved = given.refined(pixels, reach: 1.3 / min(columns, rows)) else {
                throw failure
            }
            let others = DataMatrixFit.refined(
                DataMatrixFit.scored(
                    pixels, outlines: [moved], patterns: patterns, minimumScore: Self.minimumLocatedScore),
                pixels, count: Self.locatedFitCount, minimum: Self.minimumLocatedFit)
            do throws(MatrixDecodeFailure) {
                return try read(pixels, others)
            } catch {
                throw error.rank > failure.rank ? error : failure
            }
        }
    }

    /// Reads a clear symbol without refining its corners; `nil` if that fails.
    private func readAtOnce(_ pixels: PixelSampler, _ fit: DataMatrixFit) -> DataMatrixReading? {
        let (width, height) = (fit.pattern.width, fit.pattern.height)
        var map = fit.map
        // The edges between modules correct deviations of less than half a module.
        for _ in 0..<2 {
            let grid = ModuleSamples(pixels, map: map, width: width, height: height)
                .grid(.localMidpoint, isInverted: fit.isInverted)
            let straightened = EdgeFit(pixels, grid: grid, isInverted: fit.isInverted).refined(map)
            if let message = try? DataMatrixDecoder.decode(grid),
                message.correctedCodewords * Self.clearShare <= fit.pattern.size.checkCount
            {
                return DataMatrixReading(
                    message, grid: grid,
                    gridCorners: straightened.quadrilateral(width: Double(width), height: Double(height)),
                    isInverted: fit.isInverted)
            }
            guard straightened != map else { return nil }
            map = straightened
        }
        return nil
    }
}

extension DataMatrixOutline {
    /// Returns the outline with its sides moved to the edges in the picture; `nil` if a side has no edge.
    ///
    /// - Parameter reach: the search range for edges, as a share of the shorter side.
    fileprivate func refined(_ pixels: PixelSampler, reach: Double) -> DataMatrixOutline? {
        let points = corners.points
        let lengths = (0..<4).map { points[$0].distance(to: points[($0 + 1) % 4]) }
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
