public import BarcodeCore

/// What a PDF417 symbol says, exactly, and what was learnt of the symbol on the way.
public struct PDF417Message: Sendable, Hashable {
    /// The message, byte for byte.
    public var bytes: [UInt8]
    /// The stretches of ``bytes``, in order and without gaps; those of byte compaction are of bytes.
    public var segments: [Reading.Segment]
    /// Rows and columns of codewords of data and of checking.
    public var size: PDF417Size
    /// The symbol's place in a message that is spread over several; nil for a message of its own.
    public var macro: Macro?
    /// Whether the message is for the reader itself, to set it up.
    public var isReaderProgramming: Bool
    /// Codewords that were wrong or not read, and have been corrected.
    public var correctedCodewords: Int

    /// The control block of a symbol of Macro PDF417.
    public struct Macro: Sendable, Hashable {
        /// The place, counted from 0.
        public var index: Int
        /// What the symbols of one message share: three digits a codeword.
        public var fileIdentifier = ""
        /// Whether it is the last symbol.
        public var isLast = false
        /// How many symbols hold the message; nil where this one does not tell.
        public var count: Int?
        /// The name of the file; nil where the symbol does not tell.
        public var fileName: String?
        /// Seconds since the beginning of 1970; nil where the symbol does not tell.
        public var timeStamp: Int?
        /// Who sends the message; nil where the symbol does not tell.
        public var sender: String?
        /// Who is to have the message; nil where the symbol does not tell.
        public var addressee: String?
        /// Bytes of the file; nil where the symbol does not tell.
        public var fileSize: Int?
        /// The checksum of the file (CRC-16); nil where the symbol does not tell.
        public var checksum: Int?

        /// The block of the symbol `index`.
        public init(index: Int) {
            self.index = index
        }

        /// The place as every symbology tells it.
        var structuredAppend: StructuredAppend {
            StructuredAppend(
                index: index, count: count ?? (isLast ? index + 1 : nil),
                identifier: fileIdentifier.isEmpty ? nil : fileIdentifier)
        }
    }
}

/// The size of a PDF417 symbol, as its row indicators name it.
public struct PDF417Size: Sendable, Hashable {
    /// Rows, 3 to 90.
    public var rows: Int
    /// Columns of codewords without the row indicators, 1 to 30.
    public var columns: Int
    /// The error correction level, 0 to 8.
    public var level: Int

    /// Most codewords of a symbol.
    static let maximumCodewords = 928

    /// A size; nil where there is none such.
    public init?(rows: Int, columns: Int, level: Int) {
        guard (3...90).contains(rows), (1...30).contains(columns), (0...8).contains(level),
            rows * columns <= Self.maximumCodewords, rows * columns > 2 << level
        else { return nil }
        self.rows = rows
        self.columns = columns
        self.level = level
    }

    /// Check codewords.
    var checkCount: Int { 2 << level }
    /// All codewords.
    var codewordCount: Int { rows * columns }
}
