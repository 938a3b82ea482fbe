extension MicroQRSize {
    /// The sizes M1 to M4.
    static let squares: [MicroQRSize] = (1...4).map { version in
        MicroQRSize(
            kind: .square, number: version, patterns: FunctionPatterns(microVersion: version),
            segmentFormat: .microQR(version: version))
    }

    /// Returns the check codewords of each level, and the number of them reserved for error detection.
    ///
    /// Source: ISO/IEC 18004, table "Error correction characteristics for Micro QR Code"; M1 only detects errors.
    func squareBlocks(_ level: QRErrorCorrectionLevel?) -> QRBlockTable? {
        let check: (count: Int, reserve: Int)
        switch (number, level) {
        case (1, nil): check = (2, 2)
        case (2, .low): check = (5, 3)
        case (2, .medium): check = (6, 2)
        case (3, .low): check = (6, 2)
        case (3, .medium): check = (8, 0)
        case (4, .low): check = (8, 2)
        case (4, .medium): check = (10, 0)
        case (4, .quartile): check = (14, 0)
        default: return nil
        }
        return QRBlockTable(
            // The codeword of four bits counts too.
            codewords: (patterns.dataOrder.count + 4) / 8, checkCount: check.count, blockCount: 1,
            misdecodeProtection: check.reserve)
    }
}

extension QRSegmentFormat {
    /// Returns the segment format of Micro QR: a larger version has more modes and longer counts.
    ///
    /// The terminator is a segment without digits.
    static func microQR(version: Int) -> QRSegmentFormat {
        QRSegmentFormat(
            indicatorBits: version - 1, terminatorBits: 2 * version + 1,
            modes: Array([.numeric, .alphanumeric, .bytes, .kanji].prefix(version == 3 ? 4 : version)),
            numericCount: version + 2, alphanumericCount: version + 1, byteCount: version + 1, kanjiCount: version)
    }
}

extension FunctionPatterns {
    /// Creates the function patterns of Micro QR: one finder pattern, and timing patterns along the upper and the
    /// left edge.
    ///
    /// Source: ISO/IEC 18004, "Function patterns" and "Codeword placement in matrix".
    convenience init(microVersion version: Int) {
        let size = 9 + 2 * version
        var roles = [Role](repeating: .data, count: size * size)
        for index in 8..<size {
            roles[index] = index % 2 == 0 ? .dark : .light
            roles[index * size] = index % 2 == 0 ? .dark : .light
        }
        for place in MicroQRFormat.squareModules(width: size) { roles[place] = .information }
        for y in 0...7 {
            for x in 0...7 {
                let ring = max(abs(x - 3), abs(y - 3))
                roles[y * size + x] = ring == 2 || ring == 4 ? .light : .dark
            }
        }
        self.init(width: size, height: size, roles: roles, lastColumn: size - 1, timingColumn: nil)
    }
}
