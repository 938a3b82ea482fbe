/// The reason why a page's message is not a valid request.
public struct BridgeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure, for programs.
    public var code: Code
    /// A sentence for the author of the page: the fault, and what to send instead.
    public var sentence: String

    /// Creates a failure of the kind `code`.
    public init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }

    /// The sentence.
    public var description: String { sentence }

    /// A kind of failure; later versions may add more.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String

        /// Creates the kind with that name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The message exceeds the size limit.
        public static let messageTooLong = Code(rawValue: "message_too_long")
        /// The message exceeds the nesting limit.
        public static let nestedTooDeeply = Code(rawValue: "nested_too_deeply")
        /// The message exceeds the limit for the number of values.
        public static let tooManyValues = Code(rawValue: "too_many_values")
        /// The message is not JSON.
        public static let notJSON = Code(rawValue: "not_json")
        /// The message is valid, but does not request a scan.
        public static let unknownMessage = Code(rawValue: "unknown_message")
        /// A field has an invalid value.
        public static let badValue = Code(rawValue: "bad_value")
        /// The callback is not a plain path of names.
        public static let badCallback = Code(rawValue: "bad_callback")
        /// None of the requested formats can be decoded.
        public static let unsupportedFormats = Code(rawValue: "unsupported_formats")
        /// The identifier of the request is empty or too long.
        public static let badIdentifier = Code(rawValue: "bad_identifier")
    }
}
