public import BarcodeCore

/// The exact message of a PDF417 symbol and its properties.
public struct PDF417Message: Sendable, Hashable {
    /// The message, byte for byte.
    public var bytes: [UInt8]
    /// The segments of ``bytes``, in order and without gaps; those of byte compaction are bytes, not text.
    public var segments: [Reading.Segment]
    /// The numbers of rows and columns of codewords, including check codewords.
    public var size: PDF417Size
    /// The index of the symbol in a message spread over several (structured append); `nil` for a single symbol.
    public var macro: Macro?
    /// True if the message is a command to the reader.
    public var isReaderProgramming: Bool
    /// The number of wrong or unread codewords that were corrected.
    public var correctedCodewords: Int
    /// The share of the error correction capacity that was used, 0 to 1; `nil` if there is none or it is unknown.
    public var correctionUsed: Double? = nil

    /// The control block of a symbol of Macro PDF417.
    public struct Macro: Sendable, Hashable {
        /// The index, from 0.
        public var index: Int
        /// The identifier common to all symbols of a message: three digits a codeword.
        public var fileIdentifier = ""
        /// True for the last symbol.
        public var isLast = false
        /// The number of symbols of the message; `nil` if not specified.
        public var count: Int?
        /// The name of the file; `nil` if not specified.
        public var fileName: String?
        /// The time in seconds since 1970-01-01; `nil` if not specified.
        public var timeStamp: Int?
        /// The sender; `nil` if not specified.
        public var sender: String?
        /// The addressee; `nil` if not specified.
        public var addressee: String?
        /// The size of the file in bytes; `nil` if not specified.
        public var fileSize: Int?
        /// The CRC-16 checksum of the file; `nil` if not specified.
        public var checksum: Int?

        /// Creates the control block of the symbol with the given index.
        public init(index: Int) {
            self.index = index
        }

        /// The index in the form common to all symbologies.
        var structuredAppend: StructuredAppend {
            StructuredAppend(
                index: index, count: count ?? (isLast ? index + 1 : nil),
                identifier: fileIdentifier.isEmpty ? nil : fileIdentifier)
        }
    }
}

/// The size of a PDF417 symbol, as encoded in its row indicators.
public struct PDF417Size: Sendable, Hashable {
    /// The number of rows, 3 to 90.
    public var rows: Int
    /// The number of columns of codewords without the row indicators, 1 to 30.
    public var columns: Int
    /// The error correction level, 0 to 8.
    public var level: Int

    /// The largest number of codewords in a symbol.
    static let maximumCodewords = 928

    /// Creates a size; `nil` if it is not valid.
    public init?(rows: Int, columns: Int, level: Int) {
        guard (3...90).contains(rows), (1...30).contains(columns), (0...8).contains(level),
            rows * columns <= Self.maximumCodewords, rows * columns > 2 << level
        else { return nil }
        self.rows = rows
        self.columns = columns
        self.level = level
    }

    /// The number of check codewords.
    var checkCount: Int { 2 << level }
    /// The number of all codewords.
    var codewordCount: Int { rows * columns }
}
