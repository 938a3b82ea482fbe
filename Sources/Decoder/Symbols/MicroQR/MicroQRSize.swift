/// A size of Micro QR, M1 to M4, or of rMQR, and all that follows from it.
///
/// What differs between the two is told here and in the format information; the rest is read alike, as in QR Code.
struct MicroQRSize: Sendable {
    /// What kind of symbol has the size.
    enum Kind: Sendable {
        /// Micro QR (ISO/IEC 18004).
        case square
        /// rMQR (ISO/IEC 23941).
        case rectangular
    }

    let kind: Kind
    /// The version of Micro QR, 1 to 4; of rMQR the place in the standard's list, 1 to 32.
    let number: Int
    /// Where the function patterns are, and the order of the data modules.
    let patterns: FunctionPatterns
    /// How the segments of the message begin.
    let segmentFormat: QRSegmentFormat

    /// Modules in a row.
    var width: Int { patterns.width }
    /// Modules in a column.
    var height: Int { patterns.height }

    /// Its name in the standard, such as `M3` or `R7x43`.
    var name: String { kind == .square ? "M\(number)" : "R\(height)x\(width)" }

    /// The size of so many modules; nil where there is none.
    static func of(width: Int, height: Int) -> MicroQRSize? {
        let sizes = width == height ? squares : rectangles
        return sizes.first { $0.width == width && $0.height == height }
    }

    /// How the codewords of a level are divided into blocks; nil for a level that the size does not have.
    func blockTable(_ level: QRErrorCorrectionLevel?) -> QRBlockTable? {
        switch kind {
        case .square: squareBlocks(level)
        case .rectangular: rectangularBlocks(level)
        }
    }

    /// The ways to read the codeword of four bits, the last of the data in M1 and M3; elsewhere there is one way, without.
    func shortCodewords(_ table: QRBlockTable) -> [ShortCodeword?] {
        guard kind == .square, number % 2 == 1 else { return [nil] }
        let index = table.dataCount - 1
        return [ShortCodeword(index: index), ShortCodeword(index: index, isUpperHalf: false)]
    }
}
