/// One of the 34 sizes of MicroPDF417 (ISO/IEC 24728, tables 1 and 10 to 12).
public struct MicroPDF417Size: Sendable, Hashable {
    /// The number of columns of codewords, 1 to 4.
    public let columns: Int
    /// The number of rows, 4 to 44.
    public let rows: Int
    /// The number of check codewords.
    let checkCount: Int
    /// The row address patterns of the first row: at the left, between the columns (0 if there is none), and at the
    /// right.
    let left, center, right: Int
    /// True if rows begin with a codeword; the number at the left is then not a pattern and tells only the cluster.
    let isOpen: Bool

    init(
        _ columns: Int, _ rows: Int, _ checkCount: Int, _ left: Int, _ center: Int, _ right: Int, isOpen: Bool = false
    ) {
        self.columns = columns
        self.rows = rows
        self.checkCount = checkCount
        self.left = left
        self.center = center
        self.right = right
        self.isOpen = isOpen
    }

    /// The pattern of the first row that identifies rows: the left one, or in open rows the one between the columns.
    var first: Int { isOpen ? center : left }
    /// The patterns that identify rows.
    var patterns: RowAddressPatterns { isOpen ? .center : .side }

    /// The number of all codewords.
    var codewordCount: Int { columns * rows }

    /// Returns the cluster of a row's codewords, given by its row address pattern.
    func cluster(ofRow row: Int) -> Int { (left - 1 + row) % PDF417Patterns.clusterCount }

    /// The parts of a row before the pattern that identifies it: a codeword in open rows.
    var partsBefore: [Part] { isOpen ? [.codeword] : [] }

    /// The parts of a row after the pattern that identifies it.
    var parts: [Part] {
        if isOpen { return [.codeword, .codeword, .rightPattern] }
        return switch columns {
        case 1: [.codeword, .rightPattern]
        case 2: [.codeword, .codeword, .rightPattern]
        case 3: [.codeword, .centerPattern, .codeword, .codeword, .rightPattern]
        default: [.codeword, .codeword, .centerPattern, .codeword, .codeword, .rightPattern]
        }
    }

    /// A part of a row.
    enum Part {
        case codeword
        case centerPattern
        case rightPattern

        /// The width in modules.
        var width: Int { self == .codeword ? PDF417Patterns.width : RowAddressPatterns.width }
    }

    /// All sizes, by columns and rows.
    public static let all: [MicroPDF417Size] = [
        .init(1, 11, 7, 1, 0, 9), .init(1, 14, 7, 8, 0, 8), .init(1, 17, 7, 36, 0, 36), .init(1, 20, 8, 19, 0, 19),
        .init(1, 24, 8, 9, 0, 17), .init(1, 28, 8, 25, 0, 33),
        .init(2, 8, 8, 1, 0, 1), .init(2, 11, 9, 1, 0, 9), .init(2, 14, 9, 8, 0, 8), .init(2, 17, 10, 36, 0, 36),
        .init(2, 20, 11, 19, 0, 19), .init(2, 23, 13, 9, 0, 17), .init(2, 26, 15, 27, 0, 35),
        .init(3, 6, 12, 1, 1, 1), .init(3, 8, 14, 7, 7, 7), .init(3, 10, 16, 15, 15, 15), .init(3, 12, 18, 25, 25, 25),
        .init(3, 15, 21, 37, 37, 37), .init(3, 20, 26, 1, 17, 33), .init(3, 26, 32, 1, 9, 17),
        .init(3, 32, 38, 21, 29, 37), .init(3, 38, 44, 15, 31, 47), .init(3, 44, 50, 1, 25, 49),
        .init(4, 4, 8, 47, 19, 43), .init(4, 6, 12, 1, 1, 1), .init(4, 8, 14, 7, 7, 7), .init(4, 10, 16, 15, 15, 15),
        .init(4, 12, 18, 25, 25, 25), .init(4, 15, 21, 37, 37, 37), .init(4, 20, 26, 1, 17, 33),
        .init(4, 26, 32, 1, 9, 17), .init(4, 32, 38, 21, 29, 37), .init(4, 38, 44, 15, 31, 47),
        .init(4, 44, 50, 1, 25, 49),
    ]
}
