/// A size of Micro QR, M1 to M4, or of rMQR, with all its parameters.
///
/// Only the size and the format information differ between the two kinds; the rest is read like QR Code.
struct MicroQRSize: Sendable {
    /// The kind of symbol.
    enum Kind: Sendable {
        /// Micro QR (ISO/IEC 18004).
        case square
        /// rMQR (ISO/IEC 23941).
        case rectangular
    }

    let kind: Kind
    /// The version: 1 to 4 for Micro QR, the index in the standard's list (1 to 32) for rMQR.
    let number: Int
    /// The function patterns and the order of the data modules.
    let patterns: FunctionPatterns
    /// The format of the segment headers.
    let segmentFormat: QRSegmentFormat

    /// The number of modules in a row.
    var width: Int { patterns.width }
    /// The number of modules in a column.
    var height: Int { patterns.height }

    /// The name of the size in the standard, such as `M3` or `R7x43`.
    var name: String { kind == .square ? "M\(number)" : "R\(height)x\(width)" }

    /// Returns the size with the given numbers of modules; `nil` if there is none.
    static func of(width: Int, height: Int) -> MicroQRSize? {
        let sizes = width == height ? squares : rectangles
        return sizes.first { $0.width == width && $0.height == height }
    }

    /// Returns the division of the codewords into blocks; `nil` if the size does not have the level.
    func blockTable(_ level: QRErrorCorrectionLevel?) -> QRBlockTable? {
        switch kind {
        case .square: squareBlocks(level)
        case .rectangular: rectangularBlocks(level)
        }
    }

    /// Returns the ways to read the codeword of four bits, the last data codeword of M1 and M3; other sizes have
    /// none.
    func shortCodewords(_ table: QRBlockTable) -> [ShortCodeword?] {
        guard kind == .square, number % 2 == 1 else { return [nil] }
        let index = table.dataCount - 1
        return [ShortCodeword(index: index), ShortCodeword(index: index, isUpperHalf: false)]
    }
}
