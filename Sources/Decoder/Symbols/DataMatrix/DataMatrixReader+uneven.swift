internal import BarcodeCore

extension DataMatrixReader {
    /// The minimum ratio of known to wrong border modules for a symbol with uneven modules: a grid that can bend to
    /// fit anything needs better evidence.
    private static let knownPerWrong = 8

    /// Reads a symbol with uneven modules, from the positions of the modules along its dotted sides.
    ///
    /// Source of the idea: ISO/IEC 16022, "Reference decode algorithm", which counts the alternating modules.
    ///
    /// - Throws: ``MatrixDecodeFailure`` of the attempt that got farthest, or `bad_pattern`.
    func readUneven(
        _ pixels: PixelSampler, corners: Quadrilateral, columns: Double, rows: Double, isInverted: Bool,
        isBent: Bool
    ) throws(MatrixDecodeFailure) -> DataMatrixReading {
        var farthest = MatrixDecodeFailure(
            .badPattern, "dark and light modules do not alternate along the dotted sides")
        var attempts = 0
        for grid in DataMatrixUnevenGrid.candidates(
            pixels, corners: corners, columns: columns, rows: rows, isInverted: isInverted, isBent: isBent)
        {
            let samples = grid.samples(pixels)
            for threshold in [ModuleThreshold.localMidpoint, .sharpened, .deblurred] {
                guard attempts < maximumAttempts else { throw farthest }
                attempts += 1
                let modules = samples.grid(threshold, isInverted: isInverted)
                do throws(MatrixDecodeFailure) {
                    let message = try DataMatrixDecoder.decode(modules)
                    let reading = DataMatrixReading(
                        message, grid: modules, gridCorners: refined(pixels, grid.corners, modules, isInverted),
                        isInverted: isInverted)
                    guard let size = DataMatrixSize(columns: reading.grid.width, rows: reading.grid.height) else {
                        continue
                    }
                    let border = DataMatrixBorder(reading.grid, placement: .of(size))
                    if border.wrong * Self.knownPerWrong <= border.known { return reading }
                } catch {
                    if error.rank > farthest.rank { farthest = error }
                }
            }
        }
        throw farthest
    }

    /// The degrees of the polynomials for a sheet that is not flat, one for each turn: with each, more of the modules
    /// are right, and more of the edges are where they belong.
    private static let bowedDegrees = [2, 2, 3, 3]
    /// The largest share of wrong border modules, in percent, with which a sheet is not given up: before the first turn,
    /// and before later ones.
    ///
    /// In 37 symbols that were read it was at most 22 and 20, in half of the places that were not read at least 23 and
    /// 26.
    private static let mostWrong = (first: 30, later: 25)

    /// Reads a symbol whose modules are shifted smoothly, as on a sheet that is not flat, by the edges between them.
    ///
    /// - Returns: the reading; `nil` if the edges are not clear, or the border is not that of a symbol.
    /// - Throws: ``MatrixDecodeFailure`` of the attempt that got farthest.
    func readBowed(_ pixels: PixelSampler, _ fit: DataMatrixFit) throws(MatrixDecodeFailure) -> DataMatrixReading? {
        var farthest: MatrixDecodeFailure?
        var shifts: PolynomialShifts?
        let (width, height) = (fit.pattern.width, fit.pattern.height)
        for degree in Self.bowedDegrees {
            let known = ModuleSamples(pixels, map: fit.map, mesh: shifts, width: width, height: height)
                .grid(.localMidpoint, isInverted: fit.isInverted)
            let border = fit.border(of: known)
            guard border.wrong * 100 <= (shifts == nil ? Self.mostWrong.first : Self.mostWrong.later) * border.known
            else { break }
            let edges = EdgeFit(pixels, grid: known, isInverted: fit.isInverted)
            guard let fitted = edges.shifts(from: fit.map, start: shifts, degree: degree) else { break }
            shifts = fitted
            let samples = ModuleSamples(pixels, map: fit.map, mesh: fitted, width: width, height: height)
            for threshold in [ModuleThreshold.localMidpoint, .sharpened] {
                let grid = samples.grid(threshold, isInverted: fit.isInverted)
                do throws(MatrixDecodeFailure) {
                    let message = try DataMatrixDecoder.decode(grid)
                    let reading = DataMatrixReading(
                        message, grid: grid,
                        gridCorners: fitted.quadrilateral(fit.map, width: width, height: height),
                        isInverted: fit.isInverted)
                    let border = DataMatrixBorder(reading.grid, placement: .of(fit.pattern.size))
                    if border.wrong * Self.knownPerWrong <= border.known { return reading }
                } catch {
                    if error.rank > farthest?.rank ?? -1 { farthest = error }
                }
            }
        }
        if let farthest { throw farthest }
        return nil
    }

    /// Refines the corners of a decoded symbol from all of its edges, if they lie in a plane.
    private func refined(
        _ pixels: PixelSampler, _ corners: Quadrilateral, _ grid: ModuleGrid, _ isInverted: Bool
    ) -> Quadrilateral {
        guard let map = Homography(width: grid.width, height: grid.height, to: corners) else { return corners }
        return EdgeFit(pixels, grid: grid, isInverted: isInverted).refined(map)
            .quadrilateral(width: Double(grid.width), height: Double(grid.height))
    }
}
