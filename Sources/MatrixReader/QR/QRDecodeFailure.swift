/// Why the modules of a symbol could not be turned into a message, and how far the decoding came.
public struct QRDecodeFailure: Error, Sendable, Hashable {
    /// What kind of failure it is, for programs.
    public var code: Code
    /// What was seen, for people: a clause.
    public var message: String
    /// The version, where the size of the grid gave one.
    public var version: Int?
    /// The error correction level, where the format information could be read.
    public var errorCorrectionLevel: ErrorCorrectionLevel?
    /// The mask, 0 to 7, where the format information could be read.
    public var mask: Int?
    /// The index of the first block that could not be corrected.
    public var block: Int?

    /// A failure of the kind `code` and all that is known of the symbol.
    public init(
        _ code: Code, _ message: String, version: Int? = nil, errorCorrectionLevel: ErrorCorrectionLevel? = nil,
        mask: Int? = nil, block: Int? = nil
    ) {
        self.code = code
        self.message = message
        self.version = version
        self.errorCorrectionLevel = errorCorrectionLevel
        self.mask = mask
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

        /// The grid has the size of no version, or the symbol names another version than its size has.
        public static let badSize = Code(rawValue: "bad_size")
        /// Neither copy of the format information is within three bits of a word.
        public static let formatUnreadable = Code(rawValue: "format_unreadable")
        /// A block has more errors than its check codewords correct.
        public static let tooManyErrors = Code(rawValue: "too_many_errors")
        /// The codewords are whole but break the rules of the bit stream.
        public static let badBitStream = Code(rawValue: "bad_bit_stream")
        /// There are no finder patterns where the corners say that a symbol is.
        public static let noFinderPatterns = Code(rawValue: "no_finder_patterns")
    }

    /// How far the decoding came: of several failures, that with the highest rank says most.
    var rank: Int {
        switch code {
        case .badBitStream: 4
        case .tooManyErrors: 3
        case .formatUnreadable: 2
        case .badSize: 1
        default: 0
        }
    }
}

extension QRDecodeFailure: CustomStringConvertible {
    /// What was seen and, where known, in what kind of symbol.
    public var description: String {
        var facts: [String] = []
        if let version { facts.append("version \(version)") }
        if let errorCorrectionLevel { facts.append("level \(errorCorrectionLevel.rawValue)") }
        if let mask { facts.append("mask \(mask)") }
        return facts.isEmpty ? message : "\(message) (\(facts.joined(separator: ", ")))"
    }
}
