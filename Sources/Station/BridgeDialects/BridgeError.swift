/// Why a page's message is no request.
public struct BridgeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is, for programs.
    public var code: Code
    /// What is wrong and what to send instead, for whoever wrote the page: a sentence.
    public var sentence: String

    /// A failure of the kind `code`.
    public init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }

    /// The sentence.
    public var description: String { sentence }

    /// A kind of failure; more may come.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String

        /// The kind of that name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The message is longer than is taken.
        public static let messageTooLong = Code(rawValue: "message_too_long")
        /// The message is nested deeper than is taken.
        public static let nestedTooDeeply = Code(rawValue: "nested_too_deeply")
        /// The message holds more values than are taken.
        public static let tooManyValues = Code(rawValue: "too_many_values")
        /// The message is not JSON.
        public static let notJSON = Code(rawValue: "not_json")
        /// The message is sound, and asks for something else than a scan.
        public static let unknownMessage = Code(rawValue: "unknown_message")
        /// A field has a value that it cannot have.
        public static let badValue = Code(rawValue: "bad_value")
        /// What is to be called is no plain path of names.
        public static let badCallback = Code(rawValue: "bad_callback")
        /// None of the formats that were asked for can be read.
        public static let unsupportedFormats = Code(rawValue: "unsupported_formats")
        /// The identifier of the request is empty or too long.
        public static let badIdentifier = Code(rawValue: "bad_identifier")
    }
}
