/// Decodes the modules of a QR Code symbol of any version and level.
///
/// Source: ISO/IEC 18004, "Decoding procedure overview".
public enum QRDecoder {
    /// Decodes a symbol: the grid as it is and, if that fails, mirrored along its diagonal.
    ///
    /// Modules of confidence 0 are erasures: each codeword with one counts as half an error. If a block has too many
    /// errors and the grid has confidences, the least certain codewords are tried as erasures too. Then at least
    /// three check codewords remain for detection, and the padding must follow the standard. The padding is also
    /// checked if the message is empty.
    ///
    /// - Throws: ``MatrixDecodeFailure`` of the attempt that progressed further.
    public static func decode(_ grid: ModuleGrid) throws(MatrixDecodeFailure) -> QRMessage {
        guard grid.width == grid.height else {
            throw MatrixDecodeFailure(.badSize, "\(grid.width) by \(grid.height) modules are not square")
        }
        guard let version = QRVersion.version(size: grid.size) else {
            throw MatrixDecodeFailure(.badSize, "no version has \(grid.size) modules on a side")
        }
        var (message, isMirrored) = try grid.decodedEitherWay(mirrored: { $0.transposed() }) {
            (grid) throws(MatrixDecodeFailure) in try decodeUpright(grid, version: version)
        }
        message.isMirrored = isMirrored
        return message
    }

    private static func decodeUpright(_ grid: ModuleGrid, version: Int) throws(MatrixDecodeFailure) -> QRMessage {
        do {
            return try decodeModel2(grid, version: version)
        } catch {
            guard let message = QRModel1.decode(grid, version: version) else { throw error }
            return message
        }
    }

    private static func decodeModel2(_ grid: ModuleGrid, version: Int) throws(MatrixDecodeFailure) -> QRMessage {
        if version >= 7, let named = QRVersionInformation.read(in: grid), named != version {
            throw MatrixDecodeFailure(
                .badSize, "the version information names version \(named), but the size is that of version \(version)",
                symbol: "version \(version)")
        }
        var worst = MatrixDecodeFailure(
            .formatUnreadable, "neither copy of the format information can be read", symbol: "version \(version)")
        // Two copies that differ give two formats; more than three are not worth the time.
        for format in QRFormatInformation.candidates(in: grid).prefix(3) {
            do {
                return try decode(grid, version: version, format: format)
            } catch {
                if error.rank > worst.rank { worst = error }
            }
        }
        throw worst
    }

    private static func decode(
        _ grid: ModuleGrid, version: Int, format: QRFormatInformation
    ) throws(MatrixDecodeFailure) -> QRMessage {
        let contents = try QRContents(
            grid, patterns: .of(version: version), table: QRBlockTable(version: version, level: format.level),
            mask: format.mask, segmentFormat: .qrCode(version: version),
            symbol: "version \(version), level \(format.level.rawValue), mask \(format.mask)")
        return QRMessage(contents, model: 2, version: version, format: format)
    }
}
