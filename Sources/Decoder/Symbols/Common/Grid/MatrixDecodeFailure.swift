/// The reason why a matrix symbol could not be decoded, and the stage at which decoding failed.
public struct MatrixDecodeFailure: Error, Sendable, Hashable {
    /// The kind of failure, for programs.
    public var code: Code
    /// The description of the failure for people: a clause.
    public var message: String
    /// The known properties of the symbol, in the terms of its symbology: `version 2, level L, mask 3`; `nil` if
    /// unknown.
    public var symbol: String?
    /// The index of the first block that could not be corrected.
    public var block: Int?

    /// Creates a failure of the kind `code`, with the known properties of the symbol.
    public init(_ code: Code, _ message: String, symbol: String? = nil, block: Int? = nil) {
        self.code = code
        self.message = message
        self.symbol = symbol
        self.block = block
    }

    /// A kind of failure; more kinds may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String

        /// Creates the kind with a given name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No finder pattern was found at the given corners.
        public static let noFinderPattern = Code(rawValue: "no_finder_pattern")
        /// No symbol has the size of the grid, or the symbol states a different size.
        public static let badSize = Code(rawValue: "bad_size")
        /// The fixed lines or marks of a symbol of this size are missing.
        public static let badPattern = Code(rawValue: "bad_pattern")
        /// The format, mode or size information of the symbol cannot be read.
        public static let formatUnreadable = Code(rawValue: "format_unreadable")
        /// A block has more errors than its check codewords can correct.
        public static let tooManyErrors = Code(rawValue: "too_many_errors")
        /// The codewords are correct but break the rules of the encoding.
        public static let badBitStream = Code(rawValue: "bad_bit_stream")
        /// The codewords are correct but belong to a composite component, which is part of a linear symbol.
        public static let partOfComposite = Code(rawValue: "part_of_composite")
    }

    /// The kinds in the order of the decoding stages.
    private static let stages: [Code] = [
        .noFinderPattern, .badSize, .badPattern, .formatUnreadable, .tooManyErrors, .badBitStream, .partOfComposite,
    ]

    /// The stage that the decoding reached; of several failures, the one with the highest rank is the most
    /// informative.
    var rank: Int { Self.stages.firstIndex(of: code) ?? 0 }
}

extension MatrixDecodeFailure: CustomStringConvertible {
    /// The description, with the known properties of the symbol if there are any.
    public var description: String { symbol.map { "\(message) (\($0))" } ?? message }
}
