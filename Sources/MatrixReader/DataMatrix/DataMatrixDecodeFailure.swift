public import BarcodeCore

/// Why the modules of a Data Matrix symbol could not be turned into a message, and how far the decoding came.
public struct DataMatrixDecodeFailure: Error, Sendable, Hashable {
    /// What kind of failure it is, for programs.
    public var code: Code
    /// What was seen, for people: a clause.
    public var message: String
    /// The size of the symbol, where the grid has one that there is.
    public var size: ModuleCount?
    /// The index of the first block that could not be corrected.
    public var block: Int?

    /// A failure of the kind `code` and all that is known of the symbol.
    public init(_ code: Code, _ message: String, size: ModuleCount? = nil, block: Int? = nil) {
        self.code = code
        self.message = message
        self.size = size
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

        /// The grid has the size of no symbol.
        public static let badSize = Code(rawValue: "bad_size")
        /// The solid and dotted lines around the data regions are not there.
        public static let badBorder = Code(rawValue: "bad_border")
        /// A block has more errors than its check codewords correct.
        public static let tooManyErrors = Code(rawValue: "too_many_errors")
        /// The codewords are whole but break the rules of the encoding.
        public static let badBitStream = Code(rawValue: "bad_bit_stream")
    }

    /// How far the decoding came: of several failures, that with the highest rank says most.
    var rank: Int {
        switch code {
        case .badBitStream: 3
        case .tooManyErrors: 2
        case .badBorder: 1
        default: 0
        }
    }
}

extension DataMatrixDecodeFailure: CustomStringConvertible {
    /// What was seen and, where known, in a symbol of what size.
    public var description: String {
        guard let size else { return message }
        return "\(message) (\(size.columns) by \(size.rows) modules)"
    }
}
