/// Why the modules of a matrix symbol could not be turned into a message, and how far the decoding came.
public struct MatrixDecodeFailure: Error, Sendable, Hashable {
    /// What kind of failure it is, for programs.
    public var code: Code
    /// What was seen, for people: a clause.
    public var message: String
    /// What is known of the symbol, in the words of its symbology: `version 2, level L, mask 3`; nil where nothing is.
    public var symbol: String?
    /// The index of the first block that could not be corrected.
    public var block: Int?

    /// A failure of the kind `code` and all that is known of the symbol.
    public init(_ code: Code, _ message: String, symbol: String? = nil, block: Int? = nil) {
        self.code = code
        self.message = message
        self.symbol = symbol
        self.block = block
    }

    /// A kind of failure; more kinds may come.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String

        /// The kind of that name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no finder pattern where the corners say that a symbol is.
        public static let noFinderPattern = Code(rawValue: "no_finder_pattern")
        /// The grid has the size of no symbol, or the symbol names another size than it has.
        public static let badSize = Code(rawValue: "bad_size")
        /// The lines or marks that every symbol of the size has are not there.
        public static let badPattern = Code(rawValue: "bad_pattern")
        /// What the symbol says of its own format, mode or size cannot be read.
        public static let formatUnreadable = Code(rawValue: "format_unreadable")
        /// A block has more errors than its check codewords correct.
        public static let tooManyErrors = Code(rawValue: "too_many_errors")
        /// The codewords are whole but break the rules of the encoding.
        public static let badBitStream = Code(rawValue: "bad_bit_stream")
        /// The codewords are whole and those of a composite component, which is a part of a linear symbol.
        public static let partOfComposite = Code(rawValue: "part_of_composite")
    }

    /// The kinds in the order in which a decoding meets them.
    private static let stages: [Code] = [
        .noFinderPattern, .badSize, .badPattern, .formatUnreadable, .tooManyErrors, .badBitStream, .partOfComposite,
    ]

    /// How far the decoding came: of several failures, that with the highest rank says most.
    var rank: Int { Self.stages.firstIndex(of: code) ?? 0 }
}

extension MatrixDecodeFailure: CustomStringConvertible {
    /// What was seen and, where known, in what kind of symbol.
    public var description: String { symbol.map { "\(message) (\($0))" } ?? message }
}
